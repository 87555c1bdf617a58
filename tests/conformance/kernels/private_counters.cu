// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters in shared memory that belong to one thread each: it adds to one of a row of them, whose
// number it reads, or takes from it the place where it writes; of all sizes, and in divergent code.
#include "check.h"
#include <algorithm>

constexpr int THREADS = 64, BLOCKS = 5, COUNTERS = 12, KEYS = 9, N = THREADS * BLOCKS * KEYS - 100;

// Counts the keys of each thread, by weights.
template <class T> __global__ void count(T *out, const unsigned *keys, int n) {
  __shared__ T counters[COUNTERS * THREADS];
  for (int c = 0; c < COUNTERS; ++c)
    counters[c * THREADS + threadIdx.x] = T(c);
  const int first = (blockIdx.x * THREADS + threadIdx.x) * KEYS;
  for (int k = 0; k < KEYS; ++k)
    if (first + k < n) {
      const unsigned key = keys[first + k];
      counters[key % COUNTERS * THREADS + threadIdx.x] += T(key % 7);
      if (key & 1024)
        counters[(key >> 4) % COUNTERS * THREADS + threadIdx.x] *= T(2);
    }
  for (int c = 0; c < COUNTERS; ++c)
    out[(blockIdx.x * COUNTERS + c) * THREADS + threadIdx.x] = counters[c * THREADS + threadIdx.x];
}

template <class T> void testCount(const std::vector<unsigned> &keys) {
  DeviceBuffer<T> out(BLOCKS * COUNTERS * THREADS);
  DeviceBuffer<unsigned> in(keys);
  count<T><<<BLOCKS, THREADS>>>(out.data(), in.data(), N);
  const std::vector<T> found = out.download();
  for (int thread = 0; thread < BLOCKS * THREADS; ++thread) {
    T counters[COUNTERS];
    for (int c = 0; c < COUNTERS; ++c)
      counters[c] = T(c);
    for (int i = thread * KEYS; i < (thread + 1) * KEYS && i < N; ++i) {
      counters[keys[i] % COUNTERS] += T(keys[i] % 7);
      if (keys[i] & 1024)
        counters[(keys[i] >> 4) % COUNTERS] *= T(2);
    }
    for (int c = 0; c < COUNTERS; ++c)
      CHECK_EQ(found[(thread / THREADS * COUNTERS + c) * THREADS + thread % THREADS], counters[c]);
  }
}

// Each thread orders its keys: a stable sort by their remainders.
__global__ void order(unsigned *out, const unsigned *keys, int n) {
  __shared__ unsigned short next[COUNTERS * THREADS];
  __shared__ unsigned ordered[KEYS * THREADS];
  const int first = (blockIdx.x * THREADS + threadIdx.x) * KEYS;
  for (int c = 0; c < COUNTERS; ++c)
    next[c * THREADS + threadIdx.x] = 0;
  for (int k = 0; k < KEYS; ++k)
    if (first + k < n)
      ++next[keys[first + k] % COUNTERS * THREADS + threadIdx.x];
  unsigned short sum = threadIdx.x * KEYS;
  for (int c = 0; c < COUNTERS; ++c) {
    const unsigned short of_this = next[c * THREADS + threadIdx.x];
    next[c * THREADS + threadIdx.x] = sum;
    sum += of_this;
  }
  for (int k = 0; k < KEYS; ++k)
    if (first + k < n)
      ordered[next[keys[first + k] % COUNTERS * THREADS + threadIdx.x]++] = keys[first + k];
  for (int k = 0; k < KEYS; ++k)
    if (first + k < n)
      out[first + k] = ordered[threadIdx.x * KEYS + k];
}

int main() {
  std::vector<unsigned> keys(N);
  for (int i = 0; i < N; ++i)
    keys[i] = unsigned(i) * 2654435761u >> 9;
  testCount<unsigned char>(keys);
  testCount<short>(keys);
  testCount<int>(keys);
  testCount<float>(keys);
  testCount<double>(keys);
  DeviceBuffer<unsigned> in(keys), out(N);
  order<<<BLOCKS, THREADS>>>(out.data(), in.data(), N);
  const std::vector<unsigned> found = out.download();
  for (int first = 0; first < N; first += KEYS) {
    const int end = std::min(N, first + KEYS);
    std::vector<unsigned> expected(keys.begin() + first, keys.begin() + end);
    std::stable_sort(expected.begin(), expected.end(),
                     [](unsigned a, unsigned b) { return a % COUNTERS < b % COUNTERS; });
    for (int i = first; i < end; ++i)
      CHECK_EQ(found[i], expected[i - first]);
  }
  RETURN_RESULT();
}
