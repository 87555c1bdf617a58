// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work given after a kernel that faults is not done: neither kernels nor copies nor host functions
// of the same stream.
#include "check.h"

__global__ void faultWhenTold(volatile int *go, int *p) {
  while (*go == 0) {
  }
  *p = 1;
}

__global__ void mark(volatile int *seen) { *seen = 1; }

int main() {
  volatile int *go, *seen;
  void *memory;
  CHECK_CUDA(cudaHostAlloc(&memory, 2 * sizeof(int), cudaHostAllocMapped));
  go = static_cast<int *>(memory);
  seen = go + 1;
  *go = 1;
  mark<<<1, 1>>>(seen);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*seen, 1);
  *go = *seen = 0;
  faultWhenTold<<<1, 1>>>(go, nullptr);
  mark<<<1, 1>>>(seen);
  CHECK_EQ(cudaGetLastError(), cudaSuccess); // nothing is known yet
  *go = 1;
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  mark<<<1, 1>>>(seen);
  CHECK_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  CHECK_EQ(*seen, 0);
  RETURN_RESULT();
}
