// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each value of a byte occurs. Values in the middle are frequent, as in a photograph.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace histogram {

constexpr const char *name = "histogram256";
constexpr int bins = 256;

struct Problem {
  std::size_t n;
  bench::Buffer<unsigned char> values;
  unsigned expected[bins] = {};

  explicit Problem(const bench::Options &options)
      : n(options.small ? 100'003 : 1 << 24), values(n) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t bits = bench::randomBits(i);
      values[i] = (unsigned char)((bits & 0xff) / 2 + (bits >> 8 & 0xff) / 2);
      ++expected[values[i]];
    }
  }

  double bytes() const { return double(n); }

  std::string check(const unsigned *counts) const {
    for (int i = 0; i < bins; ++i)
      if (counts[i] != expected[i])
        return bench::wrong("the count of " + std::to_string(i), counts[i], expected[i]);
    return "";
  }
};

} // namespace histogram
