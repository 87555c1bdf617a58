// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/plan/block_coarsening.h"

#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/access/access_distance.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/plan/cost.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// A worker has the shared memory of one block at a time.
bool usesSharedMemory(const Instruction &instruction) {
  return any_of(instruction.operands(), [](const Use &operand) {
    return operand->getType()->isPointerTy() &&
           operand->getType()->getPointerAddressSpace() == shared_space;
  });
}

} // namespace

bool runsInStrips(Function &function, const LaneLayout &layout, const TargetProfile &target) {
  if (!layout.full || layout.lanes == 1)
    return false;
  const PlannedCode code(function, layout, target);
  return code.loops.empty() && !hasAccessDownColumns(function, code) &&
         (layout.whole || none_of(instructions(function), [&](const Instruction &instruction) {
            return usesSharedMemory(instruction) || isLaneByLane(instruction, code);
          }));
}

bool stripsGoUp(Function &function, const LaneLayout &layout) {
  return none_of(instructions(function),
                 [](const Instruction &instruction) {
                   const StringRef name = calledName(instruction);
                   return name.contains(".sreg.tid.y") || name.contains(".sreg.ctaid.y");
                 }) &&
         (layout.isWholeRow() || !accessDistances(function, ShapedCode(function, layout)).pieces);
}

} // namespace heddle::engine::simd
