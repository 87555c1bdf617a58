// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a second copy of code for gangs whose lanes all choose alike.
//
// Programs keep indices inside an array by choosing: `x > 0 ? x - 1 : width - 1`, or
// `min(x + 1, width - 1)`. Seldom do the lanes of a gang choose differently: only those gangs that
// touch the border. But which way a lane has chosen is not known, so neither is its index, and what
// could be one load of a vector would become a load for each lane. So
//
//     l = c ? x - 1 : w - 1;  A(l)     becomes     if (all(c)) A'(x - 1) else { l = …; A(l) }
//
// Indices that are computed in 32 bits are similar: in theory they wrap from lane to lane. That
// they do not is asked in the same way. And programs take a thread's number apart, `x = i % width`,
// `y = i / width`: seldom does a row end between the lanes of a gang, and if it does not, all have
// the same y, and x grows from lane to lane. The question is asked once for all choices of a block.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Expects and leaves canonical code.
void speculateAffineIndices(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
