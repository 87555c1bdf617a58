// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of numbers for whole-array algorithms (Thrust beside the parallel algorithms of C++).
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace arrays {

/// `n` integers of -128 to 127: sums do not depend on the order.
struct Problem {
  std::size_t n;
  bench::Buffer<int> values;

  explicit Problem(const bench::Options &options)
      : n(options.small ? 10000 : std::size_t(16) << 20), values(n) {
    for (std::size_t i = 0; i < n; ++i)
      values[i] = int(bench::randomBits(i) >> 24) - 128;
  }
};

} // namespace arrays
