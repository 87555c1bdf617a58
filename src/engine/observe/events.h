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
  // places of a variable are told as well, and what stores store (AccessKind::Value).
  tell_synchronisation = 1 << 2,
};

} // namespace heddle::engine::observe
