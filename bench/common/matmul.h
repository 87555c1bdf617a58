// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of two square matrices, row-major, single precision: the task of all matmul
// workloads.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace matmul {

struct Problem {
  int n; // a multiple of 64
  bench::Buffer<float> a, b;

  explicit Problem(const bench::Options &options)
      : n(options.small ? 128 : 768), a(elements()), b(elements()) {
    for (std::size_t i = 0; i < elements(); ++i) {
      a[i] = bench::randomUnit(i) - 0.5f;
      b[i] = bench::randomUnit(i + elements()) - 0.5f;
    }
  }

  std::size_t elements() const { return std::size_t(n) * n; }
  double bytes() const { return 3.0 * sizeof(float) * double(elements()); }
  double flops() const { return 2.0 * n * double(elements()); }

  /// Freivalds' check: c * v = a * (b * v) for a random v. Each element of c counts.
  std::string check(const bench::Buffer<float> &c) const {
    std::vector<double> v(n);
    for (int i = 0; i < n; ++i)
      v[i] = bench::randomUnit(i + 12345) + 0.5;
    const std::vector<double> expected = times(a, times(b, v)), actual = times(c, v);
    for (int i = 0; i < n; ++i)
      if (!(std::fabs(actual[i] - expected[i]) < 5e-3)) // sums of n rounding errors of 1e-6
        return bench::wrong("row " + std::to_string(i) + " times a vector", actual[i], expected[i]);
    return "";
  }

private:
  std::vector<double> times(const bench::Buffer<float> &matrix,
                            const std::vector<double> &v) const {
    std::vector<double> product(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        product[i] += matrix[std::size_t(i) * n + j] * v[j];
    return product;
  }
};

} // namespace matmul
