// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sums of all beginnings of an array.
#pragma once

#include "common/arrays.h"

namespace thrust_scan {

constexpr const char *name = "thrust_scan";

struct Problem : arrays::Problem {
  using arrays::Problem::Problem;

  double bytes() const { return 2.0 * double(n) * sizeof(int); }
  double flops() const { return double(n); }

  std::string check(const bench::Buffer<int> &result) const {
    int expected = 0;
    for (std::size_t i = 0; i < n; ++i) {
      expected += values[i];
      if (result[i] != expected)
        return bench::wrong("result[" + std::to_string(i) + "]", result[i], expected);
    }
    return "";
  }
};

} // namespace thrust_scan
