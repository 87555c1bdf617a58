// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A double read from shared memory at a multiple of 4.
#include "fault.h"

__global__ void load(double *out, int offset) {
  __shared__ __align__(16) char memory[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    memory[i] = 0;
  __syncthreads();
  *out = *reinterpret_cast<volatile double *>(memory + offset);
}

int main() {
  double *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(double)));
  load<<<1, 32>>>(out, 8);
  CHECK_CUDA(cudaDeviceSynchronize());
  load<<<1, 32>>>(out, 12);
  checkFault(cudaErrorMisalignedAddress);
  RETURN_RESULT();
}
