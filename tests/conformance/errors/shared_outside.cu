// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index far outside of shared memory.
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
  checkFault(cudaErrorIllegalAddress);
  RETURN_RESULT();
}
