// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up bytes as bytes where only small sums matter.
//
// `above[x] + row[x - 1] + … == 3` adds in 32 bits, because sums of bytes exceed a byte. But who
// only compares a sum with 3 cannot tell 255 from more. So the sum may stop there: with additions
// that saturate, all of it is in bytes, without an extension of each, and a vector register holds
// four times as many lanes.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Of values that differ between lanes. Expects canonical code, and leaves it so.
void saturateSums(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
