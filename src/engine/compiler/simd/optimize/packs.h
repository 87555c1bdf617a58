// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps contiguous elements that a thread treats alike in one vector (superword-level parallelism).
//
// A thread of a matrix product may compute four elements side by side: it loads four, multiplies
// each by the same number, and adds them to four sums. As separate values, the gang's elements are
// transposed on each load and store (interleaved_groups.h): shuffles in each iteration of the
// innermost loop. But it does not matter which lane of a register holds which element. So the four
// values become one vector in the thread's code, whose elements lie in the gang's registers in
// memory order, and its loads and stores are contiguous.
//
// See Larsen and Amarasinghe, 2000; but here the gain is fewer shuffles, as lanes are full anyway.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Creates packs where that saves transpositions. Expects canonical code without vectors.
void packNeighbours(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
