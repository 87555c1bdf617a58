// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BLAS's saxpy, y = a * x + y, in place.
//
// A run changes its own input. So that every run computes the same amount from numbers of the same
// size, runs add and subtract in turn, and all numbers are small integers: results are exact.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace saxpy {

constexpr const char *name = "saxpy";

struct Problem {
  std::size_t n;
  bench::Buffer<float> x, y;
  float a = 3; // what the next run multiplies with
  int runs = 0;

  explicit Problem(const bench::Options &options)
      : n(options.small ? 100'003 : 1 << 24), x(n), y(n) {
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = float(bench::randomBits(i) % 1000);
      y[i] = float(bench::randomBits(i + n) % 1000);
    }
  }

  double bytes() const { return 3.0 * sizeof(float) * double(n); }
  double flops() const { return 2.0 * double(n); }

  void ran() {
    a = -a;
    ++runs;
  }

  std::string check(const bench::Buffer<float> &result) const {
    for (std::size_t i = 0; i < n; ++i) {
      const float original = float(bench::randomBits(i + n) % 1000);
      if (const float expected = original + (runs % 2 ? 3 * x[i] : 0); result[i] != expected)
        return bench::wrong("y[" + std::to_string(i) + "]", result[i], expected);
    }
    return "";
  }
};

} // namespace saxpy
