// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One cache of a GPU: which sectors of 32 bytes it holds, in lines of 128. What was used longest
// ago goes first, and a line can be anywhere in it: a GPU spreads addresses over its cache's sets
// so that they act much like one.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::engine::observe {

class Cache {
public:
  struct Line {
    uint64_t number = 0;          // its address / 128
    uint8_t valid = 0, dirty = 0; // a bit for each sector; with two partitions, 4 bits for each
    uint32_t newer = none, older = none, next = none; // next: of those that share a bucket
  };

  explicit Cache(uint64_t bytes);

  /// The line, as the one that was used last. One that was not there is empty; for it another one
  /// may have had to go, whose dirty sectors are counted to `written`.
  Line &use(uint64_t number, uint64_t &written);

private:
  static constexpr uint32_t none = ~uint32_t(0);
  uint32_t &bucketOf(uint64_t number);
  uint32_t find(uint64_t number);
  uint32_t take(uint64_t &written);
  void unlink(uint32_t line);
  void makeNewest(uint32_t line);

  const uint32_t most_;
  uint32_t bucket_bits_ = 0;
  std::vector<Line> lines_;
  std::vector<uint32_t> buckets_;
  uint32_t newest_ = none, oldest_ = none;
};

} // namespace heddle::engine::observe
