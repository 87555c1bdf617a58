// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies regions of a function, for the passes that version code.
#pragma once

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <vector>

namespace heddle::engine::simd {

using Blocks = std::vector<llvm::BasicBlock *>;

/// The block and all blocks that it dominates.
Blocks dominatedBy(const llvm::BasicBlock &block, const llvm::DominatorTree &dominators);

size_t countInstructions(const Blocks &blocks);

/// Copies the blocks; `map` maps blocks and their values to the copies. Exits of the copy lead to
/// the same blocks as those of the original; no branch leads to the copy yet.
void copyBlocks(llvm::Function &function, const Blocks &blocks, llvm::ValueToValueMapTy &map);

} // namespace heddle::engine::simd
