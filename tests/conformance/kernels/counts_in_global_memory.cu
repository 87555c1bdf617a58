// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in global memory to which all threads of a grid add, as each first histogram does: of
// several sizes and types, behind the beginning of an allocation, several at a time, by launches
// that run together; and kernels that look at what they count, or count it by two pointers.
#include "check.h"

#include <cstdint>

constexpr int n = 100000;

__global__ void countKeys(const unsigned char *keys, int *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&counts[keys[i]], 1);
}

template <class T> __global__ void countInSteps(const unsigned char *keys, T *counts, T amount) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(counts + keys[i], T(amount + i % 3));
}

__global__ void takeAway(const unsigned char *keys, unsigned *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicSub(&counts[keys[i]], 3u);
}

// Below the pointer, too.
__global__ void countAround(const unsigned char *keys, int *middle) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&middle[keys[i] - 128], 1);
}

__global__ void countThree(const unsigned char *keys, int *a, unsigned long long *b, int *c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&a[keys[i]], 1);
  atomicAdd(&b[keys[i] / 2], 5000000000ull);
  if (keys[i] % 2)
    atomicAdd(c, 1);
}

// Blocks count in shared memory first.
__global__ void countByBlocks(const unsigned char *keys, int *counts) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[keys[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// Every thread asks what it has counted before, of which it alone knows.
__global__ void countAndLook(const unsigned char *keys, int *counts, int *found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&counts[i], keys[i]);
  atomicAdd(&counts[i], 1);
  found[i] = counts[i];
}

__global__ void countAndLookByAnother(const unsigned char *keys, int *counts, const int *same,
                                      int *found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&counts[i], keys[i]);
  __threadfence_block();
  found[i] = *(const volatile int *)&same[i];
}

// The last block adds up what all have counted (CUDA guide, "Memory Fence Functions").
__global__ void lastOneLooks(const unsigned char *keys, int *counts, unsigned *done, int *sum) {
  __shared__ bool last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&counts[keys[i]], 1);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last)
    atomicAdd(sum, ((volatile int *)counts)[threadIdx.x] * int(threadIdx.x));
}

static std::vector<unsigned char> keysOf(int kinds) {
  std::vector<unsigned char> keys(n);
  unsigned number = 12345;
  for (auto &key : keys) {
    number = number * 1664525 + 1013904223;
    key = (unsigned char)((number >> 16) % kinds);
  }
  return keys;
}

template <class T, class Amount>
static std::vector<T> expected(const std::vector<unsigned char> &keys, Amount amount, T first = 0) {
  std::vector<T> result(256, first);
  for (int i = 0; i < n; ++i)
    result[keys[i]] = T(result[keys[i]] + T(amount(i)));
  return result;
}

template <class T> static void checkAll(const std::vector<T> &found, const std::vector<T> &wanted) {
  for (size_t i = 0; i < wanted.size(); ++i)
    CHECK_EQ(found[i], wanted[i]);
}

constexpr int blocks = (n + 255) / 256;
static int one(int) { return 1; }

static void checkSimple(const std::vector<unsigned char> &all) {
  const DeviceBuffer<unsigned char> keys(all);
  DeviceBuffer<int> counts(std::vector<int>(256, 10));
  countKeys<<<blocks, 256>>>(keys, counts);
  checkAll(counts.download(), expected<int>(all, one, 10));
  countByBlocks<<<50, 256>>>(keys, counts);
  countKeys<<<(n + 95) / 96, 96>>>(keys, counts);
  checkAll(counts.download(), expected<int>(all, [](int) { return 3; }, 10));
  DeviceBuffer<unsigned> down(std::vector<unsigned>(256, 5));
  takeAway<<<blocks, 256>>>(keys, down);
  checkAll(down.download(), expected<unsigned>(all, [](int) { return -3; }, 5));
}

template <class T> static void checkSteps(const std::vector<unsigned char> &all, T amount) {
  const DeviceBuffer<unsigned char> keys(all);
  DeviceBuffer<T> counts(std::vector<T>(256, 1));
  countInSteps<T><<<37, 128>>>(keys, counts, amount);
  checkAll(counts.download(), expected<T>(all, [&](int i) { return T(amount + i % 3); }, T(1)));
}

static void checkAround(const std::vector<unsigned char> &all) {
  const DeviceBuffer<unsigned char> keys(all);
  DeviceBuffer<int> counts(std::vector<int>(256, 0));
  countAround<<<blocks, 256>>>(keys, counts.data() + 128);
  checkAll(counts.download(), expected<int>(all, one));
}

static void checkThree(const std::vector<unsigned char> &all) {
  const DeviceBuffer<unsigned char> keys(all);
  DeviceBuffer<int> a(std::vector<int>(256, 0)), c(std::vector<int>(1, 0));
  DeviceBuffer<unsigned long long> b(std::vector<unsigned long long>(256, 0));
  countThree<<<blocks, 256>>>(keys, a, b, c);
  checkAll(a.download(), expected<int>(all, one));
  std::vector<unsigned long long> halves(256);
  int odd = 0;
  for (const unsigned char key : all) {
    halves[key / 2] += 5000000000ull;
    odd += key % 2;
  }
  checkAll(b.download(), halves);
  CHECK_EQ(c.download()[0], odd);
  // Two parts of one allocation, counted by two pointers, and one array by both.
  DeviceBuffer<int> both(std::vector<int>(257, 0));
  countThree<<<blocks, 256>>>(keys, both, b, both.data() + 256);
  CHECK_EQ(both.download()[256], odd);
  countThree<<<blocks, 256>>>(keys, both, b, both);
  const auto twice = both.download();
  const auto once = expected<int>(all, one);
  CHECK_EQ(twice[0], 2 * once[0] + odd);
  CHECK_EQ(twice[7], 2 * once[7]);
}

static void checkLooks(const std::vector<unsigned char> &all) {
  const DeviceBuffer<unsigned char> keys(all);
  DeviceBuffer<int> counts(std::vector<int>(n, 2)), found(std::vector<int>(n, 0));
  countAndLook<<<blocks, 256>>>(keys, counts, found);
  const auto looked = found.download();
  for (int i = 0; i < n; i += 97)
    CHECK_EQ(looked[i], 3 + all[i]);
  countAndLookByAnother<<<blocks, 256>>>(keys, counts, counts, found);
  const auto again = found.download();
  for (int i = 0; i < n; i += 97)
    CHECK_EQ(again[i], 3 + 2 * all[i]);
  DeviceBuffer<int> few(std::vector<int>(256, 0)), sum(std::vector<int>(1, 0));
  DeviceBuffer<unsigned> done(std::vector<unsigned>(1, 0));
  lastOneLooks<<<blocks, 256>>>(keys, few, done, sum);
  int wanted = 0;
  for (const unsigned char key : all)
    wanted += key;
  CHECK_EQ(sum.download()[0], wanted);
}

static void checkTogether(const std::vector<unsigned char> &all) {
  const DeviceBuffer<unsigned char> keys(all);
  DeviceBuffer<int> counts(std::vector<int>(256, 0));
  cudaStream_t streams[4];
  for (auto &stream : streams)
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int round = 0; round < 3; ++round)
    for (auto &stream : streams)
      countKeys<<<blocks, 256, 0, stream>>>(keys, counts);
  CHECK_CUDA(cudaDeviceSynchronize());
  checkAll(counts.download(), expected<int>(all, [](int) { return 12; }));
  for (auto &stream : streams)
    CHECK_CUDA(cudaStreamDestroy(stream));
}

int main() {
  for (const int kinds : {256, 3}) {
    const auto all = keysOf(kinds);
    checkSimple(all);
    checkSteps<int>(all, 2);
    checkSteps<unsigned long long>(all, 1ull << 33);
    checkAround(all);
    checkThree(all);
    checkLooks(all);
    checkTogether(all);
  }
  RETURN_RESULT();
}
