// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

// n is a multiple of TILE.
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[TILE][TILE];
  __shared__ float tileB[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    tileA[y][x] = a[row * n + first + x];
    tileB[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const matmul::Problem problem(options);
  const int n = problem.n;
  const float *a = bench::toDevice(problem.a), *b = bench::toDevice(problem.b);
  float *c = bench::onDevice<float>(problem.elements());
  const dim3 threads(TILE, TILE), blocks(n / TILE, n / TILE);

  return bench::measure(
      options, workload, problem.bytes(), problem.flops(),
      [&] {
        multiply<<<blocks, threads>>>(a, b, c, n);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(c, problem.elements())); });
}
