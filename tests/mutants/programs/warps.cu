// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work of single warps in shared memory, with nothing but __syncwarp() and the synchronisation of
// tiles.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
const int threads = 128;

__global__ void reverse(const int *in, int *out) {
  __shared__ int values[threads];
  const int lane = threadIdx.x % 32, first = threadIdx.x - lane;
  values[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = values[first + 31 - lane];
}

__global__ void scan(const int *in, int *out) {
  __shared__ int values[threads];
  const int lane = threadIdx.x % 32;
  values[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = lane >= distance ? values[threadIdx.x - distance] : 0;
    __syncwarp();
    values[threadIdx.x] += before;
    __syncwarp();
  }
  out[threadIdx.x] = values[threadIdx.x];
}

__global__ void tiles(const int *in, int *out) {
  __shared__ int values[threads];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int rank = tile.thread_rank(), first = threadIdx.x - rank;
  values[threadIdx.x] = in[threadIdx.x];
  tile.sync();
  for (int half = 8; half > 0; half /= 2) {
    if (rank < half)
      values[threadIdx.x] += values[threadIdx.x + half];
    tile.sync();
  }
  out[threadIdx.x] = values[first];
}

// The first lane of each warp says what the others are to do.
__global__ void orders(const int *in, int *out) {
  __shared__ int factor[threads / 32];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0)
    factor[warp] = in[warp];
  __syncwarp();
  out[threadIdx.x] = factor[warp] * int(threadIdx.x);
}

int main() {
  std::vector<int> input(threads);
  for (int i = 0; i < threads; ++i)
    input[i] = 3 * i + 1;
  DeviceBuffer<int> in(input), out(threads);
  reverse<<<1, threads>>>(in, out);
  auto result = out.download();
  for (int i = 0; i < threads; ++i)
    CHECK_EQ(result[i], input[i / 32 * 32 + 31 - i % 32]);
  scan<<<1, threads>>>(in, out);
  result = out.download();
  for (int i = 0, sum = 0; i < threads; ++i) {
    sum = input[i] + (i % 32 ? sum : 0);
    CHECK_EQ(result[i], sum);
  }
  tiles<<<1, threads>>>(in, out);
  result = out.download();
  for (int i = 0; i < threads; ++i) {
    int sum = 0;
    for (int j = i / 16 * 16; j < i / 16 * 16 + 16; ++j)
      sum += input[j];
    CHECK_EQ(result[i], sum);
  }
  orders<<<1, threads>>>(in, out);
  result = out.download();
  for (int i = 0; i < threads; ++i)
    CHECK_EQ(result[i], input[i / 32] * i);
  RETURN_RESULT();
}
