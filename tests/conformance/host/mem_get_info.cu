// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemGetInfo follows allocations: a large one takes its size from what is free, and freeing
// gives it back.
#include "check.h"

static size_t freeBytes() {
  size_t free = 0, total = 0;
  CHECK_CUDA(cudaMemGetInfo(&free, &total));
  CHECK(free <= total);
  return free;
}

int main() {
  CHECK_CUDA(cudaFree(0)); // starts the device
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  size_t free = 0, total = 0;
  CHECK_CUDA(cudaMemGetInfo(&free, &total));
  CHECK_EQ(total, properties.totalGlobalMem);
  CHECK(free > 0);
  const size_t large = size_t(512) << 20, slack = size_t(32) << 20;
  void *memory = nullptr;
  CHECK_CUDA(cudaMalloc(&memory, large));
  const size_t during = freeBytes();
  CHECK(during <= free - large + slack);
  CHECK(during >= free - large - slack);
  CHECK_CUDA(cudaFree(memory));
  CHECK(freeBytes() >= free - slack);
  RETURN_RESULT();
}
