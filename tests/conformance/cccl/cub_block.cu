// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's algorithms of a block and of a warp, each against a plain loop on the host.
#include "algorithms.h"

#include <algorithm>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <numeric>

constexpr int threads = 128, items = 4, tile = threads * items;

struct Less {
  template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
struct Differ {
  __device__ bool operator()(int a, int b) const { return a != b; }
};

// Sorted by digits, loaded and stored through shared memory.
__global__ void sort(const int *in, int *out, int n) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, threads, items>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Store::TempStorage store;
  } shared;
  int mine[items];
  Load(shared.load).Load(cub::CacheModifiedInputIterator<cub::LOAD_LDG, int>(in), mine, n, 1 << 30);
  __syncthreads();
  Sort(shared.sort).Sort(mine);
  __syncthreads();
  Store(shared.store).Store(out, mine, n);
}

__global__ void mergeSort(const int *in, int *out) {
  using Sort = cub::BlockMergeSort<int, threads, items>;
  __shared__ typename Sort::TempStorage shared;
  int mine[items];
  cub::LoadDirectBlocked(threadIdx.x, in, mine);
  Sort(shared).StableSort(mine, Less());
  cub::StoreDirectBlocked(threadIdx.x, out, mine);
}

template <cub::BlockScanAlgorithm Algorithm>
__global__ void scan(const int *in, int *out, int *total) {
  using Scan = cub::BlockScan<int, threads, Algorithm>;
  __shared__ typename Scan::TempStorage shared;
  int mine[items], all;
  cub::LoadDirectBlocked(threadIdx.x, in, mine);
  Scan(shared).ExclusiveSum(mine, mine, all);
  cub::StoreDirectBlocked(threadIdx.x, out, mine);
  total[threadIdx.x] = all;
}

template <cub::BlockReduceAlgorithm Algorithm> __global__ void reduce(const int *in, int *out) {
  using Reduce = cub::BlockReduce<int, threads, Algorithm>;
  __shared__ typename Reduce::TempStorage shared;
  int mine[items];
  cub::LoadDirectStriped<threads>(threadIdx.x, in, mine);
  const int sum = Reduce(shared).Sum(mine);
  if (threadIdx.x == 0)
    *out = sum;
}

// From blocked to striped, the heads of runs, and a histogram.
__global__ void others(const int *in, int *striped, int *heads, unsigned *histogram) {
  using Exchange = cub::BlockExchange<int, threads, items>;
  using Heads = cub::BlockDiscontinuity<int, threads>;
  using Histogram = cub::BlockHistogram<unsigned char, threads, items, 16>;
  __shared__ typename Exchange::TempStorage exchange;
  __shared__ typename Heads::TempStorage discontinuity;
  __shared__ typename Histogram::TempStorage counts;
  __shared__ unsigned bins[16];
  int mine[items], flags[items];
  cub::LoadDirectBlocked(threadIdx.x, in, mine);
  Heads(discontinuity).FlagHeads(flags, mine, Differ());
  cub::StoreDirectBlocked(threadIdx.x, heads, flags);
  unsigned char small[items];
  for (int i = 0; i < items; ++i)
    small[i] = (unsigned char)(mine[i] & 15);
  Histogram(counts).Histogram(small, bins);
  __syncthreads();
  if (threadIdx.x < 16)
    histogram[threadIdx.x] = bins[threadIdx.x];
  Exchange(exchange).BlockedToStriped(mine, mine);
  cub::StoreDirectBlocked(threadIdx.x, striped, mine);
}

// Warps by themselves; `Lanes` of one, or groups of fewer.
template <int Lanes> __global__ void warps(const int *in, int *sums, int *scans, int *sorted) {
  using Reduce = cub::WarpReduce<int, Lanes>;
  using Scan = cub::WarpScan<int, Lanes>;
  using Sort = cub::WarpMergeSort<int, 2, Lanes>;
  constexpr int groups = threads / Lanes;
  __shared__ typename Reduce::TempStorage reduce[groups];
  __shared__ typename Scan::TempStorage scan[groups];
  __shared__ typename Sort::TempStorage sort[groups];
  const int group = threadIdx.x / Lanes;
  const int value = in[threadIdx.x];
  const int sum = Reduce(reduce[group]).Sum(value);
  if (threadIdx.x % Lanes == 0)
    sums[group] = sum;
  int running;
  Scan(scan[group]).InclusiveSum(value, running);
  scans[threadIdx.x] = running;
  int mine[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  Sort(sort[group]).Sort(mine, Less());
  sorted[2 * threadIdx.x] = mine[0];
  sorted[2 * threadIdx.x + 1] = mine[1];
}

template <int Lanes> void checkWarps(const std::vector<int> &values, const Buffer<int> &in) {
  Buffer<int> sums(threads / Lanes), scans(threads), sorted(2 * threads);
  warps<Lanes><<<1, threads>>>(in.data(), sums.data(), scans.data(), sorted.data());
  std::vector<int> expected_scans(threads), expected(values.begin(), values.begin() + 2 * threads);
  for (int first = 0; first < threads; first += Lanes) {
    const auto begin = values.begin() + first;
    CHECK_EQ(sums.all()[first / Lanes], std::accumulate(begin, begin + Lanes, 0));
    std::partial_sum(begin, begin + Lanes, expected_scans.begin() + first);
    std::sort(expected.begin() + 2 * first, expected.begin() + 2 * (first + Lanes));
  }
  checkSame(scans.all(), expected_scans);
  checkSame(sorted.all(), expected);
}

int main() {
  const std::vector<int> values = smallValues<int>(tile, 500);
  const Buffer<int> in(values);
  Buffer<int> out(tile), total(threads);
  const int sum = std::accumulate(values.begin(), values.end(), 0);

  for (const int n : {tile, tile - 37}) {
    std::vector<int> sorted(values.begin(), values.begin() + n);
    std::sort(sorted.begin(), sorted.end());
    sort<<<1, threads>>>(in.data(), out.data(), n);
    checkSame(out.first(n), sorted);
  }
  std::vector<int> sorted = values, scanned(tile);
  std::sort(sorted.begin(), sorted.end());
  mergeSort<<<1, threads>>>(in.data(), out.data());
  checkSame(out.all(), sorted);

  std::exclusive_scan(values.begin(), values.end(), scanned.begin(), 0);
  scan<cub::BLOCK_SCAN_WARP_SCANS><<<1, threads>>>(in.data(), out.data(), total.data());
  checkSame(out.all(), scanned);
  CHECK_EQ(total.all()[threads - 1], sum);
  scan<cub::BLOCK_SCAN_RAKING><<<1, threads>>>(in.data(), out.data(), total.data());
  checkSame(out.all(), scanned);
  CHECK_EQ(total.all()[1], sum);
  reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, threads>>>(in.data(), out.data());
  CHECK_EQ(out.all()[0], sum);
  reduce<cub::BLOCK_REDUCE_RAKING><<<1, threads>>>(in.data(), out.data());
  CHECK_EQ(out.all()[0], sum);

  Buffer<int> heads(tile);
  Buffer<unsigned> histogram(16);
  others<<<1, threads>>>(in.data(), out.data(), heads.data(), histogram.data());
  std::vector<int> striped(tile), flags(tile);
  std::vector<unsigned> counts(16);
  for (int i = 0; i < tile; ++i) {
    striped[i] = values[i % items * threads + i / items];
    flags[i] = i == 0 || values[i] != values[i - 1];
    ++counts[values[i] & 15];
  }
  checkSame(out.all(), striped);
  checkSame(heads.all(), flags);
  checkSame(histogram.all(), counts);
  checkWarps<32>(values, in);
  checkWarps<8>(values, in);
  RETURN_RESULT();
}
