// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/init/written_bits.h"

#include <algorithm>
#include <bit>
#include <new>

namespace heddle::check {
namespace {

constexpr uint64_t word_bits = 64;

// Bits of a word, from `first` on.
uint64_t mask(uint64_t first, uint64_t count) {
  return (count >= word_bits ? ~uint64_t(0) : (uint64_t(1) << count) - 1) << first;
}

} // namespace

uint64_t WrittenBits::set(uint64_t address, uint64_t bytes) const {
  uint64_t fresh = 0;
  for (uint64_t bit = address - base_, end = bit + bytes; bit < end;) {
    const uint64_t first = bit % word_bits, count = std::min(word_bits - first, end - bit);
    const uint64_t wanted = mask(first, count);
    if (const uint64_t now = word(bit).load(std::memory_order_relaxed); (now & wanted) != wanted)
      fresh +=
          uint64_t(std::popcount(wanted & ~word(bit).fetch_or(wanted, std::memory_order_relaxed)));
    bit += count;
  }
  return fresh;
}

// The first bit from there on that is so; `end` if there is none.
uint64_t WrittenBits::find(uint64_t bit, uint64_t end, bool written) const {
  while (bit < end) {
    const uint64_t first = bit % word_bits, now = word(bit).load(std::memory_order_relaxed);
    const uint64_t found = (written ? now : ~now) >> first;
    if (found)
      return std::min(end, bit + uint64_t(std::countr_zero(found)));
    bit += word_bits - first;
  }
  return end;
}

// The first of the set bits that end before `bit`.
uint64_t WrittenBits::findBackwards(uint64_t bit, uint64_t begin) const {
  while (bit > begin) {
    const uint64_t last = (bit - 1) % word_bits;
    const uint64_t clear = ~word(bit - 1).load(std::memory_order_relaxed) << (word_bits - 1 - last);
    const auto set = std::min<uint64_t>(uint64_t(std::countl_zero(clear)), last + 1);
    bit -= std::min(set, bit - begin);
    if (set < last + 1)
      break;
  }
  return bit;
}

uint64_t WrittenBits::firstUnwritten(uint64_t address, uint64_t bytes) const {
  const uint64_t bit = address - base_;
  return base_ + find(bit, bit + bytes, false);
}

uint64_t WrittenBits::firstWritten(uint64_t address, uint64_t bytes) const {
  const uint64_t bit = address - base_;
  return base_ + find(bit, bit + bytes, true);
}

std::pair<uint64_t, uint64_t> WrittenBits::runAround(uint64_t address, uint64_t most) const {
  const uint64_t bit = address - base_;
  return {base_ + findBackwards(bit, bit - std::min(bit, most)),
          base_ + find(bit, std::min(bytes_, bit + most), false)};
}

// Large pieces of memory that calloc gives are mapped when they are touched.
WrittenBytes::WrittenBytes(uint64_t base, uint64_t bytes)
    : memory_(static_cast<uint64_t *>(std::calloc(bytes / word_bits + 1, sizeof(uint64_t)))),
      left_(bytes) {
  if (!memory_)
    throw std::bad_alloc();
  bits_ = {memory_.get(), base, bytes};
}

} // namespace heddle::check
