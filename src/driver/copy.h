// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's copies as the runtime API has them.
#pragma once

#include "driver/entry.h"

// The runtime's names for programs whose default stream is the calling thread's, which its header
// has as macros.
extern "C" {
cudaError_t cudaMemcpy_ptds(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms *parameters);
cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray_ptds(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t toX, size_t toY,
                                        cudaArray_const_t from, size_t fromX, size_t fromY,
                                        size_t bytes, cudaMemcpyKind kind);
}

namespace heddle::driver {

/// cudaErrorInvalidValue if a side is nothing that can be copied.
cudaError_t runtimeCopy(const CUDA_MEMCPY3D &copy, cudaMemcpy3DParms &parameters);
/// The reverse, for what a graph tells.
void driverCopy(const cudaMemcpy3DParms &parameters, CUDA_MEMCPY3D &copy);

} // namespace heddle::driver
