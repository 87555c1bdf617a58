// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second copies of parts of a function, for the passes that make code for common cases.
#pragma once

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <vector>

namespace heddle::engine::simd {

using Blocks = std::vector<llvm::BasicBlock *>;

/// The block itself and all that can only be reached through it.
Blocks dominatedBy(const llvm::BasicBlock &block, const llvm::DominatorTree &dominators);

size_t countInstructions(const Blocks &blocks);

/// Copies the blocks; `map` says what each has become, and each of their values. Ways out of the
/// copies lead where those of the originals do; nothing leads to the copies yet.
void copyBlocks(llvm::Function &function, const Blocks &blocks, llvm::ValueToValueMapTy &map);

} // namespace heddle::engine::simd
