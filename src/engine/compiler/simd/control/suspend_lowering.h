// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a kernel that must wait into one that can be left and entered again.
//
// A thread waits at a barrier until the others have come. On a GPU it keeps its registers
// meanwhile; here, the function returns, and is called again when the wait is over: each place to
// wait becomes a `state`, before which values that are needed later are saved, and behind which
// they are loaded. A value that is the same for the gang is saved once, in the record of the group
// that waits; others have a slot a lane in the gang's frame. What is cheap to compute again is
// computed again.
//
// Besides barriers, threads wait
//  * at a shuffle, vote or __syncwarp in divergent code, for lanes of the mask that are elsewhere:
//  a
//    lane may meet others there that came another way (CUDA guide, "Warp Vote Functions");
//  * in a loop whose end depends on what other threads do: after some rounds it lets them run
//    ("Independent Thread Scheduling").
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

#include <cstdint>

namespace heddle::engine::simd {

struct SuspensionResult {
  unsigned states = 0;       // besides the start; 0: it never waits
  bool diverged = false;     // parts of a gang may wait while others run
  bool only_barriers = true; // it waits at plain __syncthreads() and nowhere else
  uint64_t frame_bytes = 0;  // with what was passed in
  uint64_t record_bytes = 0; // GroupRecord and the values behind it
};

/// Expects canonical code without allocas; leaves canonical code.
SuspensionResult lowerSuspendPoints(llvm::Function &function, const LaneLayout &layout,
                                    uint64_t frame_bytes);

} // namespace heddle::engine::simd
