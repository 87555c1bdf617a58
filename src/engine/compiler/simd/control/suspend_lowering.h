// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a kernel with suspend points into a state machine that can be left and re-entered.
//
// At a barrier a GPU thread keeps its registers while it waits for others. Here the function
// returns, and is called again when the wait is over: each suspend point becomes a `state`; values
// that are live across it are saved before and loaded after it. Uniform and affine values are saved
// once, in the record of the group of lanes that waits; others have a slot per lane in the gang's
// frame. Values that are cheap to recompute are recomputed.
//
// Suspend points are, besides barriers,
//  * shuffles, votes and __syncwarp in divergent code, while lanes of the mask are elsewhere: such
//    lanes may arrive on another path (CUDA guide, "Warp Vote Functions");
//  * loops whose exit depends on other threads: after some iterations they yield ("Independent
//    Thread Scheduling").
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

#include <cstdint>

namespace heddle::engine::simd {

struct SuspensionResult {
  unsigned states = 0;       // besides the start; 0: no suspend points
  bool diverged = false;     // groups of a gang may wait while others run
  bool only_barriers = true; // suspends only at plain __syncthreads()
  bool keeps_record = false; // a gang's record must stay the same one, as its frame does
  uint64_t frame_bytes = 0;  // including what was passed in
  uint64_t record_bytes = 0; // GroupRecord and the values after it
};

/// Expects canonical code without allocas; leaves canonical code.
SuspensionResult lowerSuspendPoints(llvm::Function &function, const LaneLayout &layout,
                                    uint64_t frame_bytes);

} // namespace heddle::engine::simd
