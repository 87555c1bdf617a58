// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product, one thread an element, with rows on x (uncoalesced) and columns on x: shapes
// that divide no block size show index mistakes.
#include "check.h"
#include "matrix.h"

__global__ void rowsOnX(const float *a, const float *b, float *c, int m, int k, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

__global__ void columnsOnX(const float *a, const float *b, float *c, int m, int k, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

int main() {
  const int m = 67, k = 45, n = 83;
  const Product product(m, k, n);
  DeviceBuffer<float> a(product.a), b(product.b), c(m * n), d(m * n);
  const dim3 block(16, 16);
  rowsOnX<<<dim3((m + 15) / 16, (n + 15) / 16), block>>>(a, b, c, m, k, n);
  columnsOnX<<<dim3((n + 15) / 16, (m + 15) / 16), block>>>(a, b, d, m, k, n);
  product.check(c.download(), 1e-3);
  product.check(d.download(), 1e-3);
  RETURN_RESULT();
}
