// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every entry point of CUPTI does: let no C++ exception out, and remember the error for
// cuptiGetLastError.
#pragma once

// CUPTI's functions are all that is exported.
#pragma GCC visibility push(default)
#include <cupti.h>
#pragma GCC visibility pop

#include <new>

namespace heddle::cupti {

/// This host thread's last error.
CUptiResult &lastError();

template <class Body> CUptiResult call(Body body) noexcept {
  CUptiResult result;
  try {
    result = body();
  } catch (const std::bad_alloc &) {
    result = CUPTI_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    result = CUPTI_ERROR_UNKNOWN;
  }
  if (result != CUPTI_SUCCESS)
    lastError() = result;
  return result;
}

/// One line on stderr, once for each `what`; returns CUPTI_ERROR_NOT_SUPPORTED.
CUptiResult notSupported(const char *what);

} // namespace heddle::cupti
