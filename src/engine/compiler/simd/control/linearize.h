// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns branches at which lanes part into masks.
//
// A gang can only be in one place. So where lanes go different ways, it goes all of them, one after
// the other, each time with the mask of the lanes that really go there:
//
//     if (c) A else B; C      becomes     mask(c) A;  mask(!c) B;  mask(true) C
//
// The blocks are put in an order in which each comes after those that lead to it (loops in one
// piece), and at each place the gang remembers which later blocks lanes still wait to execute.
// Branches that all lanes take together stay branches, and a block with an empty mask is skipped
// over. Where paths merge, a phi becomes a select by mask. A loop goes round for as long as any
// lane wants to; lanes that have left wait behind it. (After S. Moll and S. Hack, "Partial
// Control-Flow Linearization", PLDI 2018.)
//
// The result is still the code of one thread, in which mask_marker says who executes a block
// (gang_intrinsics.h), and all of whose branches are uniform. A block never runs under an empty
// mask, but for those of predication_safety.h: so scalar loads and scalar branches in it are safe.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include <functional>

namespace heddle::engine::simd {

/// Expects simplified loops in LCSSA form and at most one return. Calls `diverges` for each branch
/// that becomes masks, if given. `masks_bytes`: see predication_safety.h.
void linearize(llvm::Function &function, const LaneLayout &layout, bool masks_bytes = false,
               const std::function<void(const llvm::Instruction &)> &diverges = {});

} // namespace heddle::engine::simd
