// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels near an edge look where the image ends; all others, a row at a time, need not.
#include "problem.h"

using convolution::radius;
using convolution::size;

static float atEdge(const convolution::Problem &problem, int x, int y) {
  float sum = 0;
  for (int j = std::max(y - radius, 0); j <= std::min(y + radius, problem.height - 1); ++j)
    for (int i = std::max(x - radius, 0); i <= std::min(x + radius, problem.width - 1); ++i)
      sum += problem.filter[(j - y + radius) * size + i - x + radius] *
             problem.image[std::size_t(j) * problem.width + i];
  return sum;
}

static void filterRow(const convolution::Problem &problem, int y, float *out) {
  const int width = problem.width;
  const float *in = problem.image.data() + std::size_t(y) * width, *filter = problem.filter;
#pragma omp simd
  for (int x = radius; x < width - radius; ++x) {
    float sum = 0;
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i)
        sum += filter[j * size + i] * in[(j - radius) * width + x + i - radius];
    out[x] = sum;
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const convolution::Problem problem(options);
  const int width = problem.width, height = problem.height;
  bench::Buffer<float> result(problem.elements());

  return bench::measure(
      options, convolution::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (int y = 0; y < height; ++y) {
          float *out = result.data() + std::size_t(y) * width;
          const bool inside = y >= radius && y < height - radius;
          if (inside)
            filterRow(problem, y, out);
          for (int x = 0; x < width; ++x)
            if (!inside || x < radius || x >= width - radius)
              out[x] = atEdge(problem, x, y);
            else
              x = width - radius - 1;
        }
      },
      [&] { return problem.check(result); });
}
