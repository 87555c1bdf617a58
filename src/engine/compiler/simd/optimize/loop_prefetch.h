// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the caches, in each round of a loop with barriers, for what the next round will load, and
// for the lines that it will store to: a CPU reads those, too, before it changes a part of them.
//
// Such a loop goes through memory tile by tile, or plane by plane: each round is somewhere else,
// often in other pages, so the CPU's own prefetching does not follow; and it cannot look ahead by
// itself beyond the barrier. But the step from round to round is plain in the code. It is the same
// in all lanes, so what an access needs is one addition.
//
// And a block's first loads ask for those of a later block (widen_prefetch.cpp). Which one, depends
// on how much there is to load until then: a block that loads little is done before its successor's
// lines have come.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Puts prefetch_marker before loads and stores, and metadata `foreseen_load` on loads. Expects
/// canonical code before lowerSuspendPoints.
void prefetchNextIterations(llvm::Function &function);

/// How many blocks ahead first loads should ask for lines: 1 to 4. Expects canonical code.
unsigned blocksAhead(llvm::Function &function);

} // namespace heddle::engine::simd
