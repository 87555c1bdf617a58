// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys are sorted, and a value goes along with each.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace thrust_sort_by_key {

constexpr const char *name = "thrust_sort_by_key";

struct Problem {
  std::size_t n;
  bench::Buffer<std::uint32_t> keys, values; // a value is its key's place

  explicit Problem(const bench::Options &options)
      : n(options.small ? 10000 : std::size_t(4) << 20), keys(n), values(n) {
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = bench::randomBits(i);
      values[i] = std::uint32_t(i);
    }
  }

  double bytes() const { return 4.0 * double(n) * sizeof(std::uint32_t); }
  double flops() const { return double(n); }

  template <class Keys, class Values>
  std::string check(const Keys &sorted, const Values &places) const {
    for (std::size_t i = 0; i < n; ++i) {
      if (i && sorted(i) < sorted(i - 1))
        return bench::wrong("key " + std::to_string(i), sorted(i), sorted(i - 1));
      if (places(i) >= n || keys[places(i)] != sorted(i))
        return bench::wrong("value " + std::to_string(i), places(i), sorted(i));
    }
    return "";
  }
};

} // namespace thrust_sort_by_key
