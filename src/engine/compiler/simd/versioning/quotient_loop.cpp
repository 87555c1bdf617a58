// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/versioning/quotient_loop.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr CodeBudget code_budget{.largest = 600, .copies = 1};

// The common exit of the blocks; null if they return.
BasicBlock *commonExit(const Blocks &blocks) {
  for (const BasicBlock *block : blocks)
    for (BasicBlock *successor : successors(const_cast<BasicBlock *>(block))) // NOLINT: no const
      if (!is_contained(blocks, successor))
        return successor;
  return nullptr;
}

// Whether it may be executed several times for parts of a gang: no synchronisation, which all lanes
// must reach together, and no atomics, which are ordered across lanes.
bool mayBeRepeated(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return !instruction.isAtomic() && !instruction.isVolatile() &&
         (!call || (isa<IntrinsicInst>(call) && !call->isConvergent()));
}

} // namespace

bool canLoopOverQuotients(const Blocks &blocks) {
  BasicBlock *out = commonExit(blocks);
  if (!code_budget.allows(blocks) || (out && !out->phis().empty()))
    return false;
  return all_of(blocks, [&](const BasicBlock *block) {
    return all_of(*block, mayBeRepeated) && !(out && isa<ReturnInst>(block->getTerminator())) &&
           all_of(successors(block), [&](const BasicBlock *successor) {
             return successor == out || is_contained(blocks, successor);
           });
  });
}

RowLoop loopOverQuotients(const Blocks &blocks, const RegionCopy &copy, const RowsOfGang &rows) {
  Function &function = *blocks.front()->getParent();
  LLVMContext &context = function.getContext();
  BasicBlock *out = commonExit(blocks);
  BasicBlock *start = BasicBlock::Create(context, "rows", &function);
  BasicBlock *head = BasicBlock::Create(context, "row", &function);
  BasicBlock *next = BasicBlock::Create(context, "next.row", &function);

  IRBuilder<> b(start);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  Type *type = rows.index->getType();
  PHINode *row = b.CreatePHI(type, 2);
  Value *begin = b.CreateNSWMul(row, rows.width);
  // For lanes of other rows, too; negative for earlier rows.
  Value *place = b.CreateNSWSub(rows.index, begin);
  b.CreateCondBr(b.CreateICmpULT(place, rows.width), copy.entry(), next);

  b.SetInsertPoint(next);
  row->addIncoming(rows.first, start);
  row->addIncoming(b.CreateNSWAdd(row, ConstantInt::get(type, 1)), next);
  // The start of the next row may overflow the type.
  Value *left = b.CreateNSWSub(rows.highest, begin);
  BasicBlock *end = out;
  if (!out) {
    end = BasicBlock::Create(context, "all.rows", &function);
    ReturnInst::Create(context, end);
  }
  b.CreateCondBr(b.CreateICmpSGE(left, rows.width), head, end);

  for (BasicBlock *block : blocks) {
    Instruction *terminator = copy.of(block)->getTerminator();
    if (isa<ReturnInst>(terminator))
      ReplaceInstWithInst(terminator, BranchInst::Create(next));
    else if (out)
      terminator->replaceSuccessorWith(out, next);
  }
  return {start, row, place};
}

} // namespace heddle::engine::simd
