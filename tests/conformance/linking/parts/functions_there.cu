// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "functions.h"

__device__ int twice(int value) { return 2 * value; }
__device__ float twice(float value) { return 2 * value; }

__device__ void swapPair(Pair &pair) {
  const int first = pair.first;
  pair.first = pair.second;
  pair.second = first;
}

__device__ int sumOfPair(Pair pair) { return pair.first + pair.second; }

__device__ unsigned ackermannThere(unsigned m, unsigned n) {
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ int blockSum(int value, int *scratch) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = value;
  __syncthreads();
  int sum = 0;
  for (unsigned i = 0; i < blockDim.x / 32; ++i)
    sum += scratch[i];
  return sum;
}

__device__ int reversedFromShared() {
  extern __shared__ int row[];
  return row[blockDim.x - 1 - threadIdx.x];
}
