/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The C part of c_source.cu. Returns the number of the call that failed, or 0. */
#include <cuda_runtime.h>

void launchFromC(int *data, int n, float2 factor);

int useRuntimeFromC(int *data, int n) {
  int *memory = NULL;
  struct cudaDeviceProp properties;
  struct cudaPointerAttributes attributes;
  cudaStream_t stream;
  cudaError_t error;
  dim3 unused = {1, 1, 1};
  float2 factor = {2.0f, 1.0f};
  (void)unused;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.warpSize != 32)
    return 1;
  if (cudaStreamCreate(&stream) != cudaSuccess || cudaStreamDestroy(stream) != cudaSuccess)
    return 2;
  if (cudaMalloc((void **)&memory, n * sizeof(int)) != cudaSuccess)
    return 3;
  if (cudaMemcpy(memory, data, n * sizeof(int), cudaMemcpyHostToDevice) != cudaSuccess)
    return 4;
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess ||
      attributes.type != cudaMemoryTypeDevice)
    return 5;
  launchFromC(memory, n, factor);
  error = cudaMemcpy(data, memory, n * sizeof(int), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess)
    return 6;
  return cudaFree(memory) == cudaSuccess ? 0 : 7;
}
