// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work between barriers that only the first threads of a block have, as in trees: what all threads
// did before, and do afterwards, must still be done by all.
#include "check.h"

constexpr int largest = 256;

template <int Threads> __global__ void tree(int *out, const int *in) {
  __shared__ int sums[Threads];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * Threads + t];
  __syncthreads();
#pragma unroll
  for (int stride = Threads / 2; stride > 0; stride /= 2) {
    if (t < stride)
      sums[t] += sums[t + stride];
    __syncthreads();
  }
  out[blockIdx.x * Threads + t] = sums[0] + t;
}

// Before the condition, and after the barrier, every thread has something to do.
__global__ void workAround(int *out, int n, int bound) {
  __shared__ int values[largest], chosen;
  const int t = threadIdx.x;
  values[t] = t * n;
  if (t == 0)
    chosen = bound;
  __syncthreads();
  const int other = values[blockDim.x - 1 - t];
  __syncthreads();
  if (t < bound)
    values[t] += 1000;
  __syncthreads();
  if (t < bound && t + n < 40)
    out[blockDim.x + t] = values[t];
  __syncthreads();
  out[t] = values[t] + other + chosen;
}

// The last ones, all but the first ones, or those of a row in the middle are no such threads.
__global__ void others(int *out, int bound) {
  __shared__ int values[largest];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  values[t] = 1;
  __syncthreads();
  if (threadIdx.x < 8)
    values[t] += 10;
  __syncthreads();
  if (t >= bound)
    values[t] += 100;
  __syncthreads();
  if (t - bound < 5)
    values[t] += 1000;
  __syncthreads();
  if (unsigned(t - bound) < 5)
    values[t] += 10000;
  __syncthreads();
  out[t] = values[t];
}

// Two parts between barriers, one of more threads than the other.
template <int Many, int Few> __global__ void twoParts(int *out, int times) {
  __shared__ int values[largest];
  const int t = threadIdx.x;
  values[t] = t;
  __syncthreads();
  if (t < Many)
    values[t] += 1000 * times;
  if (t < Few)
    values[t] *= times;
  __syncthreads();
  if (t < Few)
    values[t] += 5;
  if (t < Many)
    values[t] *= times + 1;
  __syncthreads();
  out[t] = values[t];
}

template <int Many, int Few> static void checkTwoParts() {
  DeviceBuffer<int> out(largest);
  twoParts<Many, Few><<<1, largest>>>(out, 3);
  const auto result = out.download();
  for (int t = 0; t < largest; ++t) {
    int value = t < Many ? t + 3000 : t;
    if (t < Few)
      value = value * 3 + 5;
    CHECK_EQ(result[t], t < Many ? value * 4 : value);
  }
}

template <int Threads> static void checkTree() {
  std::vector<int> input(3 * Threads);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = int(i * i % 1013);
  const DeviceBuffer<int> in(input);
  DeviceBuffer<int> out(input.size());
  tree<Threads><<<3, Threads>>>(out, in);
  const auto result = out.download();
  for (int block = 0; block < 3; ++block) {
    int sum = 0;
    for (int t = 0; t < Threads; ++t)
      sum += input[block * Threads + t];
    for (int t = 0; t < Threads; ++t)
      CHECK_EQ(result[block * Threads + t], sum + t);
  }
}

static void checkWorkAround(int threads, int n, int bound) {
  DeviceBuffer<int> out(2 * largest);
  CHECK_CUDA(cudaMemset(out, 0, 2 * largest * sizeof(int)));
  workAround<<<1, threads>>>(out, n, bound);
  const auto result = out.download();
  for (int t = 0; t < threads; ++t) {
    const int value = t * n + (t < bound ? 1000 : 0);
    CHECK_EQ(result[t], value + (threads - 1 - t) * n + bound);
    CHECK_EQ(result[threads + t], t < bound && t + n < 40 ? value : 0);
  }
}

static void checkOthers(dim3 block, int bound) {
  DeviceBuffer<int> out(largest);
  others<<<1, block>>>(out, bound);
  const auto result = out.download();
  for (int t = 0; t < int(block.x * block.y); ++t) {
    int value = 1 + (t % int(block.x) < 8 ? 10 : 0) + (t >= bound ? 100 : 0);
    value += (t - bound < 5 ? 1000 : 0) + (unsigned(t - bound) < 5 ? 10000 : 0);
    CHECK_EQ(result[t], value);
  }
}

int main() {
  checkTwoParts<100, 10>();
  checkTwoParts<37, 1>();
  checkTwoParts<200, 64>();
  checkTree<32>();
  checkTree<64>();
  checkTree<256>();
  for (const int threads : {32, 64, 96, 160, 256, 100})
    for (const int bound : {0, 1, 31, 32, 33, 64, 100, 255, 300})
      checkWorkAround(threads, 3, bound);
  for (const dim3 block : {dim3(256), dim3(64, 4), dim3(32, 8), dim3(16, 16), dim3(128), dim3(96)})
    for (const int bound : {0, 20, 64, 100, 250})
      checkOthers(block, bound);
  RETURN_RESULT();
}
