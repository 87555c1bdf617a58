// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers work in C: all of them together, the ABI, and calls with C's full argument lists.
#include "every.h"

#include "abi.h"
#include "guards.h"
#ifndef __cuda_cuda_h__
#error "the guard of cuda.h is missing"
#endif

cudaError_t copyRow(float *to, const float *from, size_t count, cudaStream_t stream,
                    const void *kernel);

cudaError_t copyRow(float *to, const float *from, size_t count, cudaStream_t stream,
                    const void *kernel) {
  struct cudaDeviceProp properties;
  struct cudaExtent extent = make_cudaExtent(count * sizeof(float), 1, 1);
  struct cudaMemcpy3DParms copy = {0};
  dim3 grid = {1, 1, 1};
  float4 four = make_float4(1, 2, 3, 4);
  void *args[] = {&four};
  copy.srcPtr = make_cudaPitchedPtr((void *)from, extent.width, count, 1);
  copy.dstPtr = make_cudaPitchedPtr(to, extent.width, count, 1);
  copy.extent = extent;
  copy.kind = cudaMemcpyDefault;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
    return cudaGetLastError();
  if (cudaMemcpy3DAsync(&copy, stream) != cudaSuccess)
    return cudaPeekAtLastError();
  return cudaLaunchKernel(kernel, grid, grid, args, 0, stream);
}
