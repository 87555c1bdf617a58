// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/split_structures.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

unsigned membersOf(const Type *type) {
  return type->isStructTy() ? type->getStructNumElements() : unsigned(type->getArrayNumElements());
}

bool isWhole(const Instruction &instruction) {
  return instruction.getType()->isAggregateType() &&
         isa<PHINode, SelectInst, FreezeInst>(instruction);
}

// Member `index` of the result of a phi, select or freeze.
Value *memberOf(Instruction &whole, unsigned index) {
  IRBuilder<> b(&whole);
  if (auto *phi = dyn_cast<PHINode>(&whole)) {
    Type *type = ExtractValueInst::getIndexedType(phi->getType(), index);
    PHINode *member = b.CreatePHI(type, phi->getNumIncomingValues());
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      BasicBlock *from = phi->getIncomingBlock(i);
      Value *part = nullptr;
      // A predecessor with two edges has one entry per edge, with the same value.
      if (const int same = member->getBasicBlockIndex(from); same >= 0)
        part = member->getIncomingValue(unsigned(same));
      else
        part =
            IRBuilder<>(from->getTerminator()).CreateExtractValue(phi->getIncomingValue(i), index);
      member->addIncoming(part, from);
    }
    return member;
  }
  if (auto *select = dyn_cast<SelectInst>(&whole))
    return b.CreateSelect(select->getCondition(),
                          b.CreateExtractValue(select->getTrueValue(), index),
                          b.CreateExtractValue(select->getFalseValue(), index));
  return b.CreateFreeze(b.CreateExtractValue(whole.getOperand(0), index));
}

} // namespace

void splitStructures(Function &function) {
  SmallVector<Instruction *> work;
  for (Instruction &instruction : instructions(function))
    if (isWhole(instruction))
      work.push_back(&instruction);
  while (!work.empty()) {
    Instruction *whole = work.pop_back_val();
    SmallVector<Value *> members;
    for (unsigned i = 0; i < membersOf(whole->getType()); ++i) {
      members.push_back(memberOf(*whole, i));
      if (auto *member = dyn_cast<Instruction>(members.back()); member && isWhole(*member))
        work.push_back(member); // may be a nested structure
    }
    BasicBlock::iterator place = isa<PHINode>(whole) ? whole->getParent()->getFirstInsertionPt()
                                                     : std::next(whole->getIterator());
    IRBuilder<> b(whole->getParent(), place);
    Value *again = PoisonValue::get(whole->getType());
    for (unsigned i = 0; i < members.size(); ++i)
      again = b.CreateInsertValue(again, members[i], i);
    whole->replaceAllUsesWith(again);
    whole->eraseFromParent();
  }
}

} // namespace heddle::engine::simd
