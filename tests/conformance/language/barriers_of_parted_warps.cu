// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in blocks of many warps, in which each thread adds numbers one after the other: some
// warps end before others wait, or wait at another barrier than the rest, or for the rest only.
// All threads of 128 neighbours do the same, or of a row of the block.
#include "check.h"

const int threads = 512, length = 24;

__device__ float sumOf(const float *numbers, const float *tile, int at) {
  float sum = 0;
  for (int k = 0; k < length; ++k)
    sum += numbers[k] * tile[at + k];
  return sum;
}

// Shared memory of a block whose threads t >= `living` have ended; before that, all have written.
__global__ void endsEarly(const float *numbers, float *out, int living) {
  __shared__ float tile[threads + length];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  tile[t] = t;
  if (t < length)
    tile[threads + t] = 1;
  if ((t & ~127) >= living)
    return;
  __syncthreads();
  const float first = sumOf(numbers, tile, t);
  __syncthreads();
  tile[t] = first;
  __syncthreads();
  out[t] = sumOf(numbers, tile, t) + first;
}

// Each round, the last 128 threads that are left end.
__global__ void endsOneAfterAnother(const float *numbers, float *out) {
  __shared__ float tile[threads + length];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int round = 0; round < 4; ++round) {
    tile[t] = sum + t;
    if (t < length)
      tile[threads + t] = round;
    __syncthreads();
    sum += sumOf(numbers, tile, t);
    __syncthreads();
    if (t / 128 == 3 - round)
      break;
  }
  out[t] = sum;
}

// On a GPU since Volta (and in Heddle) it does not matter at which __syncthreads() they meet.
__global__ void meetsElsewhere(const float *numbers, float *out) {
  __shared__ float tile[threads + length];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  if (t < length)
    tile[threads + t] = 1;
  float sum;
  if (t < 256) {
    tile[t] = t;
    __syncthreads();
    sum = sumOf(numbers, tile, t);
  } else {
    tile[t] = 2 * t;
    __syncthreads();
    sum = sumOf(numbers, tile, t) + 1000;
  }
  __syncthreads();
  tile[t] = sum;
  __syncthreads();
  out[t] = tile[threads - 1 - t];
}

// Two halves of the block, each with a barrier of its own (PTX ISA, "bar.sync").
__global__ void meetsInHalves(const float *numbers, float *out) {
  __shared__ float tile[2][threads / 2 + length];
  const int t = threadIdx.y * blockDim.x + threadIdx.x, half = t / 256, place = t % 256;
  if (place < length)
    tile[half][256 + place] = 1;
  tile[half][place] = t;
  asm volatile("bar.sync %0, 256;" ::"r"(half + 1) : "memory");
  out[t] = sumOf(numbers, tile[half], place);
}

__global__ void counts(const float *numbers, float *out, float limit) {
  __shared__ float tile[threads + length];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  tile[t] = t;
  if (t < length)
    tile[threads + t] = 1;
  const int below = __syncthreads_count(t * 3 < limit);
  out[t] = sumOf(numbers, tile, t) + below;
}

// No barrier: threads in the middle of 128 neighbours have nothing to do, others one thing more.
__global__ void partly(const float *numbers, const float *in, float *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = threadIdx.x;
  float before = 1;
  if (x % 50 > 20 && t < n)
    before = in[t] * 3;
  float sum = 0;
  for (int k = 0; k < length; ++k)
    sum += numbers[k] * in[t + k];
  if (x < 77 || t % 3 == 0)
    sum += before;
  if (x > 5 && t < n)
    out[t] = sum;
}

static std::vector<float> numbers;

// Integers, so that the sums are exact.
template <class Tile> float expectedSum(const Tile &tile, int at) {
  float sum = 0;
  for (int k = 0; k < length; ++k)
    sum += numbers[k] * tile(at + k);
  return sum;
}

int main() {
  for (int k = 0; k < length; ++k)
    numbers.push_back(float(k * 5 % 7 - 3));
  DeviceBuffer<float> device_numbers(numbers);
  for (const dim3 block : {dim3(threads), dim3(128, 4), dim3(64, 8), dim3(32, 16), dim3(16, 32)}) {
    for (int living : {512, 384, 256, 128}) {
      DeviceBuffer<float> out(threads);
      endsEarly<<<3, block>>>(device_numbers, out, living);
      const std::vector<float> result = out.download();
      const auto tile = [](int t) { return t < threads ? float(t) : 1; };
      const auto second = [&](int t) { return t < living ? expectedSum(tile, t) : tile(t); };
      for (int t = 0; t < threads; ++t)
        CHECK_EQ(result[t], t < living ? expectedSum(second, t) + expectedSum(tile, t) : 0);
    }
    {
      DeviceBuffer<float> out(threads);
      endsOneAfterAnother<<<3, block>>>(device_numbers, out);
      const std::vector<float> result = out.download();
      std::vector<float> tile(threads + length), sums(threads);
      for (int round = 0; round < 4; ++round) {
        const int living = threads - 128 * round;
        for (int t = 0; t < living; ++t)
          tile[t] = sums[t] + t;
        for (int i = 0; i < length; ++i)
          tile[threads + i] = round;
        for (int t = 0; t < living; ++t)
          sums[t] += expectedSum([&](int i) { return tile[i]; }, t);
      }
      for (int t = 0; t < threads; ++t)
        CHECK_EQ(result[t], sums[t]);
    }
    {
      DeviceBuffer<float> out(threads);
      meetsElsewhere<<<3, block>>>(device_numbers, out);
      const std::vector<float> result = out.download();
      const auto tile = [](int t) { return t >= threads ? 1.0f : t < 256 ? t : 2.0f * t; };
      for (int t = 0; t < threads; ++t) {
        const int from = threads - 1 - t;
        CHECK_EQ(result[t], expectedSum(tile, from) + (from < 256 ? 0 : 1000));
      }
    }
    {
      DeviceBuffer<float> out(threads);
      meetsInHalves<<<3, block>>>(device_numbers, out);
      const std::vector<float> result = out.download();
      for (int t = 0; t < threads; ++t)
        CHECK_EQ(result[t],
                 expectedSum([&](int i) { return i < 256 ? t / 256 * 256.0f + i : 1; }, t % 256));
    }
    {
      DeviceBuffer<float> out(threads);
      counts<<<3, block>>>(device_numbers, out, 1000);
      const std::vector<float> result = out.download();
      for (int t = 0; t < threads; ++t)
        CHECK_EQ(result[t], expectedSum([](int i) { return i < threads ? float(i) : 1; }, t) + 334);
    }
  }
  const int n = 1000, blocks = 8;
  std::vector<float> in(blocks * 256 + length);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i * 31 % 101);
  DeviceBuffer<float> device_in(in);
  for (int block : {128, 256, 64}) {
    DeviceBuffer<float> out(n);
    partly<<<(n + block - 1) / block, block>>>(device_numbers, device_in, out, n);
    const std::vector<float> result = out.download();
    for (int t = 0; t < n; ++t) {
      const int x = t % block;
      float sum = expectedSum([&](int i) { return in[i]; }, t);
      if (x < 77 || t % 3 == 0)
        sum += x % 50 > 20 ? in[t] * 3 : 1;
      CHECK_EQ(result[t], x > 5 ? sum : 0);
    }
  }
  RETURN_RESULT();
}
