// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the occupancy calls say fits together and with the device's limits, on any GPU.
#include "check.h"

extern __shared__ float tile[];

__global__ void scale(float *data) {
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = 2 * tile[blockDim.x - 1 - threadIdx.x];
}

static int activeBlocks(int threads, size_t shared) {
  int blocks = -1, withFlags = -1;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, threads, shared));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&withFlags, scale, threads,
                                                                    shared, cudaOccupancyDefault));
  CHECK_EQ(withFlags, blocks);
  return blocks;
}

int main() {
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  for (int threads = 32; threads <= properties.maxThreadsPerBlock; threads += 32) {
    const int blocks = activeBlocks(threads, 0);
    CHECK(blocks >= 1);
    CHECK(blocks * threads <= properties.maxThreadsPerMultiProcessor);
    CHECK(blocks <= properties.maxBlocksPerMultiProcessor);
  }
  int before = activeBlocks(128, 0);
  for (size_t shared = 1024; shared <= properties.sharedMemPerBlock; shared += 1024) {
    const int blocks = activeBlocks(128, shared);
    CHECK(blocks >= 1);
    CHECK(blocks <= before);
    CHECK(blocks * shared <= properties.sharedMemPerMultiprocessor);
    before = blocks;
  }

  int grid = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0));
  CHECK_EQ(block % 32, 0);
  CHECK(block >= 32 && block <= properties.maxThreadsPerBlock);
  CHECK_EQ(grid, activeBlocks(block, 0) * properties.multiProcessorCount);
  const int best = activeBlocks(block, 0) * block;
  for (int threads = 32; threads <= properties.maxThreadsPerBlock; threads += 32)
    CHECK(activeBlocks(threads, 0) * threads <= best);
  RETURN_RESULT();
}
