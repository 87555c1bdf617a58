// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

using life::Cell;

/// A row of the next generation. The sums are bytes, so that a vector holds as many of them as
/// cells.
static void nextRow(Cell *next, const Cell *above, const Cell *row, const Cell *below, int width) {
  const auto cell = [&](int left, int x, int right) {
    const Cell neighbours = above[left] + above[x] + above[right] + row[left] + row[right] +
                            below[left] + below[x] + below[right];
    next[x] = (neighbours | row[x]) == 3; // three, or two and alive
  };
  cell(width - 1, 0, 1);
#pragma omp simd
  for (int x = 1; x < width - 1; ++x)
    cell(x - 1, x, x + 1);
  cell(width - 2, width - 1, 0);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const life::Problem problem(options);
  const int width = problem.width, height = problem.height;
  bench::Buffer<Cell> even(problem.cells()), odd(problem.cells());

  const auto run = [&] {
    for (int g = 0; g < problem.generations; ++g) {
      Cell *next = g % 2 ? odd.data() : even.data();
      const Cell *field = g == 0 ? problem.start.data() : g % 2 ? even.data() : odd.data();
#pragma omp parallel for
      for (int y = 0; y < height; ++y)
        nextRow(next + y * width, field + (y + height - 1) % height * width, field + y * width,
                field + (y + 1) % height * width, width);
    }
  };
  return bench::measure(options, life::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(odd); });
}
