// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows beyond the image are its first or last row again; of the columns, only the outermost ones
// need to look where the image ends.
#include "problem.h"

using smoothing::radius, smoothing::size, smoothing::sharpness;

template <class ColumnOf>
static inline float smoothPixel(const float *const (&rows)[size], const float *closeness, int x,
                                ColumnOf &&columnOf) {
  const float own = rows[radius][x];
  float sum = 0, weights = 0;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) {
      const float value = rows[j][columnOf(x + i - radius)], difference = value - own;
      const float weight = closeness[j * size + i] / (1.0f + difference * difference * sharpness);
      sum += weight * value;
      weights += weight;
    }
  return sum / weights;
}

static void smoothRow(const smoothing::Problem &problem, int y, float *out) {
  const int width = problem.width;
  const float *rows[size];
  for (int j = 0; j < size; ++j)
    rows[j] = problem.image.data() +
              std::size_t(std::clamp(y + j - radius, 0, problem.height - 1)) * width;
#pragma omp simd
  for (int x = radius; x < width - radius; ++x)
    out[x] = smoothPixel(rows, problem.closeness, x, [](int column) { return column; });
  for (int edge = 0; edge < radius; ++edge)
    for (const int x : {edge, width - 1 - edge})
      out[x] = smoothPixel(rows, problem.closeness, x,
                           [&](int column) { return std::clamp(column, 0, width - 1); });
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const smoothing::Problem problem(options);
  bench::Buffer<float> result(problem.elements());

  return bench::measure(
      options, smoothing::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (int y = 0; y < problem.height; ++y)
          smoothRow(problem, y, result.data() + std::size_t(y) * problem.width);
      },
      [&] { return problem.check(result); });
}
