// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block's threads add to one place in their order, so a sum is rounded the same on every engine.
// hardware: skip a GPU adds in an order that it does not tell
#include "check.h"

#include <cmath>
#include <cstring>

template <class T> __host__ __device__ T numberOf(int i) {
  return T(1) / T(i * 37 % 101 + 1) * (i % 5 == 0 ? T(-100000) : T(1));
}

template <class T> __global__ void add(T *sum, int first, int divisor) {
  __shared__ T here;
  if (threadIdx.x == 0)
    here = T(first);
  __syncthreads();
  if ((threadIdx.x + first) % divisor == 0) {
    atomicAdd(&sum[0], numberOf<T>(threadIdx.x));
    atomicAdd(&here, numberOf<T>(threadIdx.x));
  }
  __syncthreads();
  if (threadIdx.x == 0)
    sum[1] = here;
}

template <class T> static void checkSums(int threads) {
  for (int divisor = 1; divisor < 5; ++divisor) {
    T expected = T(divisor);
    for (int i = 0; i < threads; ++i)
      if ((i + divisor) % divisor == 0)
        expected += numberOf<T>(i);
    DeviceBuffer<T> sum(std::vector<T>{T(divisor), T(0)});
    add<T><<<1, threads>>>(sum, divisor, divisor);
    const auto result = sum.download();
    for (const T &found : result)
      CHECK(std::memcmp(&found, &expected, sizeof expected) == 0);
  }
}

// The last to come to the barrier is a warp in which some have ended.
__global__ void addAfterSomeEnded(float *sum, const int *ends) {
  if (ends[threadIdx.x])
    return;
  __syncthreads();
  atomicAdd(sum, numberOf<float>(threadIdx.x));
}

static void checkEnded() {
  for (const int kept : {1, 2, 3, 31}) {
    std::vector<int> numbers(96);
    float expected = 1;
    for (int i = 0; i < 96; ++i) {
      numbers[i] = i >= 64 && i % kept != kept - 1 && i % 32 != 31;
      if (!numbers[i])
        expected += numberOf<float>(i);
    }
    const DeviceBuffer<int> ends(numbers);
    DeviceBuffer<float> sum(std::vector<float>{1});
    addAfterSomeEnded<<<1, 96>>>(sum, ends);
    CHECK_EQ(sum.download()[0], expected);
  }
}

// Nothing is added that changes a zero's sign.
__global__ void addNothing(float *zeros, const int *none) {
  if (none[threadIdx.x])
    atomicAdd(&zeros[0], 1.0f);
  if (threadIdx.x % 2)
    atomicAdd(&zeros[1], -0.0f);
}

static void checkZeros() {
  DeviceBuffer<float> zeros(std::vector<float>{-0.0f, -0.0f});
  const DeviceBuffer<int> none(std::vector<int>(256));
  addNothing<<<1, 256>>>(zeros, none);
  for (const float zero : zeros.download())
    CHECK(std::signbit(zero));
}

int main() {
  for (const int threads : {1, 32, 50, 128, 256, 777}) {
    checkSums<float>(threads);
    checkSums<double>(threads);
  }
  checkEnded();
  checkZeros();
  RETURN_RESULT();
}
