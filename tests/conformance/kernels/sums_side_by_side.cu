// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that do the same to a few neighbouring elements each: they keep sums of them in loops,
// with barriers and without, and in some threads only.
#include "check.h"

constexpr int threads = 64, blocks = 3, total = threads * blocks;

__device__ int globalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// N sums over rows of `total` threads' elements.
template <class T, int N> __global__ void sumsOf(T *out, const T *in, T factor, int rows) {
  T sums[N] = {};
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < N; ++i)
      sums[i] += factor * in[(row * total + globalThread()) * N + i];
  for (int i = 0; i < N; ++i)
    out[globalThread() * N + i] = sums[i];
}

// The same, by way of shared memory.
template <class T, int N> __global__ void sumsInTurns(T *out, const T *in, T factor, int rows) {
  __shared__ T tile[threads * N];
  T sums[N] = {};
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < N; ++i)
      tile[i * threads + threadIdx.x] =
          in[(row * total + blockIdx.x * threads) * N + i * threads + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < N; ++i)
      sums[i] += factor * tile[threadIdx.x * N + i];
    __syncthreads();
  }
  for (int i = 0; i < N; ++i)
    out[globalThread() * N + i] = sums[i];
}

// Only threads of an odd number take the rows of an odd one, and what each adds is its own.
template <class T, int N> __global__ void someSums(T *out, const T *in, T factor, int rows) {
  const T own = factor + T(globalThread() % 5);
  T sums[N] = {};
  for (int row = 0; row < rows; ++row)
    if (row % 2 == 0 || threadIdx.x % 2)
      for (int i = 0; i < N; ++i)
        sums[i] += own * in[(row * total + globalThread()) * N + i];
  for (int i = 0; i < N; ++i)
    out[globalThread() * N + i] = sums[i];
}

template <class T, int N> static void checkSums(int rows) {
  std::vector<T> input(rows * total * N);
  for (int i = 0; i < int(input.size()); ++i)
    input[i] = T(i * 37 % 101);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(total * N);
  const T factor = 3;
  const auto expected = [&](int thread, int i, bool some) {
    T sum = 0;
    for (int row = 0; row < rows; ++row)
      if (!some || row % 2 == 0 || thread % threads % 2)
        sum += (some ? factor + T(thread % 5) : factor) * input[(row * total + thread) * N + i];
    return sum;
  };
  const auto check = [&](bool some) {
    const std::vector<T> result = out.download();
    for (int thread = 0; thread < total; ++thread)
      for (int i = 0; i < N; ++i)
        CHECK_EQ(result[thread * N + i], expected(thread, i, some));
  };
  sumsOf<T, N><<<blocks, threads>>>(out, in, factor, rows);
  check(false);
  sumsInTurns<T, N><<<blocks, threads>>>(out, in, factor, rows);
  check(false);
  someSums<T, N><<<blocks, threads>>>(out, in, factor, rows);
  check(true);
}

// Each element has a factor and flags of its own, and two of them are wanted in the loop as well.
__global__ void scaled(float4 *values, float *sums, int rounds) {
  const int i = globalThread();
  float4 value = values[i];
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    value = make_float4(value.x * 0.5f, value.y * 2.0f, value.z * -1.0f, value.w * 4.0f);
    sum += value.y - value.x;
  }
  values[i] = value;
  sums[i] = sum;
}

static void checkScaled() {
  std::vector<float4> input(total);
  for (int i = 0; i < total; ++i)
    input[i] = make_float4(float(8 * i), float(i % 7), float(i), float(i % 3));
  DeviceBuffer<float4> values(input);
  DeviceBuffer<float> sums(total);
  scaled<<<blocks, threads>>>(values, sums, 3);
  const auto result = values.download();
  const auto sum = sums.download();
  for (int i = 0; i < total; ++i) {
    CHECK_EQ(result[i].x, input[i].x / 8);
    CHECK_EQ(result[i].y, input[i].y * 8);
    CHECK_EQ(result[i].z, -input[i].z);
    CHECK_EQ(result[i].w, input[i].w * 64);
    CHECK_EQ(sum[i], 14 * input[i].y - 7 * input[i].x / 8);
  }
}

int main() {
  checkSums<float, 2>(3);
  checkSums<float, 4>(5);
  checkSums<float, 8>(4);
  checkSums<double, 2>(3);
  checkSums<double, 4>(2);
  checkSums<int, 4>(3);
  checkSums<unsigned char, 4>(3);
  checkSums<short, 8>(3);
  checkSums<long long, 2>(3);
  checkScaled();
  RETURN_RESULT();
}
