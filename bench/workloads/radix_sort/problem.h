// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sort of 32-bit keys: counting, scans in shared memory, and stores to places that the data
// say.
#pragma once

#include "common/data.h"
#include "common/measure.h"
#include <algorithm>
#include <vector>

namespace radix_sort {

constexpr const char *name = "radix_sort";

struct Problem {
  std::size_t n;
  bench::Buffer<std::uint32_t> keys;

  explicit Problem(const bench::Options &options) : n(options.small ? 50'021 : 1 << 20), keys(n) {
    for (std::size_t i = 0; i < n; ++i)
      keys[i] = bench::randomBits(i);
  }

  double bytes() const { return 2.0 * sizeof(std::uint32_t) * double(n); }
  double flops() const { return 0; }

  std::string check(const bench::Buffer<std::uint32_t> &sorted) const {
    std::vector<std::uint32_t> expected(keys.data(), keys.data() + n);
    std::sort(expected.begin(), expected.end());
    for (std::size_t i = 0; i < n; ++i)
      if (sorted[i] != expected[i])
        return bench::wrong("key " + std::to_string(i), sorted[i], expected[i]);
    return "";
  }
};

} // namespace radix_sort
