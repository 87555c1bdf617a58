// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane of a warp does something for all and hands out the result, in a variable that the others
// have not set. That is how the CUDA guide's and many programs' atomics by warps are written.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 256, blocks = 40;

// The place of each element that is kept, by one atomic a warp.
__global__ void compact(int *out, int *count, const int *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const bool kept = in[i] > 0;
  const unsigned lanes = __ballot_sync(~0u, kept);
  int first;
  if (lane == 0)
    first = atomicAdd(count, __popc(lanes));
  first = __shfl_sync(~0u, first, 0);
  if (kept)
    out[first + __popc(lanes & ((1u << lane) - 1))] = in[i];
}

// The same for the lanes that are active, whichever they are; the first of them is the leader.
__device__ int countOfActive(int *count) {
  const unsigned lanes = __activemask();
  const int leader = __ffs(int(lanes)) - 1, lane = threadIdx.x % 32;
  int first;
  if (lane == leader)
    first = atomicAdd(count, __popc(lanes));
  return __shfl_sync(lanes, first, leader) + __popc(lanes & ((1u << lane) - 1));
}

__global__ void compactActive(int *out, int *count, const int *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0)
    out[countOfActive(count)] = in[i];
}

// By a function of the program's own, for several types.
template <class T> __device__ T fromFirst(T value) { return __shfl_sync(~0u, value, 0); }

template <class T> __device__ T fromFirstOfGroup(cg::thread_block_tile<32> warp, T value) {
  return warp.shfl(value, 0);
}

template <class T> __global__ void handOut(T *out, T *counter, const T *in) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T ticket, other;
  if (warp.thread_rank() == 0) {
    ticket = in[i];
    atomicAdd(counter, T(1));
  }
  if (warp.thread_rank() == 0)
    other = in[i] * T(2);
  out[i] = fromFirst(ticket) + fromFirstOfGroup(warp, other);
}

// A pair, of which each half is set by another lane.
struct Pair {
  int low, high;
};

__global__ void fromTwoLanes(int *out, int *counter, int *limit) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  Pair pair;
  if (threadIdx.x % 32 == 3)
    pair.low = atomicMax(limit, 3) + int(blockIdx.x);
  if (threadIdx.x % 32 == 5)
    pair.high = atomicAdd(counter, 1) >= 0 ? 7 : 8;
  const int low = warp.shfl(pair, 3).low, high = warp.shfl(pair, 5).high;
  out[blockIdx.x * blockDim.x + threadIdx.x] = low * 1000 + high;
}

template <class Kernel> static void checkCompact(Kernel kernel) {
  std::vector<int> in(threads * blocks);
  long long sum = 0, kept = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = int(i * 37 % 101) - 60;
    if (in[i] > 0)
      sum += in[i], ++kept;
  }
  DeviceBuffer<int> device_in(in), out(std::vector<int>(in.size(), 0)), count(std::vector<int>{0});
  kernel<<<blocks, threads>>>(out.data(), count.data(), device_in.data());
  CHECK_EQ((long long)count.download()[0], kept);
  long long found = 0;
  const std::vector<int> items = out.download();
  for (std::size_t i = 0; i < items.size(); ++i) {
    CHECK_EQ(items[i] > 0, (long long)i < kept);
    found += items[i];
  }
  CHECK_EQ(found, sum);
}

template <class T> static void checkHandOut() {
  std::vector<T> in(threads * blocks);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = T(i * 3 + 1);
  DeviceBuffer<T> device_in(in), out(in), counter(std::vector<T>{T(0)});
  handOut<<<blocks, threads>>>(out.data(), counter.data(), device_in.data());
  CHECK_EQ(counter.download()[0], T(blocks * threads / 32));
  const std::vector<T> result = out.download();
  for (std::size_t i = 0; i < in.size(); ++i)
    CHECK_EQ(result[i], T(3) * in[i / 32 * 32]);
}

int main() {
  checkCompact(compact);
  checkCompact(compactActive);
  checkHandOut<int>();
  checkHandOut<unsigned>();
  checkHandOut<float>();
  checkHandOut<unsigned long long>();
  checkHandOut<double>();
  DeviceBuffer<int> out(std::vector<int>(threads * blocks, 0)), counter(std::vector<int>{0});
  DeviceBuffer<int> limit(std::vector<int>{5});
  fromTwoLanes<<<blocks, threads>>>(out.data(), counter.data(), limit.data());
  CHECK_EQ(counter.download()[0], blocks * threads / 32);
  const std::vector<int> pairs = out.download();
  for (int i = 0; i < threads * blocks; ++i)
    CHECK_EQ(pairs[i], (5 + i / threads) * 1000 + 7);
  RETURN_RESULT();
}
