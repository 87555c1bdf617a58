// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept of accesses to a word: by whom, and where in the program.
#pragma once

#include "check/race/order/clocks.h"

#include <bit>
#include <cstdint>

namespace heddle::check {

/// Whose accesses a mark stands for.
enum class Level : uint8_t {
  Lanes,  // of one warp: `who` is a mask of them
  Warps,  // of one block: `who` is a mask of them, modulo 32
  Blocks, // `who` is the segment of one in another block
};

/// PTX's strong operations are volatile or atomic.
enum Strength : uint8_t { Plain, Volatile, Atomic };

struct Mark {
  SegmentId segment; // of one of them; 0: no access
  uint32_t who;
  uint16_t site;     // Runs::number
  uint8_t bytes : 4; // of the word
  Level level : 2;
  uint8_t strong : 2; // Strength
  uint8_t scope : 2;  // observe::Scope
  /// Of a line's words: 0: `who` are the lanes of each. 1 + n: the lanes of word k are `who` turned
  /// to the left by k >> n, so that one mask says that each element of 1 << n words has its lane.
  uint8_t spread : 2;
  uint8_t several_sites : 1; // others than `site` have accessed it, too
  uint8_t unused : 3;

  /// As it is for a single word of the line.
  Mark at(unsigned word) const {
    Mark own = *this;
    if (spread)
      own.who = std::rotl(who, int(word >> (spread - 1)));
    own.spread = 0;
    return own;
  }
  bool operator==(const Mark &) const = default;
};
static_assert(sizeof(Mark) == 12);

} // namespace heddle::check
