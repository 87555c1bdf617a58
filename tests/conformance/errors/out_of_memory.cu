// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations that the device has no room for: cudaErrorMemoryAllocation, not sticky, and nothing
// is lost by them.
#include "check.h"

int main() {
  size_t free = 0, total = 0, after = 0;
  CHECK_CUDA(cudaMemGetInfo(&free, &total));
  void *memory = nullptr;
  for (size_t bytes : {total + 1, size_t(1) << 50, ~size_t(0)}) {
    CHECK_EQ(cudaMalloc(&memory, bytes), cudaErrorMemoryAllocation);
    CHECK_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    CHECK_EQ(cudaGetLastError(), cudaSuccess);
  }
  size_t pitch = 0;
  CHECK_EQ(cudaMallocPitch(&memory, &pitch, 1 << 20, size_t(1) << 30), cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaMemGetInfo(&after, &total));
  CHECK_EQ(after, free);
  CHECK_CUDA(cudaMalloc(&memory, 1 << 20));
  CHECK_CUDA(cudaFree(memory));
  RETURN_RESULT();
}
