// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Straight from input to output, in squares of a cache line's width, so that no line is brought
// twice, and along rows of the input, which the hardware then fetches ahead.
#include "problem.h"

constexpr int side = 16;

static inline void transposeTile(const float *in, float *out, int width, int height, int columns,
                                 int rows) {
  for (int x = 0; x < columns; ++x)
    for (int y = 0; y < rows; ++y)
      out[x * height + y] = in[y * width + x];
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const transpose::Problem problem(options);
  const int width = problem.width, height = problem.height;
  bench::Buffer<float> output(problem.elements());
  const float *in = problem.input.data();
  float *out = output.data();

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
#pragma omp parallel for
        for (int y = 0; y < height; y += side)
          for (int x = 0; x < width; x += side) {
            const int columns = std::min(side, width - x), rows = std::min(side, height - y);
            if (columns == side && rows == side) // with loops of known length
              transposeTile(in + y * width + x, out + x * height + y, width, height, side, side);
            else
              transposeTile(in + y * width + x, out + x * height + y, width, height, columns, rows);
          }
      },
      [&] { return problem.check(output); });
}
