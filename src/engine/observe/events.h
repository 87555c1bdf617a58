// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code tells an observer. The code is compiled for it, and cached under it.
#pragma once

#include <cstdint>

namespace heddle::engine::observe {

/// Bits of a mask.
enum Events : uint32_t {
  tell_accesses = 1 << 0, // each access, before it happens (Observer::access)
  count_work = 1 << 1,    // counts of instructions, branches and accesses (counted_site.h)
  // Each place where threads meet or end, and fences (Observer::synchronise). Accesses to constant
  // places of a variable are told as well, and what stores store (Access::values).
  tell_synchronisation = 1 << 2,
  // Without tell_accesses: each access that may be wrong, as it does not lie within the extent that
  // is known for it (extents.h), or is not aligned.
  suspicious_accesses = 1 << 3,
  // Extents are those of memory that has been written, shared arrays have extents, too, and it is
  // told where copies come from (AccessKind::Source).
  uninitialised_reads = 1 << 4,
  // With count_work: accesses are told one by one, in their order, for a model of the caches.
  count_caches = 1 << 5,
  // With count_work: basic blocks and branches of two neighbouring warps, as if they were one of 64
  // threads (warp_pairs.h).
  count_pairs = 1 << 6,
};
/// With one of these, accesses are told.
inline constexpr uint32_t any_accesses = tell_accesses | suspicious_accesses | uninitialised_reads;

} // namespace heddle::engine::observe
