// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Python calls, by ctypes: the library needs no binding generator and no Python headers.
#include "fallback.h"

/// Registers the kernels; returns how many, or -1 with the reason on standard error.
extern "C" __attribute__((visibility("default"))) int heddleTorchEnable() {
  try {
    return heddle::aten::registerFallback();
  } catch (const std::exception &E) {
    std::fprintf(stderr, "heddle: %s\n", E.what());
    return -1;
  }
}
