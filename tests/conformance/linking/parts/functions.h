// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

struct Pair {
  int first, second;
};

extern __device__ int twice(int value);
extern __device__ float twice(float value);
__device__ void swapPair(Pair &pair);
__device__ int sumOfPair(Pair pair);
__device__ unsigned ackermann(unsigned m, unsigned n);
__device__ unsigned ackermannThere(unsigned m, unsigned n);
__device__ int blockSum(int value, int *scratch);
__device__ int reversedFromShared();
