// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/caches/cache.h"

#include <algorithm>
#include <bit>

namespace heddle::engine::observe {
namespace {
constexpr uint64_t line_bytes = 128;
}

Cache::Cache(uint64_t bytes)
    : most_(uint32_t(std::max<uint64_t>(1, bytes / line_bytes))),
      bucket_bits_(uint32_t(std::bit_width(most_))), buckets_(size_t(1) << bucket_bits_, none) {}

uint32_t &Cache::bucketOf(uint64_t number) {
  return buckets_[number * 0x9e3779b97f4a7c15 >> (64 - bucket_bits_)];
}

uint32_t Cache::find(uint64_t number) {
  uint32_t line = bucketOf(number);
  while (line != none && lines_[line].number != number)
    line = lines_[line].next;
  return line;
}

void Cache::unlink(uint32_t line) {
  const auto [newer, older] = std::pair(lines_[line].newer, lines_[line].older);
  (newer == none ? newest_ : lines_[newer].older) = older;
  (older == none ? oldest_ : lines_[older].newer) = newer;
}

void Cache::makeNewest(uint32_t line) {
  lines_[line].newer = none;
  lines_[line].older = newest_;
  (newest_ == none ? oldest_ : lines_[newest_].newer) = line;
  newest_ = line;
}

// An empty line, which is nowhere yet.
uint32_t Cache::take(uint64_t &written) {
  if (lines_.size() < most_) {
    lines_.emplace_back();
    return uint32_t(lines_.size() - 1);
  }
  const uint32_t line = oldest_;
  written += uint64_t(std::popcount(lines_[line].dirty));
  unlink(line);
  uint32_t *link = &bucketOf(lines_[line].number);
  while (*link != line)
    link = &lines_[*link].next;
  *link = lines_[line].next;
  lines_[line] = {};
  return line;
}

Cache::Line &Cache::use(uint64_t number, uint64_t &written) {
  uint32_t line = find(number);
  if (line != none) {
    if (line != newest_) {
      unlink(line);
      makeNewest(line);
    }
    return lines_[line];
  }
  line = take(written);
  uint32_t &bucket = bucketOf(number);
  lines_[line].number = number;
  lines_[line].next = bucket;
  bucket = line;
  makeNewest(line);
  return lines_[line];
}

} // namespace heddle::engine::observe
