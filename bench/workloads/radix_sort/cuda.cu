// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight passes, each of which sorts by four more bits and keeps the order of keys that are equal in
// them. In a pass each block counts the digits of its tile of keys; a scan of the counts of all
// blocks, digit by digit, says where each block's keys of each digit go; then the blocks rank their
// keys and write them there.
#include "common/cuda.h"
#include "problem.h"

using std::uint32_t;

constexpr int THREADS = 256, DIGITS = 16, DIGIT_BITS = 4;
constexpr int KEYS = 8; // of a thread
constexpr int TILE = THREADS * KEYS;

__device__ int digitOf(uint32_t key, int shift) { return key >> shift & (DIGITS - 1); }

// Turns each thread's value into the sum of the values of the threads before it; `sums` has THREADS
// elements in shared memory. Returns the sum of all values in `total`.
__device__ uint32_t scanBlock(uint32_t value, uint32_t *sums, uint32_t *total) {
  const int thread = threadIdx.x;
  sums[thread] = value;
  __syncthreads();
  for (int distance = 1; distance < THREADS; distance *= 2) {
    const uint32_t before = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sums[thread] += before;
    __syncthreads();
  }
  *total = sums[THREADS - 1];
  return sums[thread] - value;
}

__global__ void countDigits(uint32_t *counts, const uint32_t *keys, int n, int shift) {
  __shared__ uint32_t digit_counts[DIGITS];
  if (threadIdx.x < DIGITS)
    digit_counts[threadIdx.x] = 0;
  __syncthreads();
  for (int k = threadIdx.x; k < TILE; k += THREADS) {
    const int i = blockIdx.x * TILE + k;
    if (i < n)
      atomicAdd(&digit_counts[digitOf(keys[i], shift)], 1);
  }
  __syncthreads();
  if (threadIdx.x < DIGITS)
    counts[threadIdx.x * gridDim.x + blockIdx.x] = digit_counts[threadIdx.x];
}

// One block, which goes over the array a row of threads at a time.
__global__ void scanCounts(uint32_t *counts, int n) {
  __shared__ uint32_t sums[THREADS];
  uint32_t before = 0;
  for (int first = 0; first < n; first += THREADS) {
    const int i = first + threadIdx.x;
    uint32_t total;
    const uint32_t sum = scanBlock(i < n ? counts[i] : 0, sums, &total);
    if (i < n)
      counts[i] = before + sum;
    before += total;
    __syncthreads();
  }
}

__global__ void scatter(uint32_t *out, const uint32_t *keys, const uint32_t *starts, int n,
                        int shift) {
  __shared__ uint32_t counters[DIGITS * THREADS]; // of each thread's keys, digit by digit
  __shared__ uint32_t sums[THREADS], digit_starts[DIGITS], global_starts[DIGITS];
  __shared__ uint32_t ordered[TILE];
  const int thread = threadIdx.x, first = blockIdx.x * TILE;
  const int valid = min(TILE, n - first); // keys of this tile
  if (thread < DIGITS)
    global_starts[thread] = starts[thread * gridDim.x + blockIdx.x];
  for (int digit = 0; digit < DIGITS; ++digit)
    counters[digit * THREADS + thread] = 0;

  uint32_t own[KEYS];
  for (int k = 0; k < KEYS; ++k) {
    const int i = thread * KEYS + k;
    if (i < valid) {
      own[k] = keys[first + i];
      ++counters[digitOf(own[k], shift) * THREADS + thread];
    }
  }
  __syncthreads();

  // Scan all counters: a thread adds up as many neighbours as there are digits.
  uint32_t *part = counters + thread * DIGITS;
  uint32_t sum = 0, total;
  for (int i = 0; i < DIGITS; ++i)
    sum += part[i];
  sum = scanBlock(sum, sums, &total);
  for (int i = 0; i < DIGITS; ++i) {
    const uint32_t count = part[i];
    part[i] = sum;
    sum += count;
  }
  __syncthreads();
  if (thread < DIGITS)
    digit_starts[thread] = counters[thread * THREADS];
  __syncthreads();

  // Order the tile in shared memory, so that what goes to neighbouring places is written together.
  for (int k = 0; k < KEYS; ++k)
    if (thread * KEYS + k < valid)
      ordered[counters[digitOf(own[k], shift) * THREADS + thread]++] = own[k];
  __syncthreads();
  for (int i = thread; i < valid; i += THREADS) {
    const uint32_t key = ordered[i];
    const int digit = digitOf(key, shift);
    out[global_starts[digit] + i - digit_starts[digit]] = key;
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const radix_sort::Problem problem(options);
  const int n = int(problem.n), blocks = (n + TILE - 1) / TILE;
  const uint32_t *keys = bench::toDevice(problem.keys);
  uint32_t *buffers[] = {bench::onDevice<uint32_t>(n), bench::onDevice<uint32_t>(n)};
  uint32_t *counts = bench::onDevice<uint32_t>(DIGITS * blocks);

  const auto run = [&] {
    for (int pass = 0; pass < 32 / DIGIT_BITS; ++pass) {
      const int shift = pass * DIGIT_BITS;
      const uint32_t *in = pass == 0 ? keys : buffers[(pass + 1) % 2];
      countDigits<<<blocks, THREADS>>>(counts, in, n, shift);
      scanCounts<<<1, THREADS>>>(counts, DIGITS * blocks);
      scatter<<<blocks, THREADS>>>(buffers[pass % 2], in, counts, n, shift);
    }
    bench::finish();
  };
  return bench::measure(options, radix_sort::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(bench::toHost(buffers[1], problem.n)); });
}
