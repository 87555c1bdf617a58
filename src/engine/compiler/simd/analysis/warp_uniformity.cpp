// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/warp_uniformity.h"

#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "engine/compiler/lowering/warp_step.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

// Whether the number grows by one from lane to lane, and is a multiple of `lanes`, a power of two,
// in the gang's first lane.
bool countsLanes(const Value &number, unsigned lanes, const Shapes &shapes) {
  const Shape shape = shapes.of(&number);
  return shape.isAffine() && shape.stride == 1 && shape.zeros >= Log2_32(lanes);
}

// Whether the value is the low bits of such a number, which equal those of the lane number.
bool isLowBitsOfLaneNumber(const Value &value, const LaneLayout &layout, const Shapes &shapes) {
  const Value *number = nullptr;
  const APInt *bits = nullptr;
  return match(&value, m_And(m_Value(number), m_APInt(bits))) && bits->ult(layout.lanes) &&
         countsLanes(*number, unsigned(PowerOf2Ceil(bits->getZExtValue() + 1)), shapes);
}

} // namespace

bool observesWarp(const Instruction &instruction) {
  return isWarpOperation(instruction) || isVolatileShared(instruction) ||
         calledName(instruction) == "llvm.nvvm.activemask" || matrixForm(calledName(instruction));
}

bool needsGangOfOneWarp(const Instruction &instruction) {
  const auto form = warpForm(calledName(instruction));
  if (!form)
    return observesWarp(instruction) && !isVolatileShared(instruction);
  if (form->operation != WarpOperation::Shuffle && form->operation != WarpOperation::Sync)
    return true;
  const auto *mask = dyn_cast<ConstantInt>(cast<CallBase>(instruction).getArgOperand(form->mask));
  return !mask || !mask->isMinusOne();
}

bool warpsStayWhole(const Function &function, const ShapedCode &warp) {
  return none_of(instructions(function), [&](const Instruction &instruction) {
    return isWarpOperation(instruction) && warp.shapes.isDivergent(instruction.getParent());
  });
}

bool isPlaceAmong(unsigned lanes, const Value &value, const Shapes &shapes) {
  const Value *number = nullptr;
  return match(&value, m_And(m_Value(number), m_SpecificInt(lanes - 1))) &&
         countsLanes(*number, lanes, shapes);
}

void numberLanes(Function &function, const LaneLayout &layout) {
  if (layout.kind != LaneLayout::Kind::Row || layout.lanes == 1)
    return;
  SmallVector<BinaryOperator *> found;
  {
    const ShapedCode code(function, layout);
    for (Instruction &instruction : instructions(function))
      if (instruction.getType()->isIntegerTy(32) &&
          isLowBitsOfLaneNumber(instruction, layout, code.shapes))
        found.push_back(cast<BinaryOperator>(&instruction));
  }
  for (BinaryOperator *instruction : found) {
    IRBuilder<> builder(instruction);
    instruction->setOperand(0, callMarker(builder, lane_marker));
  }
}

std::optional<uint64_t> lowBitsOfLane(const Value &value) {
  const Value *number = nullptr;
  const APInt *mask = nullptr;
  if (match(&value, m_And(m_Value(number), m_APInt(mask))) && mask->isMask() &&
      calledName(*number) == lane_marker)
    return mask->getZExtValue();
  return std::nullopt;
}

} // namespace heddle::engine::simd
