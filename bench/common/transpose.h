// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transpose of a matrix of floats: the task of both transpose workloads.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace transpose {

struct Problem {
  // Of the input. Not powers of two, with which a column of either matrix is in one set of the
  // caches.
  int width, height;
  bench::Buffer<float> input;

  explicit Problem(const bench::Options &options)
      : width(options.small ? 300 : 4160), height(options.small ? 200 : 4032), input(elements()) {
    for (std::size_t i = 0; i < elements(); ++i)
      input[i] = float(i % (1 << 24)); // exact
  }

  std::size_t elements() const { return std::size_t(width) * height; }
  double bytes() const { return 2.0 * sizeof(float) * double(elements()); }

  std::string check(const bench::Buffer<float> &output) const {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const float expected = input[std::size_t(y) * width + x];
        if (const float actual = output[std::size_t(x) * height + y]; actual != expected)
          return bench::wrong("column " + std::to_string(y) + " of row " + std::to_string(x),
                              actual, expected);
      }
    return "";
  }
};

} // namespace transpose
