// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of several output rows by two vectors are kept in registers while the rows of the input
// above, in and below them go by, for one column of the filter after the other: a vector of the
// input, once loaded, is used for as many rows of the output as the filter is high. Blocks at an
// edge get a copy of what they see, with black around it.
#include "common/stream.h"
#include "problem.h"

using bench::Floats, bench::lanes;
using convolution::radius, convolution::size;

constexpr int rows = bench::vectorBytes == 64 ? 8 : 4, vectors = bench::vectorBytes == 64 ? 2 : 1;
constexpr int columns = vectors * int(lanes);

// `in` is the corner of what the block at `out` sees.
static inline void filterBlock(const float *in, int inStride, const float *filter, float *out,
                               int outStride) {
  Floats sums[rows][vectors] = {};
  for (int i = 0; i < size; ++i) {
    Floats column[size];
    for (int j = 0; j < size; ++j)
      column[j] = bench::splat(filter[j * size + i]);
#pragma clang loop unroll(full)
    for (int y = 0; y < rows + 2 * radius; ++y)
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v) {
        const Floats values = bench::load(in + y * inStride + i + v * lanes);
#pragma clang loop unroll(full)
        for (int row = 0; row < rows; ++row)
          if (y - row >= 0 && y - row < size)
            sums[row][v] = column[y - row] * values + sums[row][v];
      }
  }
  for (int row = 0; row < rows; ++row)
    for (int v = 0; v < vectors; ++v)
      bench::store(out + row * outStride + v * lanes, sums[row][v]);
}

static void filterEdge(const convolution::Problem &problem, int left, int top, float *out) {
  constexpr int inStride = columns + 2 * radius;
  const int width = problem.width, height = problem.height;
  float in[(rows + 2 * radius) * inStride] = {}, block[rows * columns];
  const int bottom = std::min(top + rows, height), right = std::min(left + columns, width);
  for (int y = std::max(top - radius, 0); y < std::min(bottom + radius, height); ++y)
    for (int x = std::max(left - radius, 0); x < std::min(right + radius, width); ++x)
      in[(y - top + radius) * inStride + x - left + radius] = problem.image[y * width + x];
  filterBlock(in, inStride, problem.filter, block, columns);
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x)
      out[y * width + x] = block[(y - top) * columns + x - left];
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const convolution::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const float *image = problem.image.data();
  bench::Buffer<float> result(problem.elements());
  float *out = result.data();

  return bench::measure(
      options, convolution::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (int y = 0; y < height; y += rows)
          for (int x = 0; x < width; x += columns)
            if (y >= radius && y + rows + radius <= height && x >= radius &&
                x + columns + radius <= width)
              filterBlock(image + (y - radius) * width + x - radius, width, problem.filter,
                          out + y * width + x, width);
            else
              filterEdge(problem, x, y, out);
      },
      [&] { return problem.check(result); });
}
