// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/plan/cost.h"

#include "engine/compiler/lowering/warp_step.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine::simd {

Cost costOf(const Instruction &instruction, const PlannedCode &code) {
  const unsigned lanes = code.layout().lanes;
  if (getLoadStorePointerOperand(&instruction))
    return {code.planOf(instruction).cost, lanes * scalar_access};
  if (instruction.isAtomic()) // the bus is locked in both cases
    return {};
  if (isa<PHINode, BranchInst, GetElementPtrInst, CastInst>(instruction))
    return {}; // mostly folded into other instructions
  if (code.shapes.of(&instruction).hasBase())
    return {scalar_operation, lanes * scalar_operation};
  return {vector_operation, lanes * scalar_operation};
}

bool isLaneByLane(const Instruction &instruction, const PlannedCode &code) {
  if (isVolatileShared(instruction))
    return !code.shapes.of(getLoadStorePointerOperand(&instruction)).hasBase();
  if (instruction.isAtomic() || instruction.isVolatile())
    return true;
  if (getLoadStorePointerOperand(&instruction)) {
    const Cost cost = costOf(instruction, code);
    return cost.vector > cost.alone;
  }
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call))
    return false;
  return !code.shapes.of(call).isUniform() || call->mayHaveSideEffects();
}

} // namespace heddle::engine::simd
