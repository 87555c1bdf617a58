// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of group, and every function of one, in the ways that programs write them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <utility>

namespace cg = cooperative_groups;

struct Record {
  double a;
  char b;
  short c[3];
};

// A function that takes any group sees it as a thread_group.
__device__ int sumInShared(cg::thread_group group, int *scratch, int value) {
  const int rank = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < i)
      value += scratch[rank + i];
    group.sync();
  }
  return value;
}

template <unsigned Size> __device__ int sumInTile(cg::thread_block_tile<Size> tile, int value) {
  for (int i = tile.size() / 2; i > 0; i /= 2)
    value += tile.shfl_down(value, i);
  return value;
}

template <typename Group> __device__ float sum(const Group &group, float value) {
  return cg::reduce(group, value, cg::plus<float>());
}

__device__ int appendAggregated(int *counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int before = 0;
  if (active.thread_rank() == 0)
    before = atomicAdd(counter, (int)active.size());
  return active.shfl(before, 0) + active.thread_rank();
}

__global__ void blocksAndGrid(int *out, const float *in) {
  extern __shared__ int scratch[];
  __shared__ float tile[256];
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  cg::memcpy_async(block, tile, in, sizeof(float) * 256);
  cg::wait(block);
  cg::memcpy_async(block, tile, 256, in, 100);
  cg::wait_prior<1>(block);
  cg::thread_group sixteen = cg::tiled_partition(block, 16);
  cg::thread_group four = cg::tiled_partition(sixteen, 4);
  int value = sumInShared(block, scratch, out[block.thread_rank()]) +
              sumInShared(sixteen, scratch, 3) + sumInShared(four, scratch, (int)tile[3]) +
              sumInShared(grid, scratch, 1);
  cg::invoke_one(block, [&] { out[3] = 1; });
  cg::sync(block);
  cg::sync(grid);
  if (grid.is_valid())
    grid.sync();
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  auto grid_token = grid.barrier_arrive();
  grid.barrier_wait(std::move(grid_token));
  cg::thread_block::sync();
  const dim3 index = block.group_index(), size = block.group_dim(), thread = block.thread_index();
  out[grid.thread_rank()] = value + cg::thread_rank(block) + cg::group_size(grid) +
                            grid.num_blocks() + grid.block_rank() + grid.dim_blocks().x +
                            grid.block_index().y + grid.size() + index.x + size.y + thread.z +
                            cg::this_thread().size() + block.dim_threads().x;
}

__global__ void withinAWarp(int *out, float *f) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto four = cg::tiled_partition<4>(warp);
  cg::thread_block_tile<32> plain = warp;
  cg::thread_block_tile<32, cg::thread_block> full =
      cg::tiled_partition<32, cg::thread_block>(block);
  int value = out[warp.thread_rank()];
  value += sumInTile<32>(warp, value) + sumInTile<4>(four, value) + sumInTile(plain, value);
  f[0] = sum(warp, f[1]) + sum(cg::coalesced_threads(), f[2]) + sum(full, f[3]) +
         cg::reduce(cg::coalesced_threads(), f[2], cg::greater<float>()) +
         cg::reduce(four, f[3], cg::less<float>());
  value += cg::reduce(warp, value, cg::bit_and<int>()) |
           cg::reduce(warp, value, cg::bit_or<int>()) |
           cg::reduce(warp, value, cg::bit_xor<int>()) |
           (int)cg::reduce(warp, (double)value, [](double a, double b) { return a * b; });
  if (value & 1)
    value += appendAggregated(out);
  Record record{};
  record.c[1] = value;
  value += warp.shfl(record, 3).c[1] + four.shfl_xor(record, 1).b;
  auto labeled = cg::labeled_partition(warp, value % 3);
  auto labeled_again = cg::labeled_partition(labeled, value % 2);
  auto binary = cg::binary_partition(cg::coalesced_threads(), value > 2);
  auto binary_tile = cg::binary_partition(four, value > 2);
  cg::coalesced_group pairs = cg::tiled_partition(cg::coalesced_threads(), 2);
  pairs.sync();
  value += cg::inclusive_scan(warp, value) + cg::exclusive_scan(labeled, value, cg::plus<int>()) +
           cg::inclusive_scan(labeled, value, cg::greater<int>()) + cg::exclusive_scan(four, value);
  value += labeled.meta_group_rank() + labeled.meta_group_size() + binary.size() +
           labeled_again.num_threads() + binary_tile.thread_rank() + four.meta_group_size() +
           four.meta_group_rank() + warp.meta_group_rank() + plain.meta_group_size();
  int same = 0;
  value += four.match_any(value) + warp.match_all(value, same) + labeled.match_any(value) +
           labeled.match_all((long long)value, same) + same;
  value += labeled.ballot(value) + warp.ballot(value) + four.any(value) + four.all(value) +
           labeled.any(value) + labeled.all(value) + labeled.shfl_up(value, 1) +
           labeled.shfl_down(value, 2) + warp.shfl_up(value, 1);
  value += cg::invoke_one_broadcast(
               warp, [&](int n) { return n + 1; }, value) +
           cg::invoke_one_broadcast(labeled, [&] { return 2; });
  static_assert(decltype(four)::size() == 4 && decltype(warp)::num_threads() == 32, "constant");
  out[warp.thread_rank()] = value;
}

void launch(int *out, float *f) {
  blocksAndGrid<<<1, 256, 1024>>>(out, f);
  withinAWarp<<<1, 64>>>(out, f);
}
