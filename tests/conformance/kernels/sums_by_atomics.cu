// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads add numbers with a point to one place, all of them, some, and in loops; in global and in
// shared memory, in many blocks at a time. The numbers are small whole ones, so any order will do.
#include "check.h"

template <class T> __host__ __device__ T numberOf(int i) { return T(i * 7 % 19 - 9); }

template <class T> __global__ void addAll(T *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, numberOf<T>(i));
}

template <class T> __global__ void addSome(T *sum, const int *chosen, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && chosen[i] % 3 == 1)
    atomicAdd(sum, numberOf<T>(i));
}

template <class T> __global__ void addInLoops(T *sum, const int *chosen, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (int k = 0; k < chosen[i] % 4; ++k)
      atomicAdd(sum, numberOf<T>(i + k));
}

template <class T> __global__ void addPerBlock(T *sums, int n) {
  __shared__ T sum;
  if (threadIdx.x == 0)
    sum = T(0);
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum, numberOf<T>(i));
  __syncthreads();
  if (threadIdx.x % 32 == 5)
    atomicAdd(&sums[blockIdx.x], sum);
}

// A block's row of warps has a place of its own, of which the first lane asks what was there.
template <class T> __global__ void addPerWarp(T *sums, T *found) {
  const int warp = threadIdx.x / 32;
  atomicAdd(&sums[warp], T(threadIdx.x % 32));
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    found[warp] = atomicAdd(&sums[warp], T(1));
}

template <class T> static void checkSums(int n, int threads) {
  const int blocks = (n + threads - 1) / threads;
  std::vector<int> numbers(n);
  T all = 0, some = 0, looped = 0;
  std::vector<T> by_block(blocks);
  const int writers = (threads + 26) / 32; // with 5 as the lane's number
  for (int i = 0; i < n; ++i) {
    numbers[i] = i * 31 % 23;
    all += numberOf<T>(i);
    some += numbers[i] % 3 == 1 ? numberOf<T>(i) : T(0);
    for (int k = 0; k < numbers[i] % 4; ++k)
      looped += numberOf<T>(i + k);
    by_block[i / threads] += numberOf<T>(i) * T(writers);
  }
  const DeviceBuffer<int> chosen(numbers);
  DeviceBuffer<T> sums(std::vector<T>(3)), blocks_sums(std::vector<T>(by_block.size()));
  addAll<T><<<blocks, threads>>>(sums, n);
  addSome<T><<<blocks, threads>>>(sums + 1, chosen, n);
  addInLoops<T><<<3, threads>>>(sums + 2, chosen, n);
  addPerBlock<T><<<blocks, threads>>>(blocks_sums, n);
  const auto result = sums.download();
  CHECK_EQ(result[0], all);
  CHECK_EQ(result[1], some);
  CHECK_EQ(result[2], looped);
  CHECK(blocks_sums.download() == by_block);
}

template <class T> static void checkWarps() {
  DeviceBuffer<T> sums(std::vector<T>(8)), found(8);
  addPerWarp<T><<<1, 256>>>(sums, found);
  const auto last = sums.download(), before = found.download();
  for (int warp = 0; warp < 8; ++warp) {
    CHECK_EQ(before[warp], T(496));
    CHECK_EQ(last[warp], T(497));
  }
}

int main() {
  for (const int n : {1, 31, 256, 1000, 100'000})
    for (const int threads : {32, 96, 128, 256, 1000}) {
      checkSums<float>(n, threads);
      checkSums<double>(n, threads);
    }
  checkWarps<float>();
  checkWarps<double>();
  RETURN_RESULT();
}
