// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/plan/block_coarsening.h"

#include "engine/compiler/simd/analysis/access/access_distance.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/access/permuted_access.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/plan/gang_width.h"

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

// Whether the access is contiguous or a permutation of contiguous elements.
bool isPattern(const Instruction &instruction, const ShapedCode &code, const LaneLayout &layout) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  if (!load || !load->isSimple())
    return false;
  const DataLayout &data = load->getModule()->getDataLayout();
  return permutationOf(*load->getPointerOperand(), data.getTypeStoreSize(load->getType()),
                       code.shapes, layout, data)
      .has_value();
}

} // namespace

bool runsInStrips(Function &function, const LaneLayout &layout) {
  if (!layout.full || layout.lanes == 1)
    return false;
  const ShapedCode code(function, layout);
  return code.loops.empty() &&
         (layout.whole || none_of(instructions(function), [&](const Instruction &instruction) {
            return usesSharedMemory(instruction) ||
                   (isLaneByLane(instruction, code) && !isPattern(instruction, code, layout));
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
