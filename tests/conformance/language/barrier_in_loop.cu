// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in loops and in branches that are uniform for the block, in called functions and with
// a trip count known only at run time.
#include "check.h"

__device__ int exchange(int *shared, int value) {
  shared[threadIdx.x] = value;
  __syncthreads();
  const int result = shared[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  return result;
}

__global__ void loopWithBarriers(int *out, int rounds) {
  __shared__ int shared[160];
  const int t = threadIdx.x;
  int value = t;
  for (int round = 0; round < rounds; ++round) {
    if (round % 2 == int(blockIdx.x) % 2) // the same for all threads of the block
      value = exchange(shared, value) + 1;
    else
      value += 10;
    while (__syncthreads_or(value < round * 3)) // until every thread has caught up
      ++value;
  }
  out[blockIdx.x * blockDim.x + t] = value;
}

static std::vector<int> simulate(int block, int threads, int rounds) {
  std::vector<int> values(threads);
  for (int t = 0; t < threads; ++t)
    values[t] = t;
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> next(threads);
    for (int t = 0; t < threads; ++t)
      next[t] = round % 2 == block % 2 ? values[threads - 1 - t] + 1 : values[t] + 10;
    values = next;
    auto behind = [&] {
      for (int value : values)
        if (value < round * 3)
          return true;
      return false;
    };
    while (behind())
      for (int &value : values)
        ++value;
  }
  return values;
}

int main() {
  const int threads = 160, blocks = 3, rounds = 9;
  DeviceBuffer<int> out(blocks * threads);
  loopWithBarriers<<<blocks, threads>>>(out, rounds);
  const std::vector<int> result = out.download();
  for (int block = 0; block < blocks; ++block) {
    const std::vector<int> expected = simulate(block, threads, rounds);
    for (int t = 0; t < threads; ++t)
      CHECK_EQ(result[block * threads + t], expected[t]);
  }
  RETURN_RESULT();
}
