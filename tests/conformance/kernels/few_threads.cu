// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work of a few threads: the last steps of trees of sums and scans, for elements of all sizes and
// blocks of many shapes, threads that return before, loops that end early; and all that one thread,
// or a few of each warp, can do to memory.
#include "check.h"

#include <cstdint>

template <class T> static std::vector<T> numbers(size_t count) {
  std::vector<T> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = T(i * i % 113); // sums of which a float holds
  return result;
}

__host__ __device__ constexpr int powerBelow(int n) {
  int result = 1;
  while (result * 2 < n)
    result *= 2;
  return result;
}

// ---- Trees -------------------------------------------------------------------------------------

// Down to the first element, and the other way round: the last one gets the sum.
template <class T, int Threads> __global__ void sums(T *out, const T *in) {
  __shared__ T down[Threads], up[Threads];
  const int t = threadIdx.x;
  down[t] = up[t] = in[blockIdx.x * Threads + t];
  __syncthreads();
#pragma unroll
  for (int stride = powerBelow(Threads); stride > 0; stride /= 2) {
    if (t < stride && t + stride < Threads)
      down[t] += down[t + stride];
    __syncthreads();
  }
#pragma unroll
  for (int stride = 1; stride < Threads; stride *= 2) {
    const int place = Threads - 1 - 2 * stride * t;
    if (t < (Threads + 2 * stride - 1) / (2 * stride) && place - stride >= 0)
      up[place] += up[place - stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x * 2] = down[0];
  if (t == Threads - 1)
    out[blockIdx.x * 2 + 1] = up[Threads - 1];
}

template <class T, int Threads> static void checkSums() {
  const int blocks = 3;
  const auto input = numbers<T>(blocks * Threads);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(2 * blocks);
  sums<T, Threads><<<blocks, Threads>>>(out, in);
  const auto result = out.download();
  for (int block = 0; block < blocks; ++block) {
    T sum = 0;
    for (int t = 0; t < Threads; ++t)
      sum += input[block * Threads + t];
    CHECK_EQ(result[2 * block], sum);
    CHECK_EQ(result[2 * block + 1], sum);
  }
}

// Blelloch's: distances grow up the tree and shrink on the way down.
template <class T, int Threads> __global__ void scan(T *out, const T *in) {
  __shared__ T values[2 * Threads];
  const int t = threadIdx.x;
  values[t] = in[t], values[t + Threads] = in[t + Threads];
  int distance = 1;
#pragma unroll
  for (int nodes = Threads; nodes > 0; nodes /= 2, distance *= 2) {
    __syncthreads();
    if (t < nodes) {
      const int left = distance * (2 * t + 1) - 1;
      values[left + distance] += values[left];
    }
  }
  if (t == 0)
    values[2 * Threads - 1] = 0;
#pragma unroll
  for (int nodes = 1; nodes <= Threads; nodes *= 2) {
    distance /= 2;
    __syncthreads();
    if (t < nodes) {
      const int left = distance * (2 * t + 1) - 1;
      const T sum = values[left];
      values[left] = values[left + distance];
      values[left + distance] += sum;
    }
  }
  __syncthreads();
  out[t] = values[t], out[t + Threads] = values[t + Threads];
}

template <class T, int Threads> static void checkScan() {
  const auto input = numbers<T>(2 * Threads);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(input.size());
  scan<T, Threads><<<1, Threads>>>(out, in);
  const auto result = out.download();
  T sum = 0;
  for (size_t i = 0; i < input.size(); ++i) {
    CHECK_EQ(result[i], sum);
    sum += input[i];
  }
}

template <class T> static void checkTrees() {
  checkSums<T, 32>();
  checkSums<T, 96>();
  checkSums<T, 100>();
  checkSums<T, 256>();
  checkSums<T, 1024>();
  checkScan<T, 16>();
  checkScan<T, 32>();
  checkScan<T, 256>();
  checkScan<T, 1024>();
}

// Threads from `living` on return before; a loop with barriers ends when a sum is large enough.
__global__ void partOfATree(int *out, const int *in, int living, int enough) {
  __shared__ int values[256];
  const int t = threadIdx.x;
  values[t] = t < living ? in[t] : 0;
  __syncthreads();
  if (t >= living)
    return;
  int steps = 0;
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride)
      values[t] += values[t + stride];
    __syncthreads();
    ++steps;
    if (values[0] >= enough)
      break;
    __syncthreads();
  }
  out[t] = values[t] + 1000000 * steps;
}

static void checkPartOfATree(int living, int enough) {
  const auto input = numbers<int>(256);
  const DeviceBuffer<int> in(input);
  DeviceBuffer<int> out(256);
  CHECK_CUDA(cudaMemset(out, 0xff, 256 * sizeof(int)));
  partOfATree<<<1, 256>>>(out, in, living, enough);
  const auto result = out.download();
  std::vector<int> values(256);
  for (int t = 0; t < living; ++t)
    values[t] = input[t];
  int steps = 0;
  for (int stride = 128; stride > 0; stride /= 2) {
    for (int t = 0; t < stride && t < living; ++t)
      values[t] += values[t + stride];
    ++steps;
    if (values[0] >= enough)
      break;
  }
  for (int t = 0; t < 256; ++t)
    CHECK_EQ(result[t], t < living ? values[t] + 1000000 * steps : -1);
}

// ---- Whatever a few threads do -----------------------------------------------------------------

constexpr int places = 2048;

// Threads t < Few of each row of threads, or t % 32 < Few of each warp.
template <class T, int Few, bool OfWarps>
__global__ void few(T *out, unsigned *counts, const T *in, const int *indices, int factor) {
  const int t = threadIdx.x, row = threadIdx.y + blockIdx.x * blockDim.y;
  out += row * places, in += row * places;
  const int number = OfWarps ? t % 32 : t;
  T mine = in[t];
  if (number < Few) {
    out[t] = in[t] + in[t + 1];                   // neighbours
    out[3 * t + 100] = in[3 * t];                 // every third
    out[500 - t] = in[70 - t];                    // backwards
    out[600 + indices[t]] = in[indices[t]];       // anywhere
    out[1000 + t * factor] = T(t / (number + 1)); // a division
    mine = in[indices[t]];
    atomicAdd(&counts[indices[t] % 7], unsigned(t) + 1); // what was there does not matter
    for (int i = 0; i <= number; ++i)                    // rounds that differ
      mine += in[i];
    if (number == 0)
      out[1999] = mine;
  }
  out[1500 + t] = mine;
}

template <class T, int Few, bool OfWarps> static void checkFew(dim3 block) {
  const int rows = 2 * int(block.y), factor = 2;
  const auto input = numbers<T>(size_t(rows) * places);
  std::vector<int> indices(block.x);
  for (int t = 0; t < int(block.x); ++t)
    indices[t] = (t * 7 + 3) % int(block.x);
  const DeviceBuffer<T> in(input);
  const DeviceBuffer<int> index(indices);
  DeviceBuffer<T> out(input.size());
  DeviceBuffer<unsigned> counts(7);
  CHECK_CUDA(cudaMemset(out, 0, input.size() * sizeof(T)));
  CHECK_CUDA(cudaMemset(counts, 0, 7 * sizeof(unsigned)));
  few<T, Few, OfWarps><<<2, block>>>(out, counts, in, index, factor);
  std::vector<T> expected(input.size());
  std::vector<unsigned> expected_counts(7);
  for (int row = 0; row < rows; ++row) {
    T *to = &expected[size_t(row) * places];
    const T *from = &input[size_t(row) * places];
    T last = 0;
    for (int t = 0; t < int(block.x); ++t) {
      const int number = OfWarps ? t % 32 : t;
      T mine = from[t];
      if (number < Few) {
        to[t] = from[t] + from[t + 1];
        to[3 * t + 100] = from[3 * t];
        to[500 - t] = from[70 - t];
        to[600 + indices[t]] = from[indices[t]];
        to[1000 + t * factor] = T(t / (number + 1));
        mine = from[indices[t]];
        expected_counts[indices[t] % 7] += unsigned(t) + 1;
        for (int i = 0; i <= number; ++i)
          mine += from[i];
        if (number == 0)
          last = mine;
      }
      to[1500 + t] = mine;
    }
    to[1999] = last; // one of the warps': there is but one if this is looked at
  }
  const auto result = out.download();
  for (size_t i = 0; i < result.size(); ++i)
    if (i % places != 1999 || !OfWarps || block.x <= 32)
      CHECK_EQ(result[i], expected[i]);
  CHECK(counts.download() == expected_counts);
}

template <class T> static void checkAllFew() {
  for (const dim3 block : {dim3(64), dim3(32, 4), dim3(64, 2), dim3(60), dim3(32)}) {
    checkFew<T, 1, false>(block);
    checkFew<T, 8, false>(block);
    checkFew<T, 13, false>(block);
    checkFew<T, 24, false>(block);
    checkFew<T, 1, true>(block);
    checkFew<T, 5, true>(block);
  }
}

int main() {
  checkTrees<int>();
  checkTrees<float>();
  checkTrees<double>();
  checkTrees<unsigned long long>();
  checkSums<uint8_t, 256>();
  checkScan<uint16_t, 256>();
  for (const int living : {256, 200, 33, 32, 31, 8, 1})
    for (const int enough : {0, 300, 3000, 1 << 30})
      checkPartOfATree(living, enough);
  checkAllFew<int>();
  checkAllFew<double>();
  checkAllFew<uint8_t>();
  RETURN_RESULT();
}
