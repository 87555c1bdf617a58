// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of an array that are above a bound, in their order: half of them.
#pragma once

#include "common/arrays.h"

namespace thrust_select {

constexpr const char *name = "thrust_select";
constexpr int bound = 0;

struct Problem : arrays::Problem {
  using arrays::Problem::Problem;

  double bytes() const { return 1.5 * double(n) * sizeof(int); }
  double flops() const { return double(n); }

  std::string check(const bench::Buffer<int> &result, std::size_t count) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (values[i] <= bound)
        continue;
      if (place < count && result[place] != values[i])
        return bench::wrong("result[" + std::to_string(place) + "]", result[place], values[i]);
      ++place;
    }
    return place == count ? ""
                          : bench::wrong("the number of elements", double(count), double(place));
  }
};

} // namespace thrust_select
