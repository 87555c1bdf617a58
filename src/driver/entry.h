// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the entry points of the driver API share.
#pragma once

#pragma GCC visibility push(default)
#include <cuda.h>
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

namespace heddle::driver {

/// Whether cuInit has succeeded, or the program has used the runtime, which calls it. Before, calls
/// give CUDA_ERROR_NOT_INITIALIZED.
bool initialized();

/// The driver's errors have the values of the runtime's. The runtime's last error is left alone.
inline CUresult result(cudaError_t error) { return static_cast<CUresult>(error); }

/// Runs `body` once the driver is initialised.
template <class Body> CUresult call(Body body) noexcept {
  return initialized() ? body() : CUDA_ERROR_NOT_INITIALIZED;
}

} // namespace heddle::driver
