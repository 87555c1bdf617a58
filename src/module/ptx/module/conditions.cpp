// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/conditions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {
namespace {

constexpr unsigned most_instructions = 16;
constexpr unsigned most_conditions = 16;

bool isCheap(const Instruction &instruction) {
  if (isa<PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(&instruction))
    return false;
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return isa<IntrinsicInst>(call);
  return true;
}

// Hoists the computation of the block's condition before the branch that leads to the block, if
// that branch otherwise leads to one of the block's successors. Loop exits stay separate until LLVM
// has rotated the loop.
bool hoistCondition(BasicBlock &block, const LoopInfo &loops) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  BasicBlock *before = block.getSinglePredecessor();
  auto *first = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !first || !first->isConditional() ||
      before == &block || block.size() > most_instructions + 1)
    return false;
  const Loop *loop = loops.getLoopFor(before);
  const bool joined = any_of(successors(before), [&](BasicBlock *other) {
    return other != &block && is_contained(successors(&block), other) &&
           (!loop || loop->contains(other));
  });
  if (!joined || block.size() == 1)
    return false;
  for (const Instruction &instruction : block)
    if (!instruction.isTerminator() && !isCheap(instruction))
      return false;
  for (Instruction &instruction : make_early_inc_range(block))
    if (!instruction.isTerminator()) {
      instruction.dropUBImplyingAttrsAndMetadata();
      instruction.moveBefore(first);
    }
  return true;
}

// max(a, b) < c is a < c and b < c, which shows better which threads continue.
bool splitComparison(ICmpInst &compare) {
  auto *extreme = dyn_cast<MinMaxIntrinsic>(compare.getOperand(0));
  CmpInst::Predicate predicate = compare.getPredicate();
  Value *other = compare.getOperand(1);
  if (!extreme) {
    extreme = dyn_cast<MinMaxIntrinsic>(other);
    predicate = compare.getSwappedPredicate();
    other = compare.getOperand(0);
  }
  if (!extreme || !extreme->hasOneUse() || compare.isEquality() ||
      extreme->isSigned() != compare.isSigned() || extreme->getParent() != compare.getParent())
    return false;
  const bool is_max =
      extreme->getIntrinsicID() == Intrinsic::smax || extreme->getIntrinsicID() == Intrinsic::umax;
  const bool less = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  IRBuilder<> builder(&compare);
  Value *left = builder.CreateICmp(predicate, extreme->getLHS(), other);
  Value *right = builder.CreateICmp(predicate, extreme->getRHS(), other);
  compare.replaceAllUsesWith(is_max == less ? builder.CreateAnd(left, right)
                                            : builder.CreateOr(left, right));
  compare.eraseFromParent();
  extreme->eraseFromParent();
  return true;
}

// The dividend, if a shift or mask of this sum divides by 2^bits: x + (x < 0 ? 2^bits - 1 : 0). PTX
// compilers emit divisions so; the engines analyse quotients of thread numbers.
Value *dividend(Value *sum, unsigned bits) {
  Value *x = nullptr;
  const unsigned width = sum->getType()->getIntegerBitWidth();
  if (bits > 0 && bits < width &&
      match(sum, m_c_Add(m_LShr(m_AShr(m_Value(x), m_SpecificInt(width - 1)),
                                m_SpecificInt(width - bits)),
                         m_Deferred(x))))
    return x;
  return nullptr;
}

bool restoreDivision(Instruction &instruction) {
  Value *sum = nullptr;
  const APInt *number = nullptr;
  unsigned bits = 0;
  const bool quotient = match(&instruction, m_AShr(m_Value(sum), m_APInt(number)));
  if (quotient)
    bits = unsigned(number->getLimitedValue(64));
  else if (match(&instruction, m_And(m_Value(sum), m_APInt(number))) && (-*number).isPowerOf2())
    bits = (-*number).logBase2();
  Value *x = sum ? dividend(sum, bits) : nullptr;
  if (!x || bits + 1 >= x->getType()->getIntegerBitWidth())
    return false;
  IRBuilder<> builder(&instruction);
  Constant *power = ConstantInt::get(x->getType(), uint64_t(1) << bits);
  Value *result = builder.CreateSDiv(x, power);
  instruction.replaceAllUsesWith(quotient ? result : builder.CreateMul(result, power));
  instruction.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses JoinConditionsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = false;
  SmallVector<ICmpInst *> comparisons;
  for (Instruction &instruction : instructions(function))
    if (auto *compare = dyn_cast<ICmpInst>(&instruction))
      comparisons.push_back(compare);
  for (ICmpInst *compare : comparisons)
    changed |= splitComparison(*compare);
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (instruction.getType()->isIntegerTy(32) || instruction.getType()->isIntegerTy(64))
      changed |= restoreDivision(instruction);
  for (unsigned i = 0; i < most_conditions; ++i) {
    // One per iteration: a block that has received another's computations has more to hoist than
    // before.
    SmallPtrSet<BasicBlock *, 8> moved;
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    for (BasicBlock &block : function)
      if (BasicBlock *before = block.getSinglePredecessor();
          before && !moved.contains(before) && hoistCondition(block, loops))
        moved.insert(&block);
    if (moved.empty())
      break;
    changed = true;
    analyses.invalidate(function, PreservedAnalyses::none());
    SimplifyCFGPass(SimplifyCFGOptions()).run(function, analyses);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace heddle
