// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

#include "common/matmul_cuda.h"
