// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses how many lanes run together.
//
// Operations of a warp need all 32 at once. Otherwise more lanes mean more independent work for the
// CPU at a time, and fewer mean that values stay in its 16 (or 32) vector registers: so the number
// of values that are alive at once decides.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

struct GangWidth {
  unsigned lanes = 32;
  bool whole_warps = false; // threads of a warp observe each other
  bool may_wait = false;    // it may have suspensions
};

/// Expects canonical code.
GangWidth gangWidth(const llvm::Function &function);

} // namespace heddle::engine::simd
