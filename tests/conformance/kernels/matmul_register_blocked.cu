// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product with 1-D and 2-D register blocks and float4 loads: per-thread arrays with
// unrolled and dynamic indices must keep their values across barriers.
#include "check.h"
#include "matrix.h"

// Block tile 64 x 64, depth tile 8; each thread computes 8 rows of one column.
__global__ void blocked1d(const float *a, const float *b, float *c, int k, int n) {
  __shared__ float tileA[64][8], tileB[8][64];
  const int t = threadIdx.x, column = t % 64, group = t / 64;
  float sums[8] = {};
  for (int start = 0; start < k; start += 8) {
    tileA[t / 8][t % 8] = a[(blockIdx.y * 64 + t / 8) * k + start + t % 8];
    tileB[group][column] = b[(start + group) * n + blockIdx.x * 64 + column];
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      const float factor = tileB[i][column];
#pragma unroll
      for (int r = 0; r < 8; ++r)
        sums[r] += tileA[group * 8 + r][i] * factor;
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    c[(blockIdx.y * 64 + group * 8 + r) * n + blockIdx.x * 64 + column] = sums[r];
}

// Block tile 64 x 64, depth tile 16; 256 threads compute 4 x 4 elements each.
__global__ void blocked2d(const float *a, const float *b, float *c, int k, int n) {
  __shared__ __align__(16) float tileA[16][64]; // transposed, so that a column is contiguous
  __shared__ __align__(16) float tileB[16][64];
  const int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  float sums[4][4] = {};
  for (int start = 0; start < k; start += 16) {
    const int rowA = t / 4, depthA = t % 4 * 4;
    const float4 fromA =
        *reinterpret_cast<const float4 *>(&a[(blockIdx.y * 64 + rowA) * k + start + depthA]);
    tileA[depthA + 0][rowA] = fromA.x;
    tileA[depthA + 1][rowA] = fromA.y;
    tileA[depthA + 2][rowA] = fromA.z;
    tileA[depthA + 3][rowA] = fromA.w;
    *reinterpret_cast<float4 *>(&tileB[t / 16][x]) =
        *reinterpret_cast<const float4 *>(&b[(start + t / 16) * n + blockIdx.x * 64 + x]);
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      const float4 column = *reinterpret_cast<const float4 *>(&tileA[i][y]);
      const float4 row = *reinterpret_cast<const float4 *>(&tileB[i][x]);
      const float left[4] = {column.x, column.y, column.z, column.w};
      const float right[4] = {row.x, row.y, row.z, row.w};
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int s = 0; s < 4; ++s)
          sums[r][s] += left[r] * right[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    *reinterpret_cast<float4 *>(&c[(blockIdx.y * 64 + y + r) * n + blockIdx.x * 64 + x]) =
        make_float4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
}

int main() {
  const int m = 128, k = 96, n = 192;
  const Product product(m, k, n);
  DeviceBuffer<float> a(product.a), b(product.b), c(m * n), d(m * n);
  const dim3 grid(n / 64, m / 64);
  blocked1d<<<grid, 512>>>(a, b, c, k, n);
  blocked2d<<<grid, 256>>>(a, b, d, k, n);
  product.check(c.download(), 1e-3);
  product.check(d.download(), 1e-3);
  RETURN_RESULT();
}
