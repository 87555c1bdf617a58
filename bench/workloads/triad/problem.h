// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STREAM's triad, a = b + s * c: nothing but memory bandwidth.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace triad {

constexpr const char *name = "triad";
constexpr float scalar = 3.0f;

struct Problem {
  std::size_t n;
  bench::Buffer<float> b, c;

  explicit Problem(const bench::Options &options)
      : n(options.small ? 100'003 : 1 << 24), b(n), c(n) {
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = bench::randomUnit(i);
      c[i] = bench::randomUnit(i + n);
    }
  }

  double bytes() const { return 3.0 * sizeof(float) * double(n); }
  double flops() const { return 2.0 * double(n); }

  std::string check(const bench::Buffer<float> &a) const {
    for (std::size_t i = 0; i < n; ++i)
      if (const double expected = b[i] + double(scalar) * c[i]; !bench::close(a[i], expected, 1e-6))
        return bench::wrong("a[" + std::to_string(i) + "]", a[i], expected);
    return "";
  }
};

} // namespace triad
