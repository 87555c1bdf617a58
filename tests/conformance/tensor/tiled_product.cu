// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of larger matrices by wmma through shared memory, warps that leave early because their
// tile is outside, and a loop whose length differs between warps.
// flags: -arch=sm_80 -std=c++17
// env: HEDDLE_GPU=a100
#include "tensor_check.h"

#include <mma.h>

using namespace nvcuda;

constexpr int tile = 16, warps = 4;

__global__ void product(const half *a, const half *b, float *c, int rows, int columns, int depth) {
  __shared__ half a_tile[tile][tile + 8];
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.y * tile, column = (blockIdx.x * warps + warp) * tile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < depth; k += tile) {
    for (int i = threadIdx.x; i < tile * tile; i += blockDim.x)
      a_tile[i / tile][i % tile] = a[(row + i / tile) * depth + k + i % tile];
    __syncthreads();
    if (column < columns) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_part;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b_part;
      wmma::load_matrix_sync(a_part, &a_tile[0][0], tile + 8);
      wmma::load_matrix_sync(b_part, b + k * columns + column, columns);
      wmma::mma_sync(sum, a_part, b_part, sum);
    }
    __syncthreads();
  }
  if (column < columns)
    wmma::store_matrix_sync(c + row * columns + column, sum, columns, wmma::mem_row_major);
}

// Warp w adds up w + 1 products.
__global__ void lengths(const half *a, float *c) {
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> ones;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::fill_fragment(ones, __float2half(1.0f));
  for (int i = 0; i <= warp; ++i) {
    wmma::load_matrix_sync(a_part, a + i * 256, 16);
    wmma::mma_sync(sum, a_part, ones, sum);
  }
  wmma::store_matrix_sync(c + warp * 256, sum, 16, wmma::mem_row_major);
}

int main() {
  const int rows = 48, columns = 80, depth = 64;
  const auto a = matrixOf<half>(rows, depth, true, depth, 1, 5);
  const auto b = matrixOf<half>(depth, columns, true, columns, 2, 5);
  DeviceBuffer<half> a_there(a), b_there(b);
  DeviceBuffer<float> c_there(rows * columns);
  product<<<dim3((columns / tile + warps - 1) / warps, rows / tile), 32 * warps>>>(
      a_there, b_there, c_there, rows, columns, depth);
  std::vector<float> c = c_there.download();
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      float sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += __half2float(a[size_t(row * depth + k)]) *
               __half2float(b[size_t(k * columns + column)]);
      CHECK_EQ(c[size_t(row * columns + column)], sum);
    }
  lengths<<<1, 128>>>(a_there, c_there);
  c = c_there.download();
  for (int i = 0; i < 4 * 256; ++i) {
    float sum = 0;
    for (int part = 0; part <= i / 256; ++part)
      for (int k = 0; k < 16; ++k)
        sum += __half2float(a[size_t(part * 256 + i % 256 / 16 * 16 + k)]);
    CHECK_EQ(c[size_t(i)], sum);
  }
  RETURN_RESULT();
}
