// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours in memory that a thread treats alike stay neighbours.
//
// A thread of a matrix product may compute four elements side by side: it loads four, multiplies
// each by the same number, and adds them to four sums. As separate values, the gang's fours are
// transposed whenever they come from memory or go there (interleaved_groups.h): shuffles in each
// step of the innermost loop. But nothing depends on which lane of a register an element is in. So
// the four become one value, a vector in the code of the thread, whose elements lie in the gang's
// registers as they do in memory. Loads and stores of it are those of neighbours.
//
// This is superword-level parallelism (Larsen and Amarasinghe, 2000), except that it saves
// shuffles: the lanes would be full without it.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Makes vectors of such values where that leaves fewer transpositions. Expects canonical code
/// without vectors.
void packNeighbours(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
