// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product whose third block dimension splits the depth, with partial sums in shared
// memory: fails if threadIdx.z or a barrier in a 3-D block is wrong.
#include "check.h"
#include "matrix.h"

const int edge = 8, slices = 8;

__global__ void depthParallel(const float *a, const float *b, float *c, int m, int k, int n) {
  __shared__ float partial[slices][edge][edge];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int column = blockIdx.x * edge + x, row = blockIdx.y * edge + y;
  float sum = 0;
  if (row < m && column < n)
    for (int i = z; i < k; i += slices)
      sum += a[row * k + i] * b[i * n + column];
  partial[z][y][x] = sum;
  for (int half = slices / 2; half > 0; half /= 2) {
    __syncthreads();
    if (z < half)
      partial[z][y][x] += partial[z + half][y][x];
  }
  if (z == 0 && row < m && column < n)
    c[row * n + column] = partial[0][y][x];
}

int main() {
  const int m = 37, k = 301, n = 50;
  const Product product(m, k, n);
  DeviceBuffer<float> a(product.a), b(product.b), c(m * n);
  const dim3 grid((n + edge - 1) / edge, (m + edge - 1) / edge);
  depthParallel<<<grid, dim3(edge, edge, slices)>>>(a, b, c, m, k, n);
  product.check(c.download(), 1e-3);
  RETURN_RESULT();
}
