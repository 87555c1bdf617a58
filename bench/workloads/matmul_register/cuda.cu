// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

constexpr int tile = 64;  // of the product, a block's; n is a multiple of it
constexpr int depth = 16; // columns of a, and rows of b, in shared memory at a time
constexpr int per = 4;    // rows and columns of a thread
constexpr int side = tile / per;

__global__ __launch_bounds__(side *side) void multiply(const float *a, const float *b, float *c,
                                                       int n) {
  __shared__ float tileA[depth][tile]; // transposed: a thread reads its rows' values side by side
  __shared__ float tileB[depth][tile];
  const int x = threadIdx.x, y = threadIdx.y, thread = y * side + x;
  const int firstRow = blockIdx.y * tile, firstColumn = blockIdx.x * tile;
  float sums[per][per] = {};

  for (int first = 0; first < n; first += depth) {
    for (int i = thread; i < tile * depth; i += side * side) {
      tileA[i % depth][i / depth] = a[(firstRow + i / depth) * n + first + i % depth];
      tileB[i / tile][i % tile] = b[(first + i / tile) * n + firstColumn + i % tile];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float left[per], right[per];
#pragma unroll
      for (int i = 0; i < per; ++i) {
        left[i] = tileA[k][y * per + i];
        right[i] = tileB[k][x * per + i];
      }
#pragma unroll
      for (int i = 0; i < per; ++i)
#pragma unroll
        for (int j = 0; j < per; ++j)
          sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < per; ++i)
    for (int j = 0; j < per; ++j)
      c[(firstRow + y * per + i) * n + firstColumn + x * per + j] = sums[i][j];
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const matmul::Problem problem(options);
  const int n = problem.n;
  const float *a = bench::toDevice(problem.a), *b = bench::toDevice(problem.b);
  float *c = bench::onDevice<float>(problem.elements());
  const dim3 threads(side, side), blocks(n / tile, n / tile);

  return bench::measure(
      options, workload, problem.bytes(), problem.flops(),
      [&] {
        multiply<<<blocks, threads>>>(a, b, c, n);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(c, problem.elements())); });
}
