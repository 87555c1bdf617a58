// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Speculates that indices are affine: versions code for gangs in which all lanes choose alike.
//
// Programs clamp indices to an array by selects: `x > 0 ? x - 1 : width - 1`, or `min(x + 1, width
// - 1)`. Lanes of a gang choose differently only at the border, but the index is varying, and a
// contiguous load becomes a load for each lane. So
//
//     l = c ? x - 1 : w - 1;  A(l)     becomes     if (all(c)) A'(x - 1) else { l = …; A(l) }
//
// Likewise 32-bit indices may wrap between lanes, which is tested in the same way. And programs
// decompose a thread's number, `x = i % width`, `y = i / width`: a gang seldom spans the end of a
// row, and otherwise y is uniform and x is affine. One test covers all choices of a block.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Expects and leaves canonical code.
void speculateAffineIndices(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
