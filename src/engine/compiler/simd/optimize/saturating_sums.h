// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds bytes with saturation where only small sums matter.
//
// `above[x] + row[x - 1] + … == 3` adds in 32 bits, because sums of bytes exceed a byte. But a
// comparison with 3 cannot distinguish 255 from larger values. With saturating additions everything
// is computed in bytes, without extensions, and a vector register holds four times as many lanes.
//
// An instance of demanded ranges: a value is only needed up to a bound. Covered are sums of
// unsigned bytes that are compared with constants, not shorts, signed values and sums that are
// clamped
// (`min(a + b, 255)`).
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Rewrites varying values. Expects and leaves canonical code.
void saturateSums(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
