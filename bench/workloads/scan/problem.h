// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exclusive prefix sum of a large array: out[i] = in[0] + ... + in[i-1], modulo 2^32. Many
// barriers on a GPU; on a CPU, memory.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace scan {

constexpr const char *name = "scan";

struct Problem {
  std::size_t n;
  bench::Buffer<std::uint32_t> in;

  explicit Problem(const bench::Options &options) : n(options.small ? 300'007 : 1 << 22), in(n) {
    for (std::size_t i = 0; i < n; ++i)
      in[i] = bench::randomBits(i) % 1000;
  }

  double bytes() const { return 2.0 * sizeof(std::uint32_t) * double(n); }
  double flops() const { return double(n); }

  std::string check(const bench::Buffer<std::uint32_t> &out) const {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (out[i] != sum)
        return bench::wrong("out[" + std::to_string(i) + "]", out[i], sum);
      sum += in[i];
    }
    return "";
  }
};

} // namespace scan
