// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products with a known result, for the programs that multiply matrices.
#pragma once

#include "check.h"

/// C = A B, row-major, A m x k and B k x n, computed in double on the host.
struct Product {
  Product(int m, int k, int n) : a(m * k), b(k * n), c(m * n) {
    srand(2019);
    for (float &value : a)
      value = rand() / static_cast<float>(RAND_MAX);
    for (float &value : b)
      value = rand() / static_cast<float>(RAND_MAX);
    std::vector<double> sums(m * n);
    for (int row = 0; row < m; ++row)
      for (int i = 0; i < k; ++i)
        for (int column = 0; column < n; ++column)
          sums[row * n + column] += double(a[row * k + i]) * b[i * n + column];
    for (int i = 0; i < m * n; ++i)
      c[i] = float(sums[i]);
  }

  /// Every element of `result` must equal C within the relative difference `allowed`.
  void check(const std::vector<float> &result, double allowed) const {
    CHECK_EQ(result.size(), c.size());
    for (size_t i = 0; i < c.size(); ++i)
      CHECK_NEAR(result[i], c[i], allowed * c[i]);
  }

  std::vector<float> a, b, c;
};
