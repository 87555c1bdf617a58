// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A T4's memory is full after as many gigabytes as a T4 has, however much the host has.
// env: HEDDLE_GPU=t4
// hardware: skip asks for a T4
#include "check.h"

int main() {
  std::vector<void *> blocks;
  cudaError_t error;
  void *memory = nullptr;
  while ((error = cudaMalloc(&memory, 1 << 30)) == cudaSuccess && blocks.size() < 100)
    blocks.push_back(memory);
  CHECK_EQ(error, cudaErrorMemoryAllocation);
  CHECK_EQ(blocks.size(), 14); // 15828320256 bytes
  CHECK_CUDA(cudaFree(blocks.back()));
  CHECK_CUDA(cudaMalloc(&blocks.back(), 1 << 30));
  for (void *block : blocks)
    CHECK_CUDA(cudaFree(block));
  RETURN_RESULT();
}
