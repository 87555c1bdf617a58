// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A x B twice: the plain way, and with tiles in shared memory.
//
// Each thread computes one element of C: the sum over k of A[row][k] * B[k][column]. In the plain
// kernel every thread reads a whole row of A and a whole column of B from global memory, and the
// threads of a block read the same numbers again and again.
//
// Shared memory is small, fast and common to the threads of one block. The tiled kernel goes along
// k in steps of TILE. In each step the block's threads load one TILE x TILE piece of A and of B,
// each thread one element, and then all of them use all of it: a number that was loaded once serves
// TILE threads, so global memory is read TILE times less.
#include "../check.h"

#include <vector>

constexpr int TILE = 16;

// Neighbouring threads (x) have neighbouring columns: a warp reads B and writes C in whole rows,
// which the memory system delivers in few pieces ("coalesced").
__global__ void multiply(const float *a, const float *b, float *c, int m, int k, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

__global__ void multiplyTiled(const float *a, const float *b, float *c, int m, int k, int n) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < k; start += TILE) {
    // At the edges some threads have nothing to load. They put a zero, which adds nothing; they
    // must not return, because every thread of the block has to come to the barriers below.
    int a_column = start + threadIdx.x;
    int b_row = start + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && a_column < k ? a[row * k + a_column] : 0;
    tile_b[threadIdx.y][threadIdx.x] = b_row < k && column < n ? b[b_row * n + column] : 0;
    __syncthreads(); // the tiles are complete before anyone reads them

    for (int i = 0; i < TILE; ++i)
      sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads(); // everyone is done before the tiles are overwritten
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

// Small whole numbers: their sums are exact in float, so that the results can be compared for
// equality.
std::vector<float> numbers(int count, int seed) {
  std::vector<float> result(count);
  for (int i = 0; i < count; ++i)
    result[i] = static_cast<float>((i * 7 + seed) % 11 - 5);
  return result;
}

bool sameAsHost(const std::vector<float> &a, const std::vector<float> &b,
                const std::vector<float> &c, int m, int k, int n) {
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum += a[row * k + i] * b[i * n + column];
      if (c[row * n + column] != sum)
        return false;
    }
  }
  return true;
}

int main() {
  const int m = 200, k = 150, n = 170; // none is a multiple of TILE
  std::vector<float> a = numbers(m * k, 1), b = numbers(k * n, 2), c(m * n);
  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc(&d_a, a.size() * sizeof(float)));
  CHECK(cudaMalloc(&d_b, b.size() * sizeof(float)));
  CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));
  CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

  const dim3 block(TILE, TILE);
  const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  bool right = true;
  for (bool tiled : {false, true}) {
    CHECK(cudaMemset(d_c, 0xff, c.size() * sizeof(float))); // no result is left from the other one
    if (tiled)
      multiplyTiled<<<grid, block>>>(d_a, d_b, d_c, m, k, n);
    else
      multiply<<<grid, block>>>(d_a, d_b, d_c, m, k, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    bool same = sameAsHost(a, b, c, m, k, n);
    right = right && same;
    // Plain: every element of C takes k numbers of A and of B. Tiled: every row of A is loaded once
    // for each block along n, every column of B once for each block along m.
    long loads = tiled ? 1l * m * k * grid.x + 1l * k * n * grid.y : 2l * m * n * k;
    std::printf("%-5s %8ld numbers read from global memory, result %s\n", tiled ? "tiled" : "plain",
                loads, same ? "right" : "WRONG");
  }
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  return right ? 0 : 1;
}
