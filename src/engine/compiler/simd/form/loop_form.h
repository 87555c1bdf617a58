// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the canonical form (normalize/canonicalize.h) that concerns blocks: loops have one
// entry, one latch and dedicated exits, values that leave a loop go through phis (LoopSimplify,
// LCSSA), and one block returns. Passes that change blocks restore it.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Restores the form of loops.
void canonicalizeLoops(llvm::Function &function);

/// If several blocks return, they branch to a new one that does.
void uniteReturns(llvm::Function &function);

/// The block that returns and does nothing else; made if there is none.
llvm::BasicBlock *emptyEnd(llvm::Function &function);

} // namespace heddle::engine::simd
