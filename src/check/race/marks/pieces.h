// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp's access, divided by the lines of shadow memory that it touches (shadow.h).
#pragma once

#include "check/race/marks/shadow.h"
#include "engine/observe/observer.h"
#include "engine/warp.h"

namespace heddle::check {

/// What lanes do to some words of one line.
struct Piece {
  uint64_t address; // of a byte in the line
  uint32_t words;
  uint32_t who;   // as in Mark
  uint8_t spread; // likewise
  bool alone;     // each word is one lane's

  /// The lanes that access these of the words.
  uint32_t lanesOf(uint32_t some) const {
    if (!spread)
      return some ? who : 0;
    uint32_t lanes = 0;
    for (; some; some &= some - 1)
      lanes |= std::rotl(who, std::countr_zero(some) >> (spread - 1));
    return lanes;
  }
};

/// Each bit becomes 1 << `shift` bits.
inline uint32_t widen(uint32_t bits, unsigned shift) {
  for (unsigned i = 0; i < shift; ++i) {
    bits &= 0xffff;
    bits = (bits | bits << 8) & 0x00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f;
    bits = (bits | bits << 2) & 0x33333333;
    bits = (bits | bits << 1) & 0x55555555;
    bits |= bits << 1;
  }
  return bits;
}

/// Words of whole accesses only, which lie in one line each.
inline bool isWhole(uint64_t address, uint64_t bytes) {
  return (bytes == 4 || bytes == 8 || bytes == 16) && address % bytes == 0;
}
inline uint32_t wordsOf(uint64_t address, uint64_t bytes) {
  return ((1u << bytes / 4) - 1) << address % line_bytes / 4;
}

/// Calls does(piece) for the pieces of elements beside each other: `lanes` are those of the row,
/// `before` the warp's lanes before it; elements of 1 << `shift` words lie at `first`, `skipped`
/// words behind the beginning of what is aligned to an element's size, and do not reach beyond it.
template <typename Does>
void forEachRowPiece(uint64_t first, unsigned shift, uint64_t bytes, uint32_t lanes,
                     uint32_t length, uint32_t before, Does does) {
  const uint32_t in_line = line_words >> shift; // elements
  const uint32_t offset = uint32_t(first % line_bytes / 4 >> shift);
  const uint32_t skipped = uint32_t(first / 4) & ((1u << shift) - 1);
  const uint32_t used = ((1u << bytes / 4) - 1) << skipped; // words of each element
  uint32_t next = 0;                                        // lane of the row
  for (uint64_t address = first; next < length;) {
    const uint32_t place = (offset + next) % in_line;
    const uint32_t count = std::min(in_line - place, length - next);
    const uint32_t here = lanes >> next & (count == 32 ? ~0u : (1u << count) - 1);
    if (here) {
      uint32_t words = widen(here, shift) << (place << shift);
      if (used != (1u << (1u << shift)) - 1) {
        uint32_t some = 0;
        for (unsigned word = 0; word < line_words; word += 1u << shift)
          some |= used << word;
        words &= some;
      }
      // The lane of the line's first element, modulo 32.
      does(Piece{address, words, std::rotl(1u, int((before + next - place) & 31)),
                 uint8_t(shift + 1), true});
    }
    next += count;
    address += uint64_t(count) << (shift + 2);
  }
}

/// Whether such elements lie in lines as forEachRowPiece says.
inline bool isRow(uint64_t first, uint64_t bytes, uint64_t stride) {
  return (stride == 4 || stride == 8 || stride == 16) && first % stride + bytes <= stride;
}

/// Calls does(piece) for the pieces of all accesses that are of whole words. Returns the lanes of
/// the others.
template <typename Does>
uint32_t forEachLanesPiece(const uint64_t *addresses, const uint64_t *bytes, uint32_t lanes,
                           Does does) {
  uint32_t others = 0;
  for (uint32_t rest = lanes; rest;) {
    const auto first = uint32_t(std::countr_zero(rest));
    const uint64_t address = addresses[first], size = bytes[first];
    uint32_t end = first + 1;
    if (!isWhole(address, size)) {
      others |= uint32_t(size != 0) << first;
    } else {
      // As many lanes as have their elements beside each other, or the same one.
      const uint64_t stride = end < 32 && rest >> end & 1 ? addresses[end] - address : 1;
      if (stride == 0 || isRow(address, size, stride))
        while (end < 32 && rest >> end & 1 && addresses[end] - addresses[end - 1] == stride &&
               bytes[end] == size)
          ++end;
      const uint32_t count = end - first, them = ~0u >> (32 - count);
      if (count > 1 && stride)
        forEachRowPiece(address, unsigned(std::countr_zero(stride / 4)), size, them, count, first,
                        does);
      else
        does(Piece{address, wordsOf(address, size), them << first, 0, count == 1});
    }
    rest &= end < 32 ? ~0u << end : 0;
  }
  return others;
}

/// The same of addresses in rows.
template <typename Does>
uint32_t forEachPiece(const engine::observe::AddressRows &rows, uint32_t lanes, Does does) {
  const uint64_t bytes = rows.bytes;
  const unsigned shift = rows.stride == 4 ? 0 : rows.stride == 8 ? 1 : 2;
  const bool dense = rows.stride == int64_t(4) << shift && bytes <= uint64_t(rows.stride);
  // Rows behind each other are one.
  uint32_t length = rows.length;
  if (dense && length < 32) {
    bool one = true;
    for (uint32_t row = 1; row < 32 / length; ++row)
      one &= rows.firsts[row] - rows.firsts[0] == uint64_t(rows.stride) * length * row;
    if (one)
      length = 32;
  }
  uint32_t others = 0;
  for (uint32_t before = 0; before < 32; before += length) {
    const uint32_t in_row = lanes >> before & (length == 32 ? ~0u : (1u << length) - 1);
    if (!in_row)
      continue;
    const uint64_t first = rows.firsts[before / rows.length];
    if (!isWhole(first, bytes)) {
      others |= in_row << before;
    } else if (rows.stride == 0) {
      does(Piece{first, wordsOf(first, bytes), in_row << before, 0, std::has_single_bit(in_row)});
    } else if (dense && isRow(first, bytes, uint64_t(rows.stride))) {
      forEachRowPiece(first, shift, bytes, in_row, length, before, does);
    } else {
      engine::forEachLane(in_row, [&](uint32_t lane) {
        const uint64_t address = first + uint64_t(rows.stride) * lane;
        if (isWhole(address, bytes))
          does(Piece{address, wordsOf(address, bytes), 1u << (before + lane), 0, true});
        else
          others |= 1u << (before + lane);
      });
    }
  }
  return others;
}

} // namespace heddle::check
