// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction by warp shuffles and by cooperative-groups tiles: fails if a shuffle reads the wrong
// lane or a tile's size is ignored.
#include "check.h"
#include "random_floats.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ float sumOfWarp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void byShuffle(const float *in, float *out, int n) {
  __shared__ float ofWarps[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = sumOfWarp(sum);
  if (lane == 0)
    ofWarps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = sumOfWarp(lane < blockDim.x / 32 ? ofWarps[lane] : 0);
    if (lane == 0)
      out[blockIdx.x] = sum;
  }
}

__global__ void byTiles(const float *in, float *out, int n) {
  __shared__ float ofTiles[64];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0)
    ofTiles[block.thread_rank() / 16] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    float total = 0;
    for (int i = 0; i < block.size() / 16; ++i)
      total += ofTiles[i];
    out[blockIdx.x] = total;
  }
}

int main() {
  const int n = 1 << 18, blocks = 32;
  const std::vector<float> values = randomFloats(n);
  const double expected = sumOf(values);
  DeviceBuffer<float> in(values), partial(blocks), total(1);
  byShuffle<<<blocks, 256>>>(in, partial, n);
  byShuffle<<<1, 64>>>(partial, total, blocks);
  CHECK_NEAR(total.download()[0], expected, 1e-5 * expected);
  byTiles<<<blocks, 256>>>(in, partial, n);
  byTiles<<<1, 64>>>(partial, total, blocks);
  CHECK_NEAR(total.download()[0], expected, 1e-5 * expected);
  RETURN_RESULT();
}
