// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index far outside of shared memory. An H200 with CUDA 13 calls it an illegal instruction
// (715); for Heddle, where shared memory is not told from other, it is an illegal address (700).
#include "fault.h"

__global__ void writeAt(int *out, int index) {
  __shared__ volatile int memory[32];
  memory[threadIdx.x] = threadIdx.x;
  __syncthreads();
  memory[index] = 1;
  *out = memory[0];
}

int main() {
  int *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(int)));
  writeAt<<<1, 32>>>(out, 5);
  CHECK_CUDA(cudaDeviceSynchronize());
  writeAt<<<1, 32>>>(out, 1 << 22);
#if CUDART_VERSION >= 13000 && !defined(__clang__)
  checkFault(cudaErrorIllegalInstruction);
#else
  checkFault(cudaErrorIllegalAddress);
#endif
  RETURN_RESULT();
}
