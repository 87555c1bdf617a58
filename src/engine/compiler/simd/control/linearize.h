// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces divergent branches by masks (predication).
//
// A gang executes one path at a time. Where lanes diverge, it executes all their paths in turn,
// each under the mask of the lanes that take it:
//
//     if (c) A else B; C      becomes     mask(c) A;  mask(!c) B;  mask(true) C
//
// Blocks are put in topological order (loops contiguous), and at each place the set of later blocks
// with pending lanes is known. Uniform branches stay branches, and a block with an empty mask is
// skipped. At merges, a phi becomes a select by mask. A loop iterates while any lane does; lanes
// that have left are pending after it. (S. Moll and S. Hack, "Partial Control-Flow Linearization",
// PLDI 2018.)
//
// The result is still the code of one thread, with uniform branches only, in which mask_marker
// gives the mask of each block (gang_intrinsics.h). Only the blocks of predication_safety.h run
// under an empty mask, so scalar loads and branches in others are safe.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include <functional>

namespace heddle::engine::simd {

/// Expects simplified loops in LCSSA form and at most one return. Calls `diverges`, if given, for
/// each branch that is replaced. `masks_bytes`: see predication_safety.h.
void linearize(llvm::Function &function, const LaneLayout &layout, bool masks_bytes = false,
               const std::function<void(const llvm::Instruction &)> &diverges = {});

} // namespace heddle::engine::simd
