// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all functions on signals do.
#pragma once

#include "call.h"
#include "kernels/pointwise.h"

namespace heddle::npp {

inline NppStatus checkSignals(const Call &call, std::initializer_list<const void *> pointers,
                              size_t length) {
  if (const NppStatus status = checkNotNull(call, pointers))
    return status;
  if (length > size_t(NPP_MAX_64S) / 16)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the length is negative or too large");
  return length == 0 ? NPP_NO_OPERATION_WARNING : NPP_SUCCESS;
}

template <typename D> Pointwise workOn(Op op, D *dst, size_t length, int scale_factor = 0) {
  constexpr int parts = Number<D>::parts;
  Pointwise work;
  work.op = op;
  work.out = operand(dst, 0);
  work.width = (long long)length * parts;
  work.channels = parts;
  work.complex = parts == 2;
  work.factor = scaleOf(scale_factor);
  return work;
}

inline NppStatus run(const Call &call, const auto &work) {
  return finish(call, launch(work, call.stream));
}

} // namespace heddle::npp
