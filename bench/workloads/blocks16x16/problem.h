// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Smoothing that keeps edges, by blocks of 16 x 16 threads: a mean of the 5 x 5 pixels around, in
// which those count most that are near and like the pixel itself (a bilateral filter with weights
// closeness / (1 + (difference / contrast)^2)). Beyond its edges, the image goes on with its last
// pixels.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace smoothing {

constexpr const char *name = "blocks16x16";
constexpr int radius = 2;
constexpr int size = 2 * radius + 1;
constexpr float contrast = 0.2f;
constexpr float sharpness = 1 / (contrast * contrast);

struct Problem {
  int width, height;
  bench::Buffer<float> image;
  float closeness[size * size];

  explicit Problem(const bench::Options &options)
      : width(options.small ? 150 : 2048), height(options.small ? 100 : 1024), image(elements()) {
    for (std::size_t i = 0; i < elements(); ++i)
      image[i] = bench::randomUnit(i);
    for (int i = 0; i < size * size; ++i) {
      const int x = i % size - radius, y = i / size - radius;
      closeness[i] = 1.0f / float(1 + x * x + y * y);
    }
  }

  std::size_t elements() const { return std::size_t(width) * height; }
  double bytes() const { return 2.0 * sizeof(float) * double(elements()); }
  double flops() const { return (8.0 * size * size + 1) * double(elements()); }

  std::string check(const bench::Buffer<float> &result) const {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const float actual = result[std::size_t(y) * width + x];
        if (const double expected = expect(x, y); !bench::close(actual, expected, 1e-5))
          return bench::wrong("pixel " + std::to_string(x) + ", " + std::to_string(y), actual,
                              expected);
      }
    return "";
  }

private:
  double expect(int x, int y) const {
    const double own = image[std::size_t(y) * width + x];
    double sum = 0, weights = 0;
    for (int i = 0; i < size * size; ++i) {
      const int column = std::clamp(x + i % size - radius, 0, width - 1);
      const int row = std::clamp(y + i / size - radius, 0, height - 1);
      const double value = image[std::size_t(row) * width + column];
      const double weight = closeness[i] / (1 + (value - own) * (value - own) * sharpness);
      sum += weight * value;
      weights += weight;
    }
    return sum / weights;
  }
};

} // namespace smoothing
