// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of the tiled matmul workloads' OpenMP variants, which define `workload`, their name,
// and `tile`, which n is a multiple of.
//
// A tile of the product at a time; the tiles of the factors are copied side by side, because rows
// of a matrix whose size is a power of two push each other out of the cache. Within a tile, pieces
// small enough that the compiler keeps their sums in registers.
#pragma once

#include "common/matmul.h"

constexpr int rows = 4; // of a piece, which is as wide as the tile

struct Factors {
  float a[tile][tile], b[tile][tile];
};

static void multiplyPiece(const Factors &factors, float (&c)[tile][tile], int row) {
  float sums[rows][tile];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < tile; ++j)
      sums[i][j] = c[row + i][j];
  for (int k = 0; k < tile; ++k)
    for (int i = 0; i < rows; ++i)
#pragma omp simd
      for (int j = 0; j < tile; ++j)
        sums[i][j] += factors.a[row + i][k] * factors.b[k][j];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < tile; ++j)
      c[row + i][j] = sums[i][j];
}

// The tile of c at (row, column).
static void multiplyTile(const float *a, const float *b, float *c, int n, int row, int column) {
  Factors factors;
  float sums[tile][tile] = {};
  for (int first = 0; first < n; first += tile) {
    for (int i = 0; i < tile; ++i)
      for (int j = 0; j < tile; ++j) {
        factors.a[i][j] = a[(row + i) * n + first + j];
        factors.b[i][j] = b[(first + i) * n + column + j];
      }
    for (int i = 0; i < tile; i += rows)
      multiplyPiece(factors, sums, i);
  }
  for (int i = 0; i < tile; ++i)
    for (int j = 0; j < tile; ++j)
      c[(row + i) * n + column + j] = sums[i][j];
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const matmul::Problem problem(options);
  const int n = problem.n;
  bench::Buffer<float> product(problem.elements());
  const float *a = problem.a.data(), *b = problem.b.data();
  float *c = product.data();

  return bench::measure(
      options, workload, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for collapse(2)
        for (int row = 0; row < n; row += tile)
          for (int column = 0; column < n; column += tile)
            multiplyTile(a, b, c, n, row, column);
      },
      [&] { return problem.check(product); });
}
