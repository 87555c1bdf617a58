// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls from before CUDA 4 that programs still make (CUDA 13 has removed them).
// hardware: skip CUDA 13 no longer has these calls
#include "check.h"

__device__ int value = 1;

__global__ void setValue(int v) { value = v; }

int main() {
  setValue<<<1, 1>>>(7);
  CHECK_CUDA(cudaThreadSynchronize());
  int read = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&read, value, sizeof read));
  CHECK_EQ(read, 7);
  CHECK_CUDA(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
  size_t stack = 0;
  CHECK_CUDA(cudaThreadGetLimit(&stack, cudaLimitStackSize));
  CHECK_EQ(stack, 1024);
  CHECK_CUDA(cudaThreadExit()); // as cudaDeviceReset
  CHECK_CUDA(cudaMemcpyFromSymbol(&read, value, sizeof read));
  CHECK_EQ(read, 1);
  RETURN_RESULT();
}
