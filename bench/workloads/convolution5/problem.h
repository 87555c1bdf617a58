// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image filtered with a 5 x 5 matrix that is not a product of two vectors. The image is black
// outside.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace convolution {

constexpr const char *name = "convolution5";
constexpr int radius = 2;
constexpr int size = 2 * radius + 1;

struct Problem {
  int width, height;
  bench::Buffer<float> image;
  float filter[size * size];

  explicit Problem(const bench::Options &options)
      : width(options.small ? 150 : 2048), height(options.small ? 100 : 2048), image(elements()) {
    for (std::size_t i = 0; i < elements(); ++i)
      image[i] = bench::randomUnit(i);
    for (int i = 0; i < size * size; ++i)
      filter[i] = bench::randomUnit(i + 1000) / 16;
  }

  std::size_t elements() const { return std::size_t(width) * height; }
  double bytes() const { return 2.0 * sizeof(float) * double(elements()); }
  double flops() const { return 2.0 * size * size * double(elements()); }

  std::string check(const bench::Buffer<float> &result) const {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        double expected = 0;
        for (int j = -radius; j <= radius; ++j)
          for (int i = -radius; i <= radius; ++i)
            if (y + j >= 0 && y + j < height && x + i >= 0 && x + i < width)
              expected += double(filter[(j + radius) * size + i + radius]) *
                          image[std::size_t(y + j) * width + x + i];
        if (const float actual = result[std::size_t(y) * width + x];
            !bench::close(actual, expected, 1e-5))
          return bench::wrong("pixel " + std::to_string(x) + ", " + std::to_string(y), actual,
                              expected);
      }
    return "";
  }
};

} // namespace convolution
