// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/runs.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace heddle::engine {
namespace {

// What the value is computed from behind `place` in its block, operands first; false if one of
// these cannot be moved before it.
bool computationBehind(Value *value, const Instruction &place,
                       SmallVectorImpl<Instruction *> &found,
                       SmallPtrSetImpl<Instruction *> &seen) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || instruction->getParent() != place.getParent() ||
      (instruction != &place && instruction->comesBefore(&place)) || seen.contains(instruction))
    return true;
  if (instruction == &place || isa<PHINode>(instruction) || instruction->mayReadOrWriteMemory() ||
      instruction->mayHaveSideEffects())
    return false;
  for (Value *operand : instruction->operands())
    if (!computationBehind(operand, place, found, seen))
      return false;
  seen.insert(instruction);
  found.push_back(instruction);
  return true;
}

bool moveBefore(Value *value, Instruction &place) {
  SmallVector<Instruction *> found;
  SmallPtrSet<Instruction *, 8> seen;
  if (!computationBehind(value, place, found, seen))
    return false;
  for (Instruction *instruction : found)
    instruction->moveBefore(&place);
  return true;
}

// What happens between two accesses of a run must be nothing but other accesses.
bool endsRun(const Instruction &instruction) {
  if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return false;
  return instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects();
}

} // namespace

Value *addressOf(const Instruction &access) {
  return const_cast<Value *>(
      getLoadStorePointerOperand(&access) ? getLoadStorePointerOperand(&access)
      : isa<AtomicRMWInst>(access)        ? cast<AtomicRMWInst>(access).getPointerOperand()
      : isa<AtomicCmpXchgInst>(access)    ? cast<AtomicCmpXchgInst>(access).getPointerOperand()
                                          : nullptr);
}

std::vector<Run> divideIntoRuns(ArrayRef<Instruction *> accesses) {
  constexpr size_t longest = 64;
  std::vector<Run> runs;
  for (Instruction *access : accesses) {
    if (!runs.empty() && runs.back().size() < longest) {
      bool goes_on = true;
      for (Instruction *i = runs.back().back()->getNextNode(); goes_on && i != access;
           i = i->getNextNode())
        goes_on = !endsRun(*i);
      if (goes_on && moveBefore(addressOf(*access), *runs.back().front())) {
        runs.back().push_back(access);
        continue;
      }
    }
    runs.push_back({access});
  }
  return runs;
}

TwoWays copyRun(const Run &run, Value *condition, MutableArrayRef<Value *> named) {
  BasicBlock *before = run.front()->getParent();
  BasicBlock *usual = before->splitBasicBlock(run.front()->getIterator(), "within");
  BasicBlock *behind = usual->splitBasicBlock(std::next(run.back()->getIterator()), "checked");
  ValueToValueMapTy map;
  BasicBlock *copy = CloneBasicBlock(usual, map, ".outside", usual->getParent());
  for (Instruction &instruction : *copy)
    RemapInstruction(&instruction, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  before->getTerminator()->eraseFromParent();
  BranchInst *branch = BranchInst::Create(usual, copy, condition, before);
  branch->setMetadata(LLVMContext::MD_prof,
                      MDBuilder(before->getContext()).createLikelyBranchWeights());
  for (Instruction &instruction : *usual) {
    if (instruction.getType()->isVoidTy() || !instruction.isUsedOutsideOfBlock(usual))
      continue;
    PHINode *joined = PHINode::Create(instruction.getType(), 2, "", behind->begin());
    instruction.replaceUsesOutsideBlock(joined, usual);
    joined->addIncoming(&instruction, usual);
    joined->addIncoming(map[&instruction], copy);
  }
  TwoWays result{branch, {}};
  for (Instruction *access : run)
    result.copies.push_back(cast<Instruction>(map[access]));
  for (Value *&value : named)
    if (const auto found = map.find(value); found != map.end())
      value = found->second;
  return result;
}

} // namespace heddle::engine
