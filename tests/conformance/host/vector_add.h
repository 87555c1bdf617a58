// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector addition that the memory programs share: c = a + b, each 2^24 elements, with blocks
// of 256 threads and one element a thread.
#pragma once

#include "check.h"

const int vectorLength = 1 << 24;

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

inline void launchAdd(const float *a, const float *b, float *c, int n, cudaStream_t stream = 0) {
  add<<<(n + 255) / 256, 256, 0, stream>>>(a, b, c, n);
  CHECK_CUDA(cudaGetLastError());
}

/// How many of the elements are not `expected`.
inline long long countOthers(const float *values, int n, float expected) {
  long long others = 0;
  for (int i = 0; i < n; ++i)
    others += values[i] != expected;
  return others;
}
