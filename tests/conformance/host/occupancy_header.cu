// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda_occupancy.h, which computes with figures only, says what the runtime says.
#include "check.h"

#include <cuda_occupancy.h>

__global__ void __launch_bounds__(512) tile(float *to) {
  __shared__ float memory[1000];
  memory[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = memory[511 - threadIdx.x];
}

int main() {
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, tile));
  const cudaOccDeviceProp device = properties;
  const cudaOccFuncAttributes function = attributes;
  const cudaOccDeviceState state;
  for (int threads : {1, 32, 33, 96, 128, 256, 500, 512})
    for (size_t dynamic : {size_t(0), size_t(1000), size_t(20000), size_t(40000)}) {
      int blocks = -1;
      CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tile, threads, dynamic));
      cudaOccResult result;
      CHECK_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, threads,
                                                       dynamic),
               CUDA_OCC_SUCCESS);
      CHECK_EQ(result.activeBlocksPerMultiprocessor, blocks);
    }
  int grid = 0, block = 0, expected_grid = 0, expected_block = 0;
  CHECK_EQ(
      cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &function, &state, nullptr, 0),
      CUDA_OCC_SUCCESS);
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&expected_grid, &expected_block, tile));
  CHECK_EQ(grid, expected_grid);
  CHECK_EQ(block, expected_block);
  CHECK_EQ(
      cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, nullptr, &function, &state, nullptr, 0),
      CUDA_OCC_ERROR_INVALID_INPUT);
  RETURN_RESULT();
}
