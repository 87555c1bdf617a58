// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of an array.
#pragma once

#include "common/arrays.h"

namespace thrust_reduce {

constexpr const char *name = "thrust_reduce";

struct Problem : arrays::Problem {
  using arrays::Problem::Problem;

  double bytes() const { return double(n) * sizeof(int); }
  double flops() const { return double(n); }

  std::string check(int sum) const {
    int expected = 0;
    for (std::size_t i = 0; i < n; ++i)
      expected += values[i];
    return sum == expected ? "" : bench::wrong("the sum", sum, expected);
  }
};

} // namespace thrust_reduce
