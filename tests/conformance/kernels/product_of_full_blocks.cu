// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tiled product with blocks of 1024 threads, the most there are, and its inner loop unrolled: the
// 64 addresses in the tiles differ by constants, so a thread needs less than the 64 registers that
// it may have (CUDA guide, "Maximum Number of Registers per Thread").
#include "check.h"

const int tile = 32;

__global__ void multiply(const int *a, const int *b, int *c, int rows, int inner, int columns) {
  __shared__ int tileA[tile][tile], tileB[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  int sum = 0;
  for (int first = 0; first < inner; first += tile) {
    tileA[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0;
    tileB[y][x] = first + y < inner && column < columns ? b[(first + y) * columns + column] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k)
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

int main() {
  const int rows = 70, inner = 50, columns = 45;
  std::vector<int> a(rows * inner), b(inner * columns);
  for (int i = 0; i < rows * inner; ++i)
    a[i] = i * 7 % 31 - 11;
  for (int i = 0; i < inner * columns; ++i)
    b[i] = i * 5 % 23 - 9;
  DeviceBuffer<int> deviceA(a), deviceB(b), deviceC(rows * columns);
  const dim3 blocks((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  multiply<<<blocks, dim3(tile, tile)>>>(deviceA, deviceB, deviceC, rows, inner, columns);
  CHECK_EQ(int(cudaGetLastError()), int(cudaSuccess));
  const std::vector<int> c = deviceC.download();
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      int sum = 0;
      for (int k = 0; k < inner; ++k)
        sum += a[row * inner + k] * b[k * columns + column];
      CHECK_EQ(c[row * columns + column], sum);
    }
  RETURN_RESULT();
}
