// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reduce.h"

namespace heddle::nccl {

extern const Arithmetic arithmetic_base;
#ifdef HEDDLE_NCCL_V3
extern const Arithmetic arithmetic_v3;
#endif

const Arithmetic &arithmetic() {
#ifdef HEDDLE_NCCL_V3
  static const bool v3 = __builtin_cpu_supports("x86-64-v3");
  if (v3)
    return arithmetic_v3;
#endif
  return arithmetic_base;
}

size_t elementSize(ncclDataType_t type) {
  static constexpr unsigned char sizes[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return unsigned(type) < ncclNumTypes ? sizes[type] : 0;
}

bool isInteger(ncclDataType_t type) { return unsigned(type) <= ncclUint64; }

} // namespace heddle::nccl
