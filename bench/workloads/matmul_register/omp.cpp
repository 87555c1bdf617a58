// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of 64 x 64 of the product, whose factors are copied side by side; within a tile, pieces
// small enough that the compiler keeps their sums in registers.
#include "problem.h"

constexpr int tile = 64;
constexpr int depth = 64;
constexpr int rows = 4; // of a piece, which is as wide as the tile

struct Factors {
  float a[tile][depth], b[depth][tile];
};

static void multiplyPiece(const Factors &factors, float (&c)[tile][tile], int row) {
  float sums[rows][tile];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < tile; ++j)
      sums[i][j] = c[row + i][j];
  for (int k = 0; k < depth; ++k)
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
  for (int first = 0; first < n; first += depth) {
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
