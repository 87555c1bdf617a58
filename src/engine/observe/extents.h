// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that accesses are expected to stay in: compiled code compares addresses with it, and
// tells the observer only of accesses that do not (events.h, suspicious_accesses).
//
// Each pointer that accesses are computed from has a slot, in a table that every worker has for
// each launch. The observer fills a slot when an access through it has turned out to be right. A
// slot is emptied when memory is allocated or freed; of shared arrays, when a block begins.
#pragma once

#include <cstdint>

namespace heddle::engine::observe {

struct ExtentSlot {
  uint64_t begin, end; // addresses; empty: no address is between them
};
inline constexpr ExtentSlot empty_slot = {~uint64_t(0), 0};

inline constexpr uint32_t extent_slots = 1024;
/// The first ones are for shared arrays.
inline constexpr uint32_t shared_slots = 64;
/// From here on they belong to functions that kernels call.
inline constexpr uint32_t callee_slots = 512;
/// Of a site that has none.
inline constexpr uint32_t no_slot = ~uint32_t(0);

} // namespace heddle::engine::observe
