// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups coalesced_threads in a divergent branch: rank among the active lanes,
// shuffles and the warp-aggregated atomic; also binary and labelled partitions of a tile.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int addAggregated(int *counter) {
  const cg::coalesced_group active = cg::coalesced_threads();
  int before = 0;
  if (active.thread_rank() == 0)
    before = atomicAdd(counter, int(active.size()));
  return active.shfl(before, 0) + active.thread_rank();
}

__global__ void filter(const int *in, int *out, int *counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0)
    out[addAggregated(counter)] = in[i];
}

__global__ void partitions(int *out) {
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = warp.thread_rank();
  const cg::coalesced_group half = cg::binary_partition(warp, lane < 12);
  const cg::coalesced_group labelled = cg::labeled_partition(warp, lane % 5);
  out[4 * lane] = half.size();
  out[4 * lane + 1] = half.thread_rank();
  out[4 * lane + 2] = labelled.size();
  out[4 * lane + 3] = labelled.shfl(lane, 0);
}

int main() {
  const int n = 1000;
  std::vector<int> values(n);
  long long expected = 0;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = i * 7;
    if (values[i] % 3 == 0) {
      expected += values[i];
      ++count;
    }
  }
  DeviceBuffer<int> in(values), out(n), counter(1), groups(128);
  filter<<<8, 128>>>(in, out, counter, n);
  CHECK_EQ(counter.download()[0], count);
  long long sum = 0;
  for (int value : out.download())
    sum += value;
  CHECK_EQ(sum, expected);
  partitions<<<1, 32>>>(groups);
  const std::vector<int> result = groups.download();
  for (int lane = 0; lane < 32; ++lane) {
    CHECK_EQ(result[4 * lane], lane < 12 ? 12 : 20);
    CHECK_EQ(result[4 * lane + 1], lane < 12 ? lane : lane - 12);
    CHECK_EQ(result[4 * lane + 2], lane % 5 < 2 ? 7 : 6);
    CHECK_EQ(result[4 * lane + 3], lane % 5);
  }
  RETURN_RESULT();
}
