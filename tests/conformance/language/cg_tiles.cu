// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups tiles of 32, 16, 8, 4, 2 and 1 threads: rank, meta group, shuffles, votes,
// match and sync stay within the tile.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int size> __global__ void useTile(int *out) {
  const cg::thread_block_tile<size> tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int t = threadIdx.x;
  int *own = out + 12 * t;
  own[0] = tile.thread_rank();
  own[1] = tile.size();
  own[2] = tile.meta_group_rank();
  own[3] = tile.meta_group_size();
  own[4] = tile.shfl(t, size - 1);
  own[5] = tile.shfl_down(t, 1);
  own[6] = tile.shfl_up(t, 1);
  own[7] = tile.shfl_xor(t, size / 2);
  own[8] = tile.ballot(t % 2 == 0);
  own[9] = tile.any(t == 40) + 2 * tile.all(t < 40);
  own[10] = tile.match_any(t % 4 < 2);
  int sum = t;
  for (int offset = size / 2; offset > 0; offset /= 2) {
    sum += tile.shfl_down(sum, offset);
    tile.sync();
  }
  own[11] = tile.shfl(sum, 0);
}

template <int size> static void checkSize() {
  const int threads = 96;
  DeviceBuffer<int> out(12 * threads);
  useTile<size><<<1, threads>>>(out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < threads; ++t) {
    const int rank = t % size, first = t - rank, *own = &result[12 * t];
    int ballot = 0, match = 0, sum = 0;
    for (int i = 0; i < size; ++i) {
      ballot |= ((first + i) % 2 == 0) << i;
      match |= ((first + i) % 4 < 2) == (t % 4 < 2) ? 1 << i : 0;
      sum += first + i;
    }
    CHECK_EQ(own[0], rank);
    CHECK_EQ(own[1], size);
    CHECK_EQ(own[2], t / size);
    CHECK_EQ(own[3], threads / size);
    CHECK_EQ(own[4], first + size - 1);
    CHECK_EQ(own[5], rank == size - 1 ? t : t + 1);
    CHECK_EQ(own[6], rank == 0 ? t : t - 1);
    CHECK_EQ(own[7], first + (rank ^ size / 2));
    CHECK_EQ(own[8], ballot);
    CHECK_EQ(own[9], (first <= 40 && 40 < first + size) + 2 * (first + size <= 40));
    CHECK_EQ(own[10], match);
    CHECK_EQ(own[11], sum);
  }
}

int main() {
  checkSize<32>();
  checkSize<16>();
  checkSize<8>();
  checkSize<4>();
  checkSize<2>();
  checkSize<1>();
  RETURN_RESULT();
}
