// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With CUDA_LAUNCH_BLOCKING=1 the launch waits for the kernel, and its error is there at once.
// env: CUDA_LAUNCH_BLOCKING=1
#include "check.h"

__global__ void writeTo(int *p) { *p = 1; }

int main() {
  int *memory;
  CHECK_CUDA(cudaMalloc(&memory, sizeof(int)));
  writeTo<<<1, 1>>>(memory);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(cudaStreamQuery(0), cudaSuccess); // nothing is left to do
  writeTo<<<1, 1>>>(nullptr);
  CHECK_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  RETURN_RESULT();
}
