// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count in steps which only the launch decides, as with `i += gridDim.x * blockDim.x`:
// each round is far away from the one before. `j += blockDim.x` goes on where the block ends: gangs
// that are narrower than it go to and fro (access_distance.h), one that is the block goes straight
// on.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

namespace heddle::engine::simd {

/// Whether the value is blockDim.x.
bool isBlockWidth(const llvm::Value &value);

bool hasGridStride(const llvm::Loop &loop);
/// Such a loop whose step is blockDim.x.
bool hasBlockStride(const llvm::Loop &loop);

} // namespace heddle::engine::simd
