// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the suspend points, at which threads may have to wait for others, and inserts a
// suspend_marker at each.
//
// The result is still the code of one thread. suspend_lowering.h defines suspend points and lowers
// the markers.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// In a gang that is the whole block, barriers are no suspend points. Expects canonical code.
void markSuspendPoints(llvm::Function &function, const LaneLayout &layout);

/// Whether the call is of a built-in that synchronises threads of a warp or block.
bool isWarpOperation(const llvm::Value &value);
bool isBlockBarrier(const llvm::Value &value);
/// Whether it is a __syncthreads() of all threads of the block, without a result.
bool isPlainBarrier(const llvm::Value &value);

/// Whether the loop contains a barrier of the block.
bool hasBarriers(const llvm::Loop &loop);

/// Whether there are loops whose exit depends on what other threads do.
bool hasWaitingLoops(const llvm::Function &function);

} // namespace heddle::engine::simd
