// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about all addresses of a warp, as loops that compilers make vectors of, for the CPU
// that this runs on. Every pair of threads is compared: that takes fewer cycles than a table.
#pragma once

#include <cstdint>

namespace heddle::engine::observe {

/// What neighbours tell of a warp's addresses.
struct Neighbours {
  uint32_t falls;          // how often an address is below the one before
  uint32_t straddling;     // accesses that touch two sectors
  uint32_t sectors, lines; // how many are touched, if none falls or straddles
  uint64_t lowest, highest;
};

struct RequestLoops {
  void (*neighbours)(const uint64_t *addresses, uint32_t bytes, Neighbours &result);
  /// How many of the 32 numbers are different (`result[0]`), and how many of their quotients by
  /// four (`result[1]`).
  void (*different)(const uint32_t *numbers, uint32_t *result);
  /// The size of the largest group of equal ones among 32 numbers.
  uint32_t (*most_alike)(const uint32_t *numbers);
  /// The banks that threads' words lie in, a bit for each.
  uint32_t (*bank_mask)(uint32_t lanes, const uint64_t *addresses);
  /// Of 32 words: how many are different (`result[0]`), and the most different ones of a bank
  /// (`result[1]`).
  void (*banks)(const uint16_t *words, uint32_t *result);
};

/// Those for this CPU.
const RequestLoops &requestLoops();

inline constexpr uint32_t sector_bits = 5, line_bits = 7;

} // namespace heddle::engine::observe
