// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first call that waits reports a kernel's fault, be it a copy.
#include "check.h"

__global__ void writeTo(int *p) { *p = 1; }

int main() {
  int *memory, value = 77;
  CHECK_CUDA(cudaMalloc(&memory, sizeof(int)));
  writeTo<<<1, 1>>>(nullptr);
  CHECK_EQ(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost),
           cudaErrorIllegalAddress);
  CHECK_EQ(value, 77);
  CHECK_EQ(cudaFree(memory), cudaErrorIllegalAddress);
  RETURN_RESULT();
}
