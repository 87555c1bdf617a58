// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose induction variable has a step that is known only at the launch, as with `i +=
// gridDim.x * blockDim.x`: consecutive iterations are far apart in memory. With `j += blockDim.x`
// an iteration continues where the block's previous one ended: gangs narrower than the block
// alternate between pieces (access_distance.h), a gang that is the block reads sequentially.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

namespace heddle::engine::simd {

/// Whether the value is blockDim.x.
bool isBlockWidth(const llvm::Value &value);

bool hasGridStride(const llvm::Loop &loop);
/// Whether the loop has an induction variable with the step blockDim.x.
bool hasBlockStride(const llvm::Loop &loop);

} // namespace heddle::engine::simd
