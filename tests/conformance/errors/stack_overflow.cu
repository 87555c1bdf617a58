// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursion without an end leaves the thread's stack. Which error a GPU gives is not documented:
// any of those for a bad access of a thread is right, and it is sticky.
#include "fault.h"

__device__ int depth(volatile int *stop, int level) {
  volatile int local[16];
  local[level % 16] = level;
  if (*stop)
    return level;
  return depth(stop, level + 1) + local[level % 16];
}

__global__ void recurse(volatile int *stop, int *out) { *out = depth(stop, 0); }

int main() {
  int *memory;
  CHECK_CUDA(cudaMalloc(&memory, 2 * sizeof(int)));
  CHECK_CUDA(cudaMemset(memory, 0xff, 2 * sizeof(int)));
  recurse<<<1, 1>>>(memory, memory + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemset(memory, 0, sizeof(int)));
  CHECK_CUDA(cudaDeviceSynchronize());
  recurse<<<1, 1>>>(memory, memory + 1);
  const cudaError_t error = cudaDeviceSynchronize();
  fprintf(stderr, "stack overflow gives %s\n", cudaGetErrorName(error));
  CHECK(error == cudaErrorHardwareStackError || error == cudaErrorIllegalAddress ||
        error == cudaErrorLaunchFailure);
  CHECK_EQ(cudaDeviceSynchronize(), error);
  RETURN_RESULT();
}
