// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpositions in registers, by log2(n) rounds of shuffles of two vectors.
//
// Memory has elements of n kinds in turn (the members of structures, the rows of a column): a
// sequence a0 b0 c0 d0 a1 b1 …, in n vectors one behind the other. Code wants a vector of each
// kind: a0 a1 …, b0 b1 …. n is a power of two.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::engine::simd {

using Vectors = llvm::SmallVector<llvm::Value *, 16>;

/// From a sequence in n vectors of one length, a vector of each kind.
Vectors separate(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> sequence);

/// From a vector of each kind, the sequence.
Vectors join(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> kinds);

} // namespace heddle::engine::simd
