// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees in shared memory, for blocks of many sizes and elements of many types: the first threads
// change every second, fourth … element, level after level; and what others do meanwhile to the
// elements between.
#include "check.h"

#include <cstdint>

constexpr int blocks = 3, before = 5; // that many elements, so that trees do not begin with a line

// Blelloch's scan: up the tree, and down again.
template <class T, int THREADS, int OFFSET> __global__ void scanTree(T *out, T *sums, const T *in) {
  constexpr int elements = 2 * THREADS;
  __shared__ T memory[OFFSET + elements];
  T *const values = memory + OFFSET;
  const int thread = threadIdx.x, first = blockIdx.x * elements;
  for (int i = thread; i < elements; i += THREADS)
    values[i] = in[first + i];
  int distance = 1;
  for (int nodes = THREADS; nodes > 0; nodes /= 2, distance *= 2) {
    __syncthreads();
    if (thread < nodes) {
      const int left = distance * (2 * thread + 1) - 1;
      values[left + distance] += values[left];
    }
  }
  if (thread == 0) {
    sums[blockIdx.x] = values[elements - 1];
    values[elements - 1] = 0;
  }
  for (int nodes = 1; nodes <= THREADS; nodes *= 2) {
    distance /= 2;
    __syncthreads();
    if (thread < nodes) {
      const int left = distance * (2 * thread + 1) - 1;
      const T sum = values[left];
      values[left] = values[left + distance];
      values[left + distance] += sum;
    }
  }
  __syncthreads();
  for (int i = thread; i < elements; i += THREADS)
    out[first + i] = values[i];
}

template <class T, int THREADS, int OFFSET> static void checkScan() {
  constexpr int elements = 2 * THREADS;
  std::vector<T> input(blocks * elements);
  for (int i = 0; i < blocks * elements; ++i)
    input[i] = T(i * 7 % 61);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(blocks * elements), sums(blocks);
  scanTree<T, THREADS, OFFSET><<<blocks, THREADS>>>(out, sums, in);
  const auto result = out.download(), totals = sums.download();
  for (int block = 0; block < blocks; ++block) {
    T sum = 0;
    for (int i = block * elements; i < (block + 1) * elements; ++i) {
      CHECK_EQ(result[i], sum);
      sum = T(sum + input[i]);
    }
    CHECK_EQ(totals[block], sum);
  }
}

template <class T> static void checkScans() {
  checkScan<T, 16, 0>();
  checkScan<T, 32, 0>();
  checkScan<T, 64, 0>();
  checkScan<T, 64, before>();
  checkScan<T, 128, 16>();
  checkScan<T, 256, 0>();
  checkScan<T, 256, before>();
  checkScan<T, 512, 0>();
}

// Levels that are no tree: the same elements again and again, others between them, another array of
// the same memory, and what all threads ask for in between.
constexpr int threads = 128, length = 8 * threads;

template <class T> __host__ __device__ T mixed(T a, T b) { return T(a * T(3) + b); }

template <class T> __global__ void mixLevels(T *out, const T *in, T factor, int *seen) {
  __shared__ T values[length];
  __shared__ int counts[threads];
  const int thread = threadIdx.x;
  for (int i = thread; i < length; i += threads)
    values[i] = in[i];
  counts[thread] = thread;
  __syncthreads();
  if (thread < 64) {
    T *own = values + 4 * thread;
    own[3] = mixed(own[3], own[1]);
    own[0] = T(own[0] * factor); // no other thread changes these
  } else {
    values[4 * (thread - 64) + 2] = T(thread);
  }
  __syncthreads();
  if (thread < 24) // no power of two, and lines that are not full
    values[8 * thread + 7] += values[8 * thread + 5];
  __syncthreads();
  if (thread < 32)
    counts[2 * thread + 1] += counts[2 * thread];
  if (thread < 40)
    values[8 * thread + 1] = mixed(values[8 * thread + 1], values[8 * thread + 6]);
  __syncthreads();
  const T looked_at = values[(5 * thread) % length];
  __syncthreads();
  if (thread < 8)
    values[64 * thread + 9] += values[64 * thread + 50];
  if (thread < 2) {
    const T old = values[512 * thread + 100];
    values[512 * thread + 100] = values[512 * thread + 300];
    values[512 * thread + 300] = T(old - factor);
  }
  __syncthreads();
  seen[thread] = int(looked_at) + counts[thread];
  for (int i = thread; i < length; i += threads)
    out[i] = values[i];
}

template <class T> static void checkLevels() {
  std::vector<T> values(length);
  for (int i = 0; i < length; ++i)
    values[i] = T(i * 5 % 23);
  const DeviceBuffer<T> in(values);
  DeviceBuffer<T> out(length);
  DeviceBuffer<int> seen(threads);
  const T factor = T(2);
  mixLevels<T><<<1, threads>>>(out, in, factor, seen);
  for (int t = 0; t < 64; ++t) {
    values[4 * t + 3] = mixed(values[4 * t + 3], values[4 * t + 1]);
    values[4 * t] = T(values[4 * t] * factor);
    values[4 * t + 2] = T(t + 64);
  }
  for (int t = 0; t < 24; ++t)
    values[8 * t + 7] = T(values[8 * t + 7] + values[8 * t + 5]);
  for (int t = 0; t < 40; ++t)
    values[8 * t + 1] = mixed(values[8 * t + 1], values[8 * t + 6]);
  const auto looked = seen.download();
  for (int t = 0; t < threads; ++t) {
    const int count = t < 64 && t % 2 ? t + t - 1 : t;
    CHECK_EQ(looked[t], int(values[(5 * t) % length]) + count);
  }
  for (int t = 0; t < 8; ++t)
    values[64 * t + 9] = T(values[64 * t + 9] + values[64 * t + 50]);
  for (int t = 0; t < 2; ++t) {
    const T old = values[512 * t + 100];
    values[512 * t + 100] = values[512 * t + 300];
    values[512 * t + 300] = T(old - factor);
  }
  const auto result = out.download();
  for (int i = 0; i < length; ++i)
    CHECK_EQ(result[i], values[i]);
}

int main() {
  checkScans<int>();
  checkScans<float>();
  checkScans<double>();
  checkScans<uint8_t>();
  checkScans<uint16_t>();
  checkLevels<int>();
  checkLevels<float>();
  checkLevels<uint8_t>();
  checkLevels<uint64_t>();
  RETURN_RESULT();
}
