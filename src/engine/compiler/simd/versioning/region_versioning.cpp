// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/versioning/region_versioning.h"

#include "engine/compiler/simd/form/loop_form.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace heddle::engine::simd {

Blocks dominatedBy(const BasicBlock &block, const DominatorTree &dominators) {
  Blocks result{const_cast<BasicBlock *>(&block)};
  for (BasicBlock &other : *result.front()->getParent())
    if (dominators.properlyDominates(&block, &other))
      result.push_back(&other);
  return result;
}

size_t countInstructions(const Blocks &blocks) {
  size_t result = 0;
  for (const BasicBlock *block : blocks)
    result += block->size();
  return result;
}

bool touchesMemory(const Blocks &blocks) {
  return any_of(blocks, [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &i) { return i.mayReadOrWriteMemory(); });
  });
}

void versionRegions(Function &function, const LaneLayout &layout, CodeBudget budget,
                    function_ref<bool(const ShapedCode &)> version, function_ref<void()> after) {
  for (; budget.copies > 0; --budget.copies) {
    if (const ShapedCode code(function, layout); !version(code))
      return;
    uniteReturns(function);
    canonicalizeLoops(function);
    after();
  }
}

bool isPure(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->hasMetadata(LLVMContext::MD_invariant_load);
  return !isa<PHINode>(instruction) && !instruction.mayReadOrWriteMemory() &&
         isSafeToSpeculativelyExecute(&instruction);
}

bool Hoister::canHoist(Value *value, unsigned depth) {
  const size_t before = moved_.size();
  if (add(value, depth))
    return true;
  while (moved_.size() > before)
    moved_.pop_back();
  return false;
}

bool Hoister::add(Value *value, unsigned depth) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || moved_.contains(instruction) || dominators_.dominates(instruction, &place_))
    return true;
  if (depth == 0 || moved_.size() >= most_ || instruction == &place_ || !isPure(*instruction) ||
      !all_of(instruction->operands(), [&](Value *operand) { return add(operand, depth - 1); }))
    return false;
  moved_.insert(instruction);
  return true;
}

void Hoister::hoist() {
  for (Instruction *instruction : moved_)
    instruction->moveBefore(&place_);
  moved_.clear();
}

RegionCopy::RegionCopy(const Blocks &region) : region_(region) {
  for (BasicBlock *block : region_) {
    BasicBlock *copy = CloneBasicBlock(block, map_, ".version", block->getParent());
    map_[block] = copy;
    copies_.push_back(copy);
  }
  remapInstructionsInBlocks(copies_, map_);
  for (BasicBlock *block : region_)
    for (BasicBlock *successor : successors(block))
      if (!map_.count(successor))
        for (PHINode &phi : successor->phis())
          if (phi.getBasicBlockIndex(of(block)) < 0)
            phi.addIncoming(of(phi.getIncomingValueForBlock(block)), of(block));
}

void RegionCopy::assume(Value &value, Value *known) {
  if (auto *copy = dyn_cast_or_null<Instruction>(static_cast<Value *>(map_.lookup(&value)))) {
    copy->replaceAllUsesWith(known);
    copy->eraseFromParent();
    return;
  }
  const SmallPtrSet<const BasicBlock *, 32> inside(copies_.begin(), copies_.end());
  value.replaceUsesWithIf(known, [&](const Use &use) {
    const auto *user = dyn_cast<Instruction>(use.getUser());
    return user && inside.contains(user->getParent());
  });
}

void RegionCopy::enterIf(Value *predicate, BasicBlock &block) {
  Instruction *old = block.getTerminator();
  auto *branch = BranchInst::Create(entry(), region_.front(), predicate, old);
  branch->setDebugLoc(old->getDebugLoc());
  old->eraseFromParent();
  mergeResults();
  fold();
}

// Values that are used behind the region now have two definitions.
void RegionCopy::mergeResults() {
  const SmallPtrSet<const BasicBlock *, 32> inside(region_.begin(), region_.end());
  for (BasicBlock *block : region_)
    for (Instruction &instruction : *block) {
      SmallVector<Use *> outside;
      for (Use &use : instruction.uses()) {
        const auto *user = cast<Instruction>(use.getUser());
        const auto *phi = dyn_cast<PHINode>(user);
        if (!inside.contains(phi ? phi->getIncomingBlock(use) : user->getParent()))
          outside.push_back(&use);
      }
      if (outside.empty())
        continue;
      SSAUpdater updater;
      updater.Initialize(instruction.getType(), instruction.getName());
      updater.AddAvailableValue(block, &instruction);
      updater.AddAvailableValue(of(block), of<Value>(&instruction));
      for (Use *use : outside)
        updater.RewriteUse(*use);
    }
}

void RegionCopy::fold() {
  bool folded = false;
  for (BasicBlock *block : copies_)
    folded |= ConstantFoldTerminator(block);
  if (!folded)
    return;
  for (BasicBlock *block : copies_)
    MergeBlockIntoPredecessor(block);
  EliminateUnreachableBlocks(*region_.front()->getParent());
}

} // namespace heddle::engine::simd
