// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that work for blocks of any size, as libraries have them: all that they know is
// blockDim.x. Sums, scans, searches and sorts of a block with barriers, for sizes that are warps,
// powers of two and neither, and for elements of all sizes.
#include "check.h"

#include <algorithm>
#include <cstdint>

template <class T> static std::vector<T> numbers(size_t count) {
  std::vector<T> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = T((i * i * 7 + i) % 101); // sums of which a float holds
  return result;
}

template <class T> __device__ T *sharedMemory() {
  extern __shared__ double memory[];
  return reinterpret_cast<T *>(memory);
}

// ---- Sums --------------------------------------------------------------------------------------

// Halves the threads in each step; an odd one is left over.
template <class T> __global__ void sumDown(T *out, const T *in, int n) {
  T *values = sharedMemory<T>();
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  values[t] = i < n ? in[i] : T(0);
  __syncthreads();
  int count = blockDim.x;
  while (count > 1) {
    const int half = (count + 1) / 2;
    if (t + half < count)
      values[t] += values[t + half];
    __syncthreads();
    count = half;
  }
  if (t == 0)
    out[blockIdx.x] = values[0];
}

// For powers of two: the usual loop.
template <class T> __global__ void sumHalves(T *out, const T *in, int n) {
  T *values = sharedMemory<T>();
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  values[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride)
      values[t] += values[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = values[0];
}

// Neighbours first; in the first form threads here and there, in the second the first ones.
template <class T> __global__ void sumUp(T *out, const T *in, int n, bool first_ones) {
  T *values = sharedMemory<T>();
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  values[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (first_ones) {
      const unsigned place = 2 * stride * t;
      if (place + stride < blockDim.x)
        values[place] += values[place + stride];
    } else if (t % (2 * stride) == 0 && t + stride < blockDim.x) {
      values[t] += values[t + stride];
    }
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = values[0];
}

// The last warp by itself, by shuffles; then one thread for all blocks.
__global__ void sumShuffled(int *total, int *out, const int *in, int n) {
  int *values = sharedMemory<int>();
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  values[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride >= 32; stride /= 2) {
    if (t < stride)
      values[t] += values[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    int sum = values[t];
    for (int distance = 16; distance > 0; distance /= 2)
      sum += __shfl_down_sync(~0u, sum, distance);
    if (t == 0) {
      out[blockIdx.x] = sum;
      atomicAdd(total, sum);
    }
  }
}

template <class T> static void checkSums(int threads) {
  const bool power = (threads & (threads - 1)) == 0;
  const int blocks = 3, n = blocks * threads - threads / 3;
  const auto input = numbers<T>(n);
  const DeviceBuffer<T> in(input);
  std::vector<T> expected(blocks);
  for (int i = 0; i < n; ++i)
    expected[i / threads] += input[i];
  DeviceBuffer<T> out(blocks);
  const size_t bytes = threads * sizeof(T);
  const auto check = [&] {
    const auto result = out.download();
    for (int block = 0; block < blocks; ++block)
      CHECK_EQ(result[block], expected[block]);
    CHECK_CUDA(cudaMemset(out, 0, blocks * sizeof(T)));
  };
  sumDown<T><<<blocks, threads, bytes>>>(out, in, n);
  check();
  for (const bool first_ones : {false, true}) {
    sumUp<T><<<blocks, threads, bytes>>>(out, in, n, first_ones);
    check();
  }
  if (power) {
    sumHalves<T><<<blocks, threads, bytes>>>(out, in, n);
    check();
  }
}

static void checkShuffledSums(int threads) {
  const int blocks = 5, n = blocks * threads - 7;
  const auto input = numbers<int>(n);
  const DeviceBuffer<int> in(input);
  DeviceBuffer<int> out(blocks), total(1);
  sumShuffled<<<blocks, threads, threads * sizeof(int)>>>(total, out, in, n);
  const auto result = out.download();
  std::vector<int> expected(blocks);
  int all = 0;
  for (int i = 0; i < n; ++i)
    expected[i / threads] += input[i], all += input[i];
  CHECK_EQ(total.download()[0], all);
  for (int block = 0; block < blocks; ++block)
    CHECK_EQ(result[block], expected[block]);
}

// ---- Scans, searches and sorts -----------------------------------------------------------------

// Hillis and Steele's: each thread adds what lies `distance` before it.
template <class T> __global__ void scanBlock(T *out, const T *in) {
  T *values = sharedMemory<T>();
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const T own = in[i];
  values[t] = own;
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    const T before = t >= distance ? values[t - distance] : T(0);
    __syncthreads();
    values[t] += before;
    __syncthreads();
  }
  out[i] = values[t] - own;
}

// The same with two halves of memory in turn, so that one barrier a step is enough.
template <class T> __global__ void scanInTurn(T *out, const T *in) {
  T *values = sharedMemory<T>();
  const int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
  int from = 0, to = n;
  values[t] = in[i];
  __syncthreads();
  for (int distance = 1; distance < n; distance <<= 1) {
    values[to + t] = values[from + t] + (t >= distance ? values[from + t - distance] : T(0));
    const int other = from;
    from = to, to = other;
    __syncthreads();
  }
  out[i] = values[from + t];
}

template <class T> static void checkScans(int threads) {
  const int blocks = 3;
  const auto input = numbers<T>(blocks * threads);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> before(input.size()), with(input.size());
  scanBlock<T><<<blocks, threads, threads * sizeof(T)>>>(before, in);
  scanInTurn<T><<<blocks, threads, 2 * threads * sizeof(T)>>>(with, in);
  const auto exclusive = before.download(), inclusive = with.download();
  T sum = 0;
  for (size_t i = 0; i < input.size(); ++i) {
    sum = i % threads == 0 ? T(0) : sum;
    CHECK_EQ(exclusive[i], sum);
    sum += input[i];
    CHECK_EQ(inclusive[i], sum);
  }
}

// The largest value and where it is first: two arrays, and a comparison of both.
__global__ void findLargest(float *value, int *place, const float *in) {
  float *values = sharedMemory<float>();
  int *places = reinterpret_cast<int *>(values + blockDim.x);
  const int t = threadIdx.x;
  values[t] = in[blockIdx.x * blockDim.x + t];
  places[t] = t;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      const float other = values[t + stride];
      if (other > values[t] || (other == values[t] && places[t + stride] < places[t])) {
        values[t] = other;
        places[t] = places[t + stride];
      }
    }
  }
  if (t == 0)
    value[blockIdx.x] = values[0], place[blockIdx.x] = places[0];
}

// Bitonic sort, whose threads take pairs by an exclusive or; then the block the other way round.
__global__ void sortBlock(int *out, const int *in) {
  int *values = sharedMemory<int>();
  const unsigned t = threadIdx.x, n = blockDim.x;
  values[t] = in[blockIdx.x * n + t];
  for (unsigned size = 2; size <= n; size <<= 1)
    for (unsigned stride = size >> 1; stride > 0; stride >>= 1) {
      __syncthreads();
      const unsigned other = t ^ stride;
      if (other > t) {
        const bool up = (t & size) == 0;
        const int a = values[t], b = values[other];
        if ((a > b) == up)
          values[t] = b, values[other] = a;
      }
    }
  __syncthreads();
  out[blockIdx.x * n + t] = values[n - 1 - t];
}

// Threads that do not all have the same number of rounds between barriers, and that count.
__global__ void countSteps(int *out, int *voted, const int *in) {
  __shared__ int counts[4], longest;
  const int t = threadIdx.x;
  if (t < 4)
    counts[t] = 0;
  if (t == blockDim.x - 1)
    longest = 0;
  __syncthreads();
  int steps = 0;
  for (int n = in[t] + 1; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
    ++steps;
  atomicMax(&longest, steps);
  atomicAdd(&counts[steps % 4], 1);
  __syncthreads();
  for (int round = 0; round < blockDim.x / 32; ++round) {
    if (t / 32 == round && steps == longest)
      counts[round % 4] += 100 * (__popc(__activemask()) > 0);
    __syncthreads();
  }
  const int many = __syncthreads_count(steps > 10);
  out[t] = steps * 1000 + counts[t % 4] % 100;
  if (t == 0)
    *voted = many;
}

static void checkOthers(int threads) {
  const int blocks = 2;
  const auto input = numbers<int>(blocks * threads);
  const DeviceBuffer<int> in(input);
  const std::vector<float> reals(input.begin(), input.end());
  const DeviceBuffer<float> real(reals);
  DeviceBuffer<float> value(blocks);
  DeviceBuffer<int> place(blocks), sorted(input.size());
  findLargest<<<blocks, threads, 2 * threads * sizeof(float)>>>(value, place, real);
  sortBlock<<<blocks, threads, threads * sizeof(int)>>>(sorted, in);
  const auto values = value.download();
  const auto places = place.download(), order = sorted.download();
  for (int block = 0; block < blocks; ++block) {
    const auto begin = input.begin() + block * threads;
    const auto largest = std::max_element(begin, begin + threads);
    CHECK_EQ(values[block], float(*largest));
    CHECK_EQ(places[block], int(largest - begin));
    std::vector<int> expected(begin, begin + threads);
    std::sort(expected.rbegin(), expected.rend());
    for (int t = 0; t < threads; ++t)
      CHECK_EQ(order[block * threads + t], expected[t]);
  }
}

static void checkSteps(int threads) {
  const auto input = numbers<int>(threads);
  const DeviceBuffer<int> in(input);
  DeviceBuffer<int> out(threads), voted(1);
  countSteps<<<1, threads>>>(out, voted, in);
  const auto result = out.download();
  std::vector<int> steps(threads);
  int counts[4] = {}, many = 0;
  for (int t = 0; t < threads; ++t) {
    for (int n = input[t] + 1; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
      ++steps[t];
    ++counts[steps[t] % 4];
    many += steps[t] > 10;
  }
  CHECK_EQ(voted.download()[0], many);
  for (int t = 0; t < threads; ++t)
    CHECK_EQ(result[t], steps[t] * 1000 + counts[t % 4] % 100);
}

int main() {
  for (const int threads : {1, 32, 64, 100, 128, 256, 512, 1000, 1024}) {
    checkSums<int>(threads);
    checkSums<double>(threads);
    checkSums<uint8_t>(threads);
    checkScans<float>(threads);
    checkScans<short>(threads);
    checkSteps(threads);
    if ((threads & (threads - 1)) == 0) {
      checkOthers(threads);
      if (threads >= 32)
        checkShuffledSums(threads);
    }
  }
  RETURN_RESULT();
}
