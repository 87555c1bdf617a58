// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count in steps which only the launch decides, as with `i += gridDim.x * blockDim.x`:
// each round is far away from the one before.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

namespace heddle::engine::simd {

bool goesInLaunchSteps(const llvm::Loop &loop);

} // namespace heddle::engine::simd
