// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/marks/seen.h"

#include "check/race/marks/shadow.h"

#include <algorithm>

namespace heddle::check {

using engine::observe::Access;
using engine::observe::AddressRows;
using engine::observe::Site;

// Lanes of a row that take no part, and gaps between elements, are asked for, too.
bool Seen::holds(const Access &access, const AddressRows &rows, uint64_t launch_epoch,
                 uint64_t block_epoch) const {
  const Site &site = access.site;
  if (empty_ || rows.stride < 0 || uint64_t(rows.stride) > 4 * rows.bytes ||
      uint64_t(rows.stride) & (site.alignment - 1))
    return false;
  uint32_t length = rows.length, count = 32 / length;
  const uint64_t first = rows.firsts[0];
  // Rows behind each other are one.
  if (count > 1 && rows.firsts[count - 1] - first == uint64_t(rows.stride) * length * (count - 1)) {
    bool one = true;
    for (uint32_t row = 1; row + 1 < count; ++row)
      one &= rows.firsts[row] - first == uint64_t(rows.stride) * length * row;
    if (one) {
      length = 32;
      count = 1;
    }
  }
  for (uint32_t row = 0; row < count; ++row) {
    const uint64_t begin = rows.firsts[row],
                   end = begin + uint64_t(rows.stride) * (length - 1) + rows.bytes;
    if (begin & (site.alignment - 1))
      return false;
    if (row && begin == rows.firsts[row - 1])
      continue;
    if (!holds(access, begin, end, launch_epoch, block_epoch))
      return false;
  }
  return true;
}

uint32_t Seen::lanesOf(const Access &access, uint64_t launch_epoch, uint64_t block_epoch) const {
  uint32_t lanes = 0;
  for (uint32_t rest = empty_ ? 0 : access.lanes; rest; rest &= rest - 1) {
    const auto lane = unsigned(std::countr_zero(rest));
    const uint64_t begin = access.addresses[lane];
    const bool held = !(begin & (access.site.alignment - 1)) &&
                      holds(access, begin, begin + access.bytes[lane], launch_epoch, block_epoch);
    lanes |= uint32_t(held) << lane;
  }
  return lanes;
}

// One range.
bool Seen::holds(const Access &access, uint64_t begin, uint64_t end, uint64_t launch_epoch,
                 uint64_t block_epoch) const {
  for (uint64_t at = begin; at < end;) {
    const uint64_t line = at / line_bytes, next = std::min(end, (line + 1) * line_bytes);
    const auto from = unsigned(at % line_bytes / 4), last = unsigned((next - 1) % line_bytes / 4);
    const uint32_t words = ~0u >> (line_words - 1 - last) & ~0u << from;
    const Entry &known = entry(access.site, line);
    if (known.line != line || known.site != &access.site || known.base != access.base ||
        (words & ~known.words) || (known.epoch != launch_epoch && known.epoch != block_epoch))
      return false;
    at = next;
  }
  return true;
}

void Seen::add(const Access &access, uint64_t address, uint32_t words, uint64_t epoch) {
  const Site &site = access.site;
  const uint64_t line = address / line_bytes;
  Entry &known = entry(site, line);
  if (known.line == line && known.site == &site && known.base == access.base &&
      known.epoch == epoch)
    known.words |= words;
  else
    known = {line, &site, access.base, epoch, words};
  empty_ = false;
}

void Seen::forget() {
  if (!empty_)
    std::fill_n(entries_.get(), places, Entry{});
  empty_ = true;
}

} // namespace heddle::check
