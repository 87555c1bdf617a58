// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Mandelbrot set: how many steps of z = z^2 + c each pixel's c takes to leave the circle of
// radius 2. Nothing but arithmetic, in a loop that neighbours leave at different times.
#pragma once

#include "common/data.h"
#include "common/measure.h"
#include <vector>

namespace mandelbrot {

constexpr const char *name = "mandelbrot";
constexpr int maxSteps = 512; // a pixel that is still inside then counts as one of the set

struct Problem {
  int width, height;
  float left = -2.2f, top = -1.2f, step; // of the picture, in the complex plane
  std::vector<int> expected;             // steps of each pixel
  double total = 0;                      // their sum

  explicit Problem(const bench::Options &options)
      : width(options.small ? 203 : 1024), height(options.small ? 151 : 768), step(3.2f / width) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        expected.push_back(steps(x, y));
        total += expected.back();
      }
  }

  double bytes() const { return sizeof(int) * double(width) * height; }
  double flops() const { return 8 * total; } // three products, five sums

  /// Rounding, for example whether products and sums are fused, decides when points close to the
  /// set's border leave; so a few pixels may differ.
  std::string check(const bench::Buffer<int> &result) const {
    std::size_t different = 0, first = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (result[i] != expected[i] && different++ == 0)
        first = i;
    if (different <= expected.size() / 200)
      return "";
    return std::to_string(different) + " pixels are wrong; " +
           bench::wrong("pixel " + std::to_string(first), result[first], expected[first]);
  }

private:
  int steps(int x, int y) const {
    const float c_re = left + step * float(x), c_im = top + step * float(y);
    float re = 0, im = 0;
    int count = 0;
    for (; count < maxSteps && re * re + im * im <= 4; ++count) {
      const float next = re * re - im * im + c_re;
      im = 2 * re * im + c_im;
      re = next;
    }
    return count;
  }
};

} // namespace mandelbrot
