// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of an array of floats: the task of all reduce workloads.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace reduce {

struct Problem {
  std::size_t n;
  bench::Buffer<float> values;
  double expected = 0;

  explicit Problem(const bench::Options &options)
      : n(options.small ? 100'003 : 1 << 24), values(n) {
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = bench::randomUnit(i);
      expected += values[i];
    }
  }

  double bytes() const { return sizeof(float) * double(n); }

  // In whatever order it is added up, unless all in one, the error is far below this.
  std::string check(float sum) const {
    return bench::close(sum, expected, 1e-5) ? "" : bench::wrong("the sum", sum, expected);
  }
};

} // namespace reduce
