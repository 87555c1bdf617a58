// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/form/region_copy.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace heddle::engine::simd {

Blocks dominatedBy(const BasicBlock &block, const DominatorTree &dominators) {
  Blocks result;
  for (BasicBlock &other : *const_cast<Function *>(block.getParent()))
    if (dominators.dominates(&block, &other))
      result.push_back(&other);
  return result;
}

size_t countInstructions(const Blocks &blocks) {
  size_t result = 0;
  for (const BasicBlock *block : blocks)
    result += block->size();
  return result;
}

void copyBlocks(Function &function, const Blocks &blocks, ValueToValueMapTy &map) {
  SmallVector<BasicBlock *> copies;
  for (BasicBlock *block : blocks) {
    BasicBlock *copy = CloneBasicBlock(block, map, ".coherent", &function);
    map[block] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, map);
  for (BasicBlock *block : blocks)
    for (BasicBlock *successor : successors(block)) {
      if (map.count(successor))
        continue;
      for (PHINode &phi : successor->phis()) {
        auto *copy = cast<BasicBlock>(map[block]);
        if (phi.getBasicBlockIndex(copy) >= 0)
          continue;
        Value *value = phi.getIncomingValueForBlock(block);
        const auto found = map.find(value);
        phi.addIncoming(found == map.end() ? value : static_cast<Value *>(found->second), copy);
      }
    }
}

} // namespace heddle::engine::simd
