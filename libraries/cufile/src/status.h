// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every function of cuFile answers with.
#pragma once

#pragma GCC visibility push(default)
#include <cufile.h>
#pragma GCC visibility pop

#include "common/refuse.h"

#include <new>

namespace heddle::cufile {

inline CUfileError_t status(CUfileOpError error) { return {error, CUDA_SUCCESS}; }

/// Success, or the error with a sentence about it on stderr.
inline CUfileError_t refuse(const char *call, CUfileOpError error, const char *why) {
  library::explain(call, cufileop_status_error(error), why);
  return status(error);
}

/// Runs a call's body; no exception leaves it.
template <class Body> CUfileError_t guarded(Body body) noexcept {
  try {
    return body();
  } catch (...) { // no memory, no thread
    return status(CU_FILE_INTERNAL_ERROR);
  }
}

} // namespace heddle::cufile
