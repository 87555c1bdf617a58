// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The canonical form (normalize/canonicalize.h) of control flow: loops have one entry, one latch
// and dedicated exits, live-outs go through phis (LoopSimplify, LCSSA), and one block returns.
// Passes that change control flow restore it.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Restores the form of loops.
void canonicalizeLoops(llvm::Function &function);

/// Makes several returning blocks branch to a new one that returns.
void uniteReturns(llvm::Function &function);

/// Returns the block that only returns; creates it if there is none.
llvm::BasicBlock *emptyEnd(llvm::Function &function);

} // namespace heddle::engine::simd
