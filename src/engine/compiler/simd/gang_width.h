// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses how many lanes run together.
//
// Operations of a warp need all 32 at once. Otherwise more lanes mean more independent work for the
// CPU at a time, and fewer mean that values stay in its 16 (or 32) vector registers.
//
// And there are kernels that are no work for vectors: a thread that walks a list, or a row of a
// sparse matrix, reads from all over memory, which costs a vector as much as its lanes one by one,
// and its neighbours, whose lists are shorter, wait for it. Such threads run one at a time.
#pragma once

#include "engine/compiler/simd/lanes.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

struct GangWidth {
  unsigned lanes = 32;      // or 16, or 1
  bool whole_warps = false; // threads of a warp observe each other
  bool may_wait = false;    // it may have suspensions
};

/// Expects canonical code.
GangWidth gangWidth(const llvm::Function &function);

/// Whether threads of such gangs would rather run one at a time. Expects canonical code.
bool isBetterAlone(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
