// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image is rotated: each pixel of the result is a bilinear mean of four, at a place of its own.
#pragma once

#include "common/data.h"
#include "common/measure.h"

#include <algorithm>
#include <cmath>

namespace image_rotation {

constexpr const char *name = "image_rotation";
constexpr float angle = 0.5f;

struct Problem {
  int width, height;
  float cosine = std::cos(angle), sine = std::sin(angle);
  bench::Buffer<float> image;

  explicit Problem(const bench::Options &options)
      : width(options.small ? 200 : 2048), height(options.small ? 100 : 2048),
        image(std::size_t(width) * height) {
    for (std::size_t i = 0; i < image.size(); ++i)
      image[i] = bench::randomUnit(i);
  }

  double bytes() const { return 2.0 * sizeof(float) * double(image.size()); }
  double flops() const { return 20.0 * double(image.size()); }

  float pixel(int x, int y) const {
    return image[std::size_t(std::clamp(y, 0, height - 1)) * width + std::clamp(x, 0, width - 1)];
  }

  // Textures weigh by 1/256, so the bound is one step along each axis.
  std::string check(const bench::Buffer<float> &result) const {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const float u = float(x - width / 2) + 0.5f, v = float(y - height / 2) + 0.5f;
        const double px = double(u) * cosine - double(v) * sine + width / 2 - 0.5;
        const double py = double(u) * sine + double(v) * cosine + height / 2 - 0.5;
        const int i = int(std::floor(px)), j = int(std::floor(py));
        const double a = px - i, b = py - j;
        const double expected = (1 - b) * ((1 - a) * pixel(i, j) + a * pixel(i + 1, j)) +
                                b * ((1 - a) * pixel(i, j + 1) + a * pixel(i + 1, j + 1));
        const std::size_t at = std::size_t(y) * width + x;
        if (std::abs(result[at] - expected) > 1.0 / 128)
          return bench::wrong("result[" + std::to_string(at) + "]", result[at], expected);
      }
    return "";
  }
};

} // namespace image_rotation
