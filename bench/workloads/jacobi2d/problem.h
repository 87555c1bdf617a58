// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two steps of Jacobi's method for Laplace's equation on a grid: each point becomes the mean of its
// four neighbours; the edges stay as they are.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace jacobi {

constexpr const char *name = "jacobi2d";
constexpr int steps = 2;

struct Problem {
  int width, height; // the width is a multiple of 16
  bench::Buffer<float> grid;

  explicit Problem(const bench::Options &options)
      : width(options.small ? 320 : 4096), height(options.small ? 101 : 4096), grid(elements()) {
    for (std::size_t i = 0; i < elements(); ++i)
      grid[i] = bench::randomUnit(i);
  }

  std::size_t elements() const { return std::size_t(width) * height; }
  double bytes() const { return steps * 2.0 * sizeof(float) * double(elements()); }
  double flops() const { return steps * 4.0 * double(elements()); }

  std::string check(const bench::Buffer<float> &result) const {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const double expected = after(steps, x, y);
        if (const float actual = result[std::size_t(y) * width + x];
            !bench::close(actual, expected, 1e-6))
          return bench::wrong("point " + std::to_string(x) + ", " + std::to_string(y), actual,
                              expected);
      }
    return "";
  }

private:
  double after(int count, int x, int y) const {
    if (count == 0 || x == 0 || x == width - 1 || y == 0 || y == height - 1)
      return grid[std::size_t(y) * width + x];
    return (after(count - 1, x - 1, y) + after(count - 1, x + 1, y) + after(count - 1, x, y - 1) +
            after(count - 1, x, y + 1)) /
           4;
  }
};

} // namespace jacobi
