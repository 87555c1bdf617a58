// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads with several elements, each behind a question of its own whether it is within bounds:
// side by side or a block apart, of one array and two, before and behind a barrier, with all
// lengths of the last tile.
#include "check.h"

#include <cstdint>

constexpr int threads = 64, elements = 8, tile = threads * elements, blocks = 3;
constexpr int untouched = -5;

// What is read before the barrier is written behind it, turned round within the thread; a sum of
// the elements that are there goes to the others.
__global__ void sideBySide(int *out, int *sums, const int *in, const int16_t *more, int n) {
  __shared__ int of_thread[threads];
  const int first = blockIdx.x * tile + threadIdx.x * elements;
  const int valid = min(tile, n - int(blockIdx.x) * tile);
  int own[elements], sum = 0;
  for (int k = 0; k < elements; ++k)
    if (int(threadIdx.x) * elements + k < valid) {
      own[k] = in[first + k] * 3 + more[first + k];
      sum += own[k];
    }
  of_thread[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 0; k < elements; ++k)
    if (int(threadIdx.x) * elements + k < valid)
      out[first + k] = own[k] - of_thread[(threadIdx.x + 1) % threads];
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

// In place, and only even columns.
__global__ void apart(int *values, int n, int columns) {
  const int first = blockIdx.x * tile + threadIdx.x, column = threadIdx.x % 16;
#pragma unroll
  for (int k = 0; k < elements; ++k)
    if (first + k * threads < n && column < columns)
      values[first + k * threads] = values[first + k * threads] * 2 + k;
}

static int ownValue(const std::vector<int> &in, const std::vector<int16_t> &more, int i) {
  return in[i] * 3 + more[i];
}

static void checkSideBySide(int n) {
  std::vector<int> in(tile * blocks);
  std::vector<int16_t> more(tile * blocks);
  for (int i = 0; i < tile * blocks; ++i) {
    in[i] = i * 37 % 1001;
    more[i] = int16_t(i * 11 % 301 - 150);
  }
  const DeviceBuffer<int> in_buffer(in);
  const DeviceBuffer<int16_t> more_buffer(more);
  DeviceBuffer<int> out(std::vector<int>(tile * blocks, untouched)), sums(threads * blocks);
  sideBySide<<<blocks, threads>>>(out, sums, in_buffer, more_buffer, n);
  const auto result = out.download();
  const auto result_sums = sums.download();
  std::vector<int> expected(threads * blocks, 0);
  for (int i = 0; i < n; ++i)
    expected[i / elements] += ownValue(in, more, i);
  for (int t = 0; t < threads * blocks; ++t)
    CHECK_EQ(result_sums[t], expected[t]);
  for (int i = 0; i < tile * blocks; ++i) {
    const int thread = i / elements;
    const int next = thread / threads * threads + (thread + 1) % threads;
    CHECK_EQ(result[i], i < n ? ownValue(in, more, i) - expected[next] : untouched);
  }
}

static void checkApart(int n, int columns) {
  std::vector<int> values(tile * blocks);
  for (int i = 0; i < tile * blocks; ++i)
    values[i] = i * 7;
  DeviceBuffer<int> buffer(values);
  apart<<<blocks, threads>>>(buffer, n, columns);
  const auto result = buffer.download();
  for (int i = 0; i < tile * blocks; ++i) {
    const bool changed = i < n && i % 16 < columns;
    CHECK_EQ(result[i], changed ? i * 14 + i % tile / threads : i * 7);
  }
}

int main() {
  for (int n : {0, 1, 7, 8, 9, 255, 256, 257, tile - 1, tile, tile + 1, tile + 100, 2 * tile - 8,
                2 * tile, 2 * tile + 263, blocks * tile - 1, blocks * tile}) {
    checkSideBySide(n);
    checkApart(n, 16);
    checkApart(n, 5);
  }
  RETURN_RESULT();
}
