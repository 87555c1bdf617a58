// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product with shared tiles of 16 and 32 for exact sizes, and with bounds for any size:
// 1000x500 by 500x700 with tile 10 agrees with the host within 0.1 %.
#include "check.h"
#include "matrix.h"

template <int tile> __global__ void exactTiles(const float *a, const float *b, float *c, int size) {
  __shared__ float tileA[tile][tile], tileB[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int start = 0; start < size; start += tile) {
    tileA[y][x] = a[row * size + start + x];
    tileB[y][x] = b[(start + y) * size + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += tileA[y][i] * tileB[i][x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}

template <int tile>
__global__ void boundedTiles(const float *a, const float *b, float *c, int m, int k, int n) {
  __shared__ float tileA[tile][tile], tileB[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int start = 0; start < k; start += tile) {
    tileA[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
    tileB[y][x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += tileA[y][i] * tileB[i][x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

template <int tile> static void checkBounded(int m, int k, int n) {
  const Product product(m, k, n);
  DeviceBuffer<float> a(product.a), b(product.b), c(m * n);
  const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
  boundedTiles<tile><<<grid, dim3(tile, tile)>>>(a, b, c, m, k, n);
  product.check(c.download(), 1e-3);
}

int main() {
  const int size = 128;
  const Product product(size, size, size);
  DeviceBuffer<float> a(product.a), b(product.b), c(size * size), d(size * size);
  exactTiles<16><<<dim3(size / 16, size / 16), dim3(16, 16)>>>(a, b, c, size);
  exactTiles<32><<<dim3(size / 32, size / 32), dim3(32, 32)>>>(a, b, d, size);
  product.check(c.download(), 1e-3);
  product.check(d.download(), 1e-3);
  checkBounded<10>(1000, 500, 700);
  checkBounded<16>(33, 70, 17);
  checkBounded<32>(5, 100, 3);
  RETURN_RESULT();
}
