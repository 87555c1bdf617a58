// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block size for a kernel whose dynamic shared memory depends on it, and a launch with it.
#include "check.h"

extern __shared__ int buffer[];

__global__ void reverse(int *data) {
  int *mine = data + blockIdx.x * blockDim.x;
  for (int copy = 0; copy < 16; ++copy) // 64 bytes a thread
    buffer[copy * blockDim.x + threadIdx.x] = mine[threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = buffer[15 * blockDim.x + blockDim.x - 1 - threadIdx.x];
}

static size_t sharedFor(int threads) { return threads * 16 * sizeof(int); }

int main() {
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  int grid = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, reverse, sharedFor));
  CHECK(block >= 32 && sharedFor(block) <= properties.sharedMemPerBlock);
  int active = 0;
  CHECK_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, reverse, block, sharedFor(block)));
  CHECK_EQ(grid, active * properties.multiProcessorCount);

  int limitedGrid = 0, limited = 0;
  auto callable = [](int threads) { return sharedFor(threads); };
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&limitedGrid, &limited, reverse,
                                                            callable, 128));
  CHECK(limited <= 128);

  std::vector<int> values(2 * block);
  for (int i = 0; i < 2 * block; ++i)
    values[i] = i;
  DeviceBuffer<int> data(values);
  reverse<<<2, block, sharedFor(block)>>>(data);
  const std::vector<int> result = data.download();
  for (int i = 0; i < 2 * block; ++i)
    CHECK_EQ(result[i], i < block ? block - 1 - i : 3 * block - 1 - i);
  RETURN_RESULT();
}
