// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of at most sixteen kinds in shared memory: of all threads or some, with other values
// than one, in arrays that are shorter than the kinds that an index could have, and in blocks of
// several shapes. What lies beside the counters stays as it is.
#include "check.h"

#include <cstdint>

constexpr int blocks = 3, guard_elements = 20;

struct Counted {
  uint32_t before[guard_elements], counts[16], behind[guard_elements];
};

__device__ int threadOfBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

// Elements beside the counters are 7.
__device__ void setUp(Counted &counted) {
  auto *all = reinterpret_cast<uint32_t *>(&counted);
  const int size = sizeof(Counted) / 4, threads = blockDim.x * blockDim.y * blockDim.z;
  for (int i = threadOfBlock(); i < size; i += threads)
    all[i] = i >= guard_elements && i < guard_elements + 16 ? 0 : 7;
}

enum Way { Ones, Values, Differences, Some, Many, Halves };

// The way is the same for all threads.
__device__ void countOne(Counted &counted, uint32_t key, uint32_t value, Way way, uint32_t own) {
  switch (way) {
  case Ones:
    atomicAdd(&counted.counts[key & 15], 1u);
    break;
  case Values:
    atomicAdd(&counted.counts[key & 15], value);
    break;
  case Differences:
    atomicSub(&counted.counts[key & 15], value);
    break;
  case Some:
    if (own % 3 != 1)
      atomicAdd(&counted.counts[key & 15], 1u);
    break;
  case Many: // of one kind, so that counters of few bits would overflow
    atomicAdd(&counted.counts[key >> 28 & 8], 1u);
    break;
  case Halves: // the index begins within the counters
    atomicAdd(&counted.counts[8 + (key & 7)], value);
    break;
  }
}

__global__ void histogram(Counted *out, const uint32_t *keys, uint32_t value, int way) {
  __shared__ Counted counted;
  setUp(counted);
  __syncthreads();
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int i = blockIdx.x * threads + threadOfBlock();
  for (int round = 0; round < 4; ++round)
    countOne(counted, keys[i] >> 4 * round, value, Way(way), keys[i]);
  __syncthreads();
  if (threadOfBlock() == 0)
    out[blockIdx.x] = counted;
}

// At the end of shared memory, in an array that is as short as its kinds really are.
__global__ void shortArray(uint32_t *out, const uint32_t *kinds) {
  extern __shared__ uint32_t counts[];
  if (threadIdx.x < 3)
    counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[kinds[blockIdx.x * blockDim.x + threadIdx.x] & 15], 2u);
  __syncthreads();
  if (threadIdx.x < 3)
    out[blockIdx.x * 3 + threadIdx.x] = counts[threadIdx.x];
}

static void expectCounts(const Counted &counted, const std::vector<uint32_t> &keys, uint32_t value,
                         Way way) {
  uint32_t expected[16] = {};
  for (const uint32_t own : keys)
    for (int round = 0; round < 4; ++round) {
      const uint32_t key = own >> 4 * round;
      if (way == Many)
        ++expected[key >> 28 & 8];
      else if (way == Halves)
        expected[8 + (key & 7)] += value;
      else if (way != Some || own % 3 != 1)
        expected[key & 15] += way == Values ? value : way == Differences ? -value : 1;
    }
  for (int i = 0; i < 16; ++i)
    CHECK_EQ(counted.counts[i], expected[i]);
  for (int i = 0; i < guard_elements; ++i) {
    CHECK_EQ(counted.before[i], 7u);
    CHECK_EQ(counted.behind[i], 7u);
  }
}

static void checkBlocks(dim3 block) {
  const int threads = block.x * block.y * block.z;
  std::vector<uint32_t> keys(threads * blocks);
  uint32_t state = 12345;
  for (uint32_t &key : keys)
    key = (state = state * 1664525u + 1013904223u) >> 7;
  const DeviceBuffer<uint32_t> in(keys);
  DeviceBuffer<Counted> out(blocks);
  for (int way = Ones; way <= Halves; ++way) {
    histogram<<<blocks, block>>>(out, in, 0x10000001u, way);
    const auto result = out.download();
    for (int b = 0; b < blocks; ++b)
      expectCounts(result[b], {keys.begin() + b * threads, keys.begin() + (b + 1) * threads},
                   0x10000001u, Way(way));
  }
}

static void checkShortArray(int threads) {
  std::vector<uint32_t> kinds(threads * blocks);
  for (size_t i = 0; i < kinds.size(); ++i)
    kinds[i] = uint32_t(i * i) % 3;
  const DeviceBuffer<uint32_t> in(kinds);
  DeviceBuffer<uint32_t> out(blocks * 3);
  shortArray<<<blocks, threads, 3 * sizeof(uint32_t)>>>(out, in);
  const auto result = out.download();
  for (int b = 0; b < blocks; ++b)
    for (uint32_t kind = 0; kind < 3; ++kind) {
      uint32_t expected = 0;
      for (int t = 0; t < threads; ++t)
        expected += kinds[b * threads + t] == kind ? 2 : 0;
      CHECK_EQ(result[b * 3 + kind], expected);
    }
}

int main() {
  for (const dim3 block : {dim3(256), dim3(64), dim3(100), dim3(7), dim3(16, 16), dim3(8, 8, 4),
                           dim3(32, 3), dim3(1024)})
    checkBlocks(block);
  for (const int threads : {32, 256, 50})
    checkShortArray(threads);
  RETURN_RESULT();
}
