// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of more than one warp: barriers, ranks, votes, values of one thread, reductions; tiles of
// tiles.
// flags: -arch=sm_80
// env: HEDDLE_GPU=a100
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <unsigned Size> __global__ void tiles(int *out) {
  __shared__ int values[512];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  const int i = block.thread_rank();
  int wrong = tile.size() != Size || tile.thread_rank() != i % Size;
  wrong |= (tile.meta_group_rank() != i / Size || tile.meta_group_size() != 512 / Size) << 1;
  // Only the tile waits: later tiles have more to do.
  for (unsigned round = 0; round <= tile.meta_group_rank(); ++round) {
    values[i] = i * 3 + round;
    tile.sync();
    const int other = i / Size * Size + (i + 33) % Size;
    wrong |= (values[other] != int(other * 3 + round)) << 2;
    tile.sync();
  }
  wrong |= (tile.shfl(i * 7, Size / 2 + 1) != int(i / Size * Size + Size / 2 + 1) * 7) << 3;
  wrong |= (tile.any(i % 512 == 300) != (300 / Size == i / Size)) << 4;
  wrong |= (tile.all(i != 300) != (300 / Size != i / Size)) << 5;
  const int first = i / Size * Size;
  wrong |= (cg::reduce(tile, i, cg::plus<int>()) != int(first * Size + Size * (Size - 1) / 2)) << 6;
  wrong |= (cg::reduce(tile, (i * 37) % 512, cg::greater<int>()) < 0) << 7;
  auto small = cg::tiled_partition<32>(tile);
  wrong |= (small.meta_group_rank() != i % Size / 32 || small.meta_group_size() != Size / 32) << 8;
  wrong |= (cg::reduce(small, 1, cg::plus<int>()) != 32) << 9;
  out[i] = wrong;
}

// As programs for older GPUs give memory for it.
__global__ void withMemory(int *out) {
  __shared__ cg::block_tile_memory<512> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<256>(block);
  out[block.thread_rank()] = cg::reduce(tile, 2, cg::plus<int>());
}

int main() {
  DeviceBuffer<int> out(512);
  for (int size : {64, 256}) {
    if (size == 64)
      tiles<64><<<1, 512>>>(out);
    else
      tiles<256><<<1, 512>>>(out);
    for (int wrong : out.download())
      CHECK_EQ(wrong, 0);
  }
  withMemory<<<1, 512>>>(out);
  for (int sum : out.download())
    CHECK_EQ(sum, 512);
  RETURN_RESULT();
}
