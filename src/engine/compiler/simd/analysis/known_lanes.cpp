// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/known_lanes.h"

#include "engine/compiler/simd/analysis/prefix_predicates.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

// The value in one lane, if it depends only on the lane number, or on threadIdx.x where that is the
// lane number.
Constant *valueInLane(const Value &value, unsigned lane, const DataLayout &data) {
  if (calledName(value) == lane_marker || isThreadIndex(value))
    return ConstantInt::get(value.getType(), lane);
  if (auto *constant = dyn_cast<Constant>(&value))
    return const_cast<Constant *>(constant); // NOLINT: LLVM's constants are used as non-const
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !isa<BinaryOperator, CastInst, ICmpInst, SelectInst>(instruction))
    return nullptr;
  SmallVector<Constant *, 2> operands;
  for (const Value *operand : instruction->operands()) {
    Constant *number = valueInLane(*operand, lane, data);
    if (!number)
      return nullptr;
    operands.push_back(number);
  }
  if (const auto *compare = dyn_cast<ICmpInst>(instruction))
    return ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0], operands[1], data);
  return ConstantFoldInstOperands(const_cast<Instruction *>(instruction), operands, data); // NOLINT
}

} // namespace

std::optional<unsigned> firstThreads(CmpInst::Predicate predicate, const APInt &bound) {
  const ConstantRange holds = threadsThatCompare(predicate, bound);
  if (holds.isEmptySet() || holds.isFullSet() || !holds.getLower().isZero())
    return std::nullopt;
  return unsigned(holds.getUpper().getZExtValue());
}

std::optional<unsigned> knownLanesOfCondition(const Value &condition) {
  if (const auto *both = dyn_cast<SelectInst>(&condition)) { // a mask nested in another one
    const auto outer = knownLanesOfCondition(*both->getCondition());
    const auto inner = knownLanesOfCondition(*both->getTrueValue());
    return outer && inner && match(both->getFalseValue(), m_Zero())
               ? std::optional(std::min(*outer, *inner))
               : std::nullopt;
  }
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  const auto *bound = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
  return bound && calledName(*compare->getOperand(0)) == lane_marker
             ? firstThreads(compare->getPredicate(), bound->getValue())
             : std::nullopt;
}

bool partsKnownLanes(const Value &condition, const LaneLayout &layout) {
  return comparesWhatFollowsFrom(condition, [&](const Value &number) {
    return calledName(number) == lane_marker || (layout.hasRows() && isThreadIndex(number)) ||
           (layout.whole && calledName(number).contains(".sreg.tid."));
  });
}

std::optional<uint32_t> lanesOfWarpsThatPass(const Value &condition, bool wanted) {
  constexpr unsigned most_threads = 1024; // of a block
  if (!comparesThreadIndex(condition))
    return std::nullopt;
  const DataLayout &data = cast<Instruction>(condition).getModule()->getDataLayout();
  uint32_t result = 0;
  for (unsigned warp = 0; warp < most_threads; warp += warp_lanes) {
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
      const Constant *holds = valueInLane(condition, warp + lane, data);
      if (!holds)
        return std::nullopt;
      lanes |= uint32_t(holds->isOneValue() == wanted) << lane;
    }
    if (lanes && result && lanes != result)
      return std::nullopt;
    result |= lanes;
  }
  return result;
}

BranchTaken branchTo(const BasicBlock &block) {
  const BasicBlock *here = &block, *before = nullptr;
  while ((before = here->getSinglePredecessor()) && before->getSingleSuccessor())
    here = before;
  const auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  return branch ? BranchTaken{branch, branch->getSuccessor(0) == here} : BranchTaken();
}

KnownLanes lanesThatCome(const BasicBlock &block, const LaneLayout &layout) {
  const auto [branch, wanted] = branchTo(block);
  if (!layout.isWholeRow() || !branch || !partsKnownLanes(*branch->getCondition(), layout))
    return {layout.lanes, true};
  const DataLayout &data = block.getModule()->getDataLayout();
  KnownLanes result;
  for (unsigned lane = 0; lane < layout.lanes; ++lane) {
    const Constant *holds = valueInLane(*branch->getCondition(), lane, data);
    if (holds && holds->isOneValue() != wanted)
      continue;
    result.are_first &= lane == result.count;
    ++result.count;
  }
  return result;
}

} // namespace heddle::engine::simd
