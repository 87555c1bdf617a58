// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The occupancy calls on a Tesla T4 (1024 threads, 16 blocks, 64 KiB shared memory and 65536
// registers a multiprocessor) give what the published calculator gives.
// env: HEDDLE_GPU=t4
// hardware: skip asks for a T4
#include "check.h"

__global__ void light(int *out) { *out = threadIdx.x; }

__global__ void staticShared(int *out) {
  __shared__ int tile[4096]; // 16 KiB
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  *out = tile[threadIdx.x ^ 1];
}

static int activeBlocks(const void *kernel, int threads, size_t dynamicShared) {
  int blocks = -1;
  CHECK_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamicShared));
  return blocks;
}

int main() {
  const struct {
    int threads;
    size_t shared;
    int blocks;
  } expected[] = {
      {32, 0, 16},    {33, 0, 16},    {64, 0, 16},    {65, 0, 10},    {96, 0, 10},
      {128, 0, 8},    {192, 0, 5},    {256, 0, 4},    {512, 0, 2},    {513, 0, 1},
      {768, 0, 1},    {1024, 0, 1},   {64, 4096, 16}, {64, 4097, 15}, {128, 16384, 4},
      {64, 20000, 3}, {64, 32768, 2}, {64, 32769, 1}, {64, 49152, 1},
  };
  for (const auto &row : expected)
    CHECK_EQ(activeBlocks((const void *)light, row.threads, row.shared), row.blocks);
  CHECK_EQ(activeBlocks((const void *)staticShared, 128, 0), 4);
  CHECK_EQ(activeBlocks((const void *)staticShared, 128, 16384), 2);

  int grid = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, light, 0, 0));
  CHECK_EQ(block, 1024);
  CHECK_EQ(grid, 40);
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, light, 0, 256));
  CHECK_EQ(block, 256);
  CHECK_EQ(grid, 4 * 40);
  size_t shared = 0;
  CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, light, 2, 64));
  CHECK_EQ(shared, 32768);
  RETURN_RESULT();
}
