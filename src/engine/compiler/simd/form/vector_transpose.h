// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposition in registers, by log2(n) rounds of two-vector shuffles.
//
// Memory holds elements of n kinds in turn (members of structures, rows of a column): a sequence a0
// b0 c0 d0 a1 b1 … in n vectors. Code uses a vector of each kind: a0 a1 …, b0 b1 …. n is a power of
// two.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::engine::simd {

using Vectors = llvm::SmallVector<llvm::Value *, 16>;

/// Takes a sequence in n vectors of equal length, returns a vector of each kind.
Vectors separate(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> sequence);

/// Takes a vector of each kind, returns the sequence.
Vectors join(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> kinds);

} // namespace heddle::engine::simd
