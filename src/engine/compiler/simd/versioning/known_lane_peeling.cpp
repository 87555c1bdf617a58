// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/versioning/known_lane_peeling.h"

#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/analysis/prefix_predicates.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/versioning/region_versioning.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

struct FewThreads {
  BranchInst *branch = nullptr;
  unsigned side = 0;      // the successor that only they take
  unsigned count = 0;     // index < count
  Value *index = nullptr; // threadIdx.x, low bits of it, or the lane's number
  bool each_gang = false; // in every gang; else only in the first gang of a row, or of a part of it
  Blocks inside;          // what only they execute
};

class FirstLanes {
public:
  FirstLanes(Function &function, const LaneLayout &layout)
      : function_(function), layout_(layout), code_(function, layout) {}

  void run() {
    SmallPtrSet<const BasicBlock *, 16> done;
    std::vector<FewThreads> found;
    for (BasicBlock &block : function_)
      if (auto few = fewThreadsAt(block))
        found.push_back(std::move(*few));
    for (const FewThreads &few : found) {
      if (done.contains(few.branch->getParent()))
        continue; // nested: already a condition of lanes
      separate(few);
      done.insert(few.inside.begin(), few.inside.end());
    }
  }

private:
  // threadIdx.x % 32, or of another number that is a multiple of 32 in the first lane.
  bool isLane(const Value &value) const {
    const StringRef name = calledName(value);
    if (name == lane_marker)
      return true;
    if (name == "llvm.nvvm.read.ptx.sreg.laneid")
      return layout_.lanes == warp_lanes;
    return isPlaceAmong(layout_.lanes, value, code_.shapes);
  }

  // threadIdx.x % 64 in gangs of 32: the first lanes of every second gang.
  bool isPlaceInPart(const Value &value) const {
    const Value *number = nullptr;
    const APInt *bits = nullptr;
    return match(&value, m_And(m_Value(number), m_APInt(bits))) && bits->isMask() &&
           bits->uge(layout_.lanes) && isThreadIndex(*number);
  }

  // Not for branches with an `else`, which would get a mask: coherent_branch_versioning.h handles
  // these better.
  bool canLeaveFirstGang(const BasicBlock &block, const BasicBlock &rest) const {
    const Loop *loop = code_.loops.getLoopFor(&block);
    return code_.post_dominators.dominates(&rest, &block) && code_.loops.getLoopFor(&rest) == loop;
  }

  std::optional<FewThreads> fewThreadsAt(BasicBlock &block) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    auto *compare =
        branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    auto *bound = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
    const Loop *loop = code_.loops.getLoopFor(&block);
    if (!bound || !code_.shapes.divergesAt(&block) || (loop && loop->isLoopLatch(&block)))
      return std::nullopt;
    Value *index = compare->getOperand(0);
    const bool each_gang = isLane(*index) && index->getType()->isIntegerTy(32);
    if (!each_gang && !isThreadIndex(*index) && !isPlaceInPart(*index))
      return std::nullopt;
    for (unsigned side = 0; side < 2; ++side) {
      const CmpInst::Predicate predicate =
          side == 0 ? compare->getPredicate() : compare->getInversePredicate();
      const auto count = firstThreads(predicate, bound->getValue());
      BasicBlock *inside = branch->getSuccessor(side), *rest = branch->getSuccessor(1 - side);
      if (count && *count < layout_.lanes && inside->getSinglePredecessor() == &block &&
          (each_gang || canLeaveFirstGang(block, *rest)))
        return FewThreads{branch, side,      *count,
                          index,  each_gang, dominatedBy(*inside, code_.dominators)};
    }
    return std::nullopt;
  }

  void separate(const FewThreads &few) {
    if (!few.each_gang)
      leaveToFirstGang(few);
    IRBuilder<> builder(few.branch);
    Value *lane = callMarker(builder, lane_marker);
    const auto predicate = few.side == 0 ? CmpInst::ICMP_ULT : CmpInst::ICMP_UGE;
    few.branch->setCondition(builder.CreateICmp(predicate, lane, builder.getInt32(few.count)));
    lane_ = few.count == 1 ? static_cast<Value *>(builder.getInt32(0)) : lane;
    rebuild(few);
  }

  // Moves the branch to a block of its own that only the first gang reaches.
  void leaveToFirstGang(const FewThreads &few) {
    BasicBlock *block = few.branch->getParent(), *start = few.branch->getSuccessor(few.side);
    BasicBlock *rest = few.branch->getSuccessor(1 - few.side);
    BasicBlock *part = BasicBlock::Create(function_.getContext(), "first.gang", &function_, start);
    few.branch->moveBefore(*part, part->end());
    IRBuilder<> builder(block);
    Value *is_first = builder.CreateICmpULT(few.index, builder.getInt32(layout_.lanes), "first");
    builder.CreateCondBr(is_first, part, rest)->setDebugLoc(few.branch->getDebugLoc());
    start->replacePhiUsesWith(block, part);
    for (PHINode &phi : rest->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(block), part);
  }

  // Recomputes values that depend on threadIdx.x from the lane number.
  void rebuild(const FewThreads &few) {
    inside_.clear();
    inside_.insert(few.inside.begin(), few.inside.end());
    rebuilt_.clear();
    few_ = &few;
    place_ = &*few.branch->getSuccessor(few.side)->getFirstInsertionPt();
    for (BasicBlock *block : few.inside)
      for (Instruction &instruction : *block)
        for (Use &operand : instruction.operands())
          // Operands of a phi are evaluated at the end of the incoming block.
          if (auto *phi = dyn_cast<PHINode>(&instruction);
              !phi || inside_.contains(phi->getIncomingBlock(operand)))
            operand.set(ofLane(operand));
  }

  // threadIdx.x, where only a row's first gang executes.
  bool isFirst(const Value &value) const {
    return !few_->each_gang &&
           (&value == few_->index || (isThreadIndex(value) && isThreadIndex(*few_->index)));
  }

  // The lane number in the warp (warp_uniformity.h), where only lanes of the first warp execute.
  bool isLaneOfFirstWarp(const Value &value) const {
    const auto mask = lowBitsOfLane(value);
    return mask && few_->count <= *mask + 1;
  }

  Value *ofLane(Value *value) {
    if (value->getType()->isIntegerTy(32) &&
        (isLane(*value) || isFirst(*value) || isLaneOfFirstWarp(*value)))
      return lane_;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || inside_.contains(instruction->getParent()) ||
        !isa<BinaryOperator, CastInst, GetElementPtrInst>(instruction) ||
        !code_.shapes.of(value).isAffine())
      return value;
    if (Value *known = rebuilt_.lookup(value))
      return known;
    SmallVector<Value *> operands;
    for (Value *operand : instruction->operands())
      operands.push_back(ofLane(operand));
    Instruction *copy = instruction->clone();
    for (unsigned i = 0; i < operands.size(); ++i)
      copy->setOperand(i, operands[i]);
    copy->insertBefore(place_);
    return rebuilt_[value] = copy;
  }

  Function &function_;
  const LaneLayout &layout_;
  const ShapedCode code_;
  SmallPtrSet<const BasicBlock *, 16> inside_;
  DenseMap<Value *, Value *> rebuilt_;
  const FewThreads *few_ = nullptr;
  Value *lane_ = nullptr;
  Instruction *place_ = nullptr;
};

// Splits if (a && b) into if (a) if (b), where a is a condition of known lanes, so that b is
// evaluated for these only. Likewise the other side of if (a || b).
void splitConjunction(BasicBlock &block, function_ref<bool(const Value &)> is_known) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  Value *first = nullptr, *second = nullptr;
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return;
  const bool both = match(branch->getCondition(), m_LogicalAnd(m_Value(first), m_Value(second)));
  if (!both && !match(branch->getCondition(), m_LogicalOr(m_Value(first), m_Value(second))))
    return;
  if (!is_known(*first))
    std::swap(first, second);
  if (!is_known(*first))
    return;
  BasicBlock *rest = BasicBlock::Create(block.getContext(), block.getName() + ".known",
                                        block.getParent(), block.getNextNode());
  for (BasicBlock *next : successors(&block))
    for (PHINode &phi : next->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(&block), rest);
  auto *copy = cast<BranchInst>(branch->clone());
  copy->insertInto(rest, rest->end());
  copy->setCondition(second);
  branch->setCondition(first);
  for (PHINode &phi : branch->getSuccessor(both ? 0 : 1)->phis())
    phi.removeIncomingValue(&block, /*DeletePHIIfEmpty=*/false);
  branch->setSuccessor(both ? 0 : 1, rest);
}

void splitConjunctions(Function &function, const LaneLayout &layout) {
  const ShapedCode code(function, layout);
  const auto is_known = [&](const Value &condition) {
    const auto *compare = dyn_cast<ICmpInst>(&condition);
    return partsKnownLanes(condition, layout) ||
           (compare && isa<ConstantInt>(compare->getOperand(1)) &&
            isPlaceAmong(layout.lanes, *compare->getOperand(0), code.shapes));
  };
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock &block : function) {
    const Loop *loop = code.loops.getLoopFor(&block);
    if (code.shapes.divergesAt(&block) && !(loop && loop->isLoopLatch(&block)))
      blocks.push_back(&block);
  }
  for (BasicBlock *block : blocks)
    splitConjunction(*block, is_known);
}

} // namespace

void peelKnownLanes(Function &function, const LaneLayout &layout) {
  if (layout.lanes > 1)
    splitConjunctions(function, layout);
  if (layout.kind == LaneLayout::Kind::Row && layout.lanes > 1)
    FirstLanes(function, layout).run();
}

} // namespace heddle::engine::simd
