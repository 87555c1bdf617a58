// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that access several neighbouring elements each: structures of two to five members, a few
// elements of an array a thread, all or some of them, read and written in turn.
#include "check.h"

#include <cstdint>

constexpr int threads = 96, blocks = 3, total = threads * blocks;

template <class T, int N> struct Members {
  T member[N];
};

__device__ int globalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class T, int N> __global__ void rotate(Members<T, N> *out, const Members<T, N> *in) {
  const int i = globalThread();
  for (int m = 0; m < N; ++m)
    out[i].member[(m + 1) % N] = T(in[i].member[m] + T(m));
}

// Some members only: the first and the last, or without them.
template <class T, int N> __global__ void someMembers(T *out, const Members<T, N> *in, int first) {
  const int i = globalThread();
  T sum = 0;
  if (first == 0)
    sum = T(in[i].member[0] * T(2) + in[i].member[N - 1]);
  else
    for (int m = 1; m + 1 < N; ++m)
      sum = T(sum * T(3) + in[i].member[m]);
  out[i] = sum;
}

// Only where the number is odd: the others must keep what they have.
template <class T, int N> __global__ void ofOddThreads(Members<T, N> *values) {
  const int i = globalThread();
  if (i % 2)
    for (int m = 0; m < N; ++m)
      values[i].member[m] = T(values[i].member[m] + T(100 + m));
}

template <class T, int N> static void checkType() {
  std::vector<Members<T, N>> input(total);
  for (int i = 0; i < total; ++i)
    for (int m = 0; m < N; ++m)
      input[i].member[m] = T((i * 7 + m * 3) % 61);
  const DeviceBuffer<Members<T, N>> in(input);
  DeviceBuffer<Members<T, N>> out(total);
  rotate<T, N><<<blocks, threads>>>(out, in);
  const auto rotated = out.download();
  for (int i = 0; i < total; ++i)
    for (int m = 0; m < N; ++m)
      CHECK_EQ(rotated[i].member[(m + 1) % N], T(input[i].member[m] + T(m)));

  DeviceBuffer<T> sums(total);
  for (int first = 0; first < 2; ++first) {
    someMembers<T, N><<<blocks, threads>>>(sums, in, first);
    const auto result = sums.download();
    for (int i = 0; i < total; ++i) {
      T sum = 0;
      if (first == 0)
        sum = T(input[i].member[0] * T(2) + input[i].member[N - 1]);
      else
        for (int m = 1; m + 1 < N; ++m)
          sum = T(sum * T(3) + input[i].member[m]);
      CHECK_EQ(result[i], sum);
    }
  }

  DeviceBuffer<Members<T, N>> values(input);
  ofOddThreads<T, N><<<blocks, threads>>>(values);
  const auto odd = values.download();
  for (int i = 0; i < total; ++i)
    for (int m = 0; m < N; ++m)
      CHECK_EQ(odd[i].member[m], i % 2 ? T(input[i].member[m] + T(100 + m)) : input[i].member[m]);
}

// A running sum within each thread's part of shared memory: it is read and written in turn.
constexpr int part = 16;
__global__ void scanParts(int *out, const int *in) {
  __shared__ int counters[part * threads];
  for (int i = 0; i < part; ++i)
    counters[i * threads + threadIdx.x] = in[i * threads + threadIdx.x];
  __syncthreads();
  int *own = counters + threadIdx.x * part;
  int sum = 0;
#pragma unroll
  for (int i = 0; i < part; ++i) {
    const int count = own[i];
    own[i] = sum;
    sum += count;
  }
  __syncthreads();
  for (int i = 0; i < part; ++i)
    out[i * threads + threadIdx.x] = counters[i * threads + threadIdx.x];
}

static void checkScan() {
  std::vector<int> input(part * threads);
  for (int i = 0; i < part * threads; ++i)
    input[i] = i * i % 37;
  const DeviceBuffer<int> in(input);
  DeviceBuffer<int> out(part * threads);
  scanParts<<<1, threads>>>(out, in);
  const auto result = out.download();
  for (int thread = 0; thread < threads; ++thread)
    for (int i = 0, sum = 0; i < part; sum += input[thread * part + i++])
      CHECK_EQ(result[thread * part + i], sum);
}

// What is written through one pointer is read through the other, which may be the same.
__global__ void throughTwoPointers(int *a, int *b) {
  const int i = 2 * globalThread();
  a[i] = i + 1;
  const int first = b[i];
  a[i + 1] = first * 2;
  const int second = b[i + 1];
  b[i] = second + 5;
}

static void checkTwoPointers() {
  DeviceBuffer<int> values(2 * total);
  throughTwoPointers<<<blocks, threads>>>(values, values);
  const auto result = values.download();
  for (int i = 0; i < 2 * total; i += 2) {
    CHECK_EQ(result[i], (i + 1) * 2 + 5);
    CHECK_EQ(result[i + 1], (i + 1) * 2);
  }
}

// Blocks of several rows, whose threads have vectors of CUDA's own.
__global__ void addVectors(float4 *out, const float4 *in, const float2 *shift, int width) {
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * width + threadIdx.x;
  const float4 value = in[i];
  const float2 by = shift[i];
  out[i] = make_float4(value.w + by.x, value.z + by.y, value.y - by.x, value.x - by.y);
}

static void checkVectors(int width, int height) {
  const int n = width * height * 2;
  std::vector<float4> values(n);
  std::vector<float2> shifts(n);
  for (int i = 0; i < n; ++i) {
    values[i] = make_float4(float(i), float(2 * i), float(3 * i), float(i % 5));
    shifts[i] = make_float2(float(i % 7), float(i % 11));
  }
  const DeviceBuffer<float4> in(values);
  const DeviceBuffer<float2> shift(shifts);
  DeviceBuffer<float4> out(n);
  addVectors<<<2, dim3(width, height)>>>(out, in, shift, width);
  const auto result = out.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(result[i].x, values[i].w + shifts[i].x);
    CHECK_EQ(result[i].y, values[i].z + shifts[i].y);
    CHECK_EQ(result[i].z, values[i].y - shifts[i].x);
    CHECK_EQ(result[i].w, values[i].x - shifts[i].y);
  }
}

int main() {
  checkType<float, 2>();
  checkType<float, 3>();
  checkType<float, 4>();
  checkType<int, 5>();
  checkType<double, 2>();
  checkType<double, 3>();
  checkType<std::uint8_t, 4>();
  checkType<short, 3>();
  checkType<int, 8>();
  checkType<int, 16>();
  checkScan();
  checkTwoPointers();
  checkVectors(32, 4);
  checkVectors(16, 8);
  checkVectors(8, 8);
  checkVectors(5, 7);
  RETURN_RESULT();
}
