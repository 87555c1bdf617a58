// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the places at which threads may have to wait for others, and puts a suspend_marker there.
//
// The result is still the code of one thread. suspend_lowering.h says which places these are and
// makes the markers real.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// A gang that is all of the block needs no waiting at barriers. Expects canonical code.
void markSuspendPoints(llvm::Function &function, const LaneLayout &layout);

/// Whether the call is of a built-in at which threads of a warp, or of a block, meet.
bool isWarpOperation(const llvm::Value &value);
bool isBlockBarrier(const llvm::Value &value);
/// Whether that is a __syncthreads(), at which all threads of the block meet, and nothing more.
bool isPlainBarrier(const llvm::Value &value);

/// Whether there is a barrier of the block in it.
bool hasBarriers(const llvm::Loop &loop);

/// Whether it has loops whose end depends on what other threads do.
bool hasWaitingLoops(const llvm::Function &function);

} // namespace heddle::engine::simd
