// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/if_conversion.h"

#include "engine/compiler/simd/analysis/predication_safety.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/loop_form.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned most_instructions = 4; // of a side that is speculated

class Flattening {
public:
  Flattening(Function &function, const LaneLayout &layout)
      : function_(function), code_(function, layout) {}

  bool run() {
    const SmallVector<BasicBlock *> order(post_order(&function_)); // inner branches first
    bool changed = false;
    for (BasicBlock *block : order)
      if (!gone_.contains(block) && code_.shapes.divergesAt(block))
        while (flattenOne(*block))
          changed = true;
    for (BasicBlock *block : gone_)
      block->eraseFromParent();
    return changed;
  }

private:
  bool flattenOne(BasicBlock &block) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || branch->isUnconditional())
      return false;
    for (const unsigned i : {0, 1}) {
      BasicBlock *side = branch->getSuccessor(i), *other = branch->getSuccessor(1 - i);
      if (side == other || !isSmallSide(block, *side))
        continue;
      // The side leads to `other`, always or conditionally.
      if (is_contained(successors(side), other)) {
        merge(block, *branch, i);
        return true;
      }
      // Both sides have the same successor: afterwards the branch above may match.
      BasicBlock *next = side->getSingleSuccessor();
      if (next && (isEmpty(*side) ||
                   (isSmallSide(block, *other) && is_contained(successors(other), next)))) {
        retarget(block, *branch, i);
        return true;
      }
    }
    return false;
  }

  // Only a branch to another block; it may have several predecessors.
  static bool isEmpty(const BasicBlock &side) {
    return side.sizeWithoutDebug() == 1 && side.getSingleSuccessor();
  }

  // A side with `block` as only predecessor whose instructions may be speculated. Loop edges are
  // kept.
  bool isSmallSide(const BasicBlock &block, BasicBlock &side) const {
    const Loop *loop = code_.loops.getLoopFor(&block);
    const auto in_loop = [&](const BasicBlock *inner) {
      return code_.loops.getLoopFor(inner) == loop && (!loop || loop->getHeader() != inner);
    };
    return (side.getSinglePredecessor() == &block || isEmpty(side)) &&
           isa<BranchInst>(side.getTerminator()) && !isa<PHINode>(side.front()) &&
           side.sizeWithoutDebug() <= most_instructions + 1 && in_loop(&side) &&
           all_of(successors(&side), in_loop) && all_of(side, [](const Instruction &instruction) {
             return instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
                    isCheap(instruction);
           });
  }

  // side: br next
  void retarget(BasicBlock &block, BranchInst &branch, unsigned which) {
    BasicBlock *side = branch.getSuccessor(which), *next = side->getSingleSuccessor();
    hoist(*side, branch);
    for (PHINode &phi : next->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(side), &block);
    branch.setSuccessor(which, next);
    forgetUnused(*side);
  }

  // side: br other, or br c, other, elsewhere
  void merge(BasicBlock &block, BranchInst &branch, unsigned which) {
    BasicBlock *side = branch.getSuccessor(which), *other = branch.getSuccessor(1 - which);
    hoist(*side, branch);
    IRBuilder<> builder(&branch);
    Value *to_side = branch.getCondition();
    for (PHINode &phi : other->phis()) {
      Value *values[] = {phi.getIncomingValueForBlock(side), phi.getIncomingValueForBlock(&block)};
      if (values[0] != values[1])
        phi.setIncomingValueForBlock(
            &block, builder.CreateSelect(to_side, values[which], values[1 - which], phi.getName()));
    }
    auto *onward = cast<BranchInst>(side->getTerminator());
    if (onward->isUnconditional()) {
      builder.CreateBr(other);
    } else {
      if (which == 1)
        to_side = builder.CreateNot(to_side);
      BasicBlock *elsewhere = onward->getSuccessor(onward->getSuccessor(0) == other ? 1 : 0);
      Value *not_to_other = onward->getCondition();
      if (onward->getSuccessor(1) == elsewhere)
        not_to_other = builder.CreateNot(not_to_other);
      // The side's condition may be poison in lanes that do not take the side.
      builder.CreateCondBr(builder.CreateLogicalAnd(to_side, not_to_other), elsewhere, other);
      for (PHINode &phi : elsewhere->phis())
        phi.addIncoming(phi.getIncomingValueForBlock(side), &block);
    }
    branch.eraseFromParent();
    forgetUnused(*side);
  }

  static void hoist(BasicBlock &side, Instruction &place) {
    for (Instruction &instruction : make_early_inc_range(side)) {
      if (instruction.isTerminator())
        break;
      instruction.dropUBImplyingAttrsAndMetadata();
      instruction.moveBefore(&place);
    }
  }

  void forgetUnused(BasicBlock &side) {
    if (!pred_empty(&side))
      return;
    for (BasicBlock *next : successors(&side))
      next->removePredecessor(&side, true);
    side.getTerminator()->eraseFromParent();
    IRBuilder<>(&side).CreateUnreachable();
    gone_.insert(&side);
  }

  Function &function_;
  const ShapedCode code_;
  SmallPtrSet<BasicBlock *, 16> gone_;
};

} // namespace

void convertBranchesToSelects(Function &function, const LaneLayout &layout) {
  if (layout.lanes > 1 && Flattening(function, layout).run())
    canonicalizeLoops(function);
}

} // namespace heddle::engine::simd
