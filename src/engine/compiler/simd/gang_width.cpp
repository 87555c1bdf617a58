// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/gang_width.h"

#include "engine/compiler/simd/address_offset.h"
#include "engine/compiler/simd/markers.h"
#include "engine/compiler/simd/shapes.h"
#include "engine/compiler/simd/waiting.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Programs from before Volta rely on the threads of a warp being in step, if they say `volatile`.
bool isVolatileShared(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile() && load->getPointerAddressSpace() == shared_space;
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return store->isVolatile() && store->getPointerAddressSpace() == shared_space;
  return false;
}

// ---- What an instruction costs, in cycles, very roughly ----

struct Cost {
  double vector = 0; // for all lanes of a gang
  double alone = 0;  // for one thread after the other
};

// A load or store of each lane for itself, by a gather or otherwise, with the address's arithmetic.
constexpr double lane_access = 2.0, scalar_access = 0.6, vector_access = 1.5;
constexpr double vector_operation = 1.0, scalar_operation = 0.35;
constexpr double round_weight = 8;    // how often a loop goes round
constexpr double waiting_lanes = 1.4; // where lanes leave a loop at different times
constexpr double clear_advantage = 1.2;

Cost accessCost(const Shape &address, unsigned lanes) {
  if (address.isUniform())
    return {scalar_access, lanes * scalar_access};
  return {address.hasRowBases() ? vector_access : lanes * lane_access, lanes * scalar_access};
}

// Indices that are computed in 32 bits may wrap in theory; widenIndices and questions at run time
// make neighbours of most of them.
Shape addressShape(const Value &pointer, const Shapes &shapes) {
  const Shape shape = shapes.of(&pointer);
  const auto *gep = dyn_cast<GetElementPtrInst>(&pointer);
  if (shape.hasRowBases() || !gep || !shapes.of(gep->getPointerOperand()).hasRowBases())
    return shape;
  const bool foreseeable = all_of(gep->indices(), [&](const Use &index) {
    const auto *extension = dyn_cast<CastInst>(&index);
    return shapes.of(index).hasRowBases() ||
           (extension && shapes.of(extension->getOperand(0)).hasRowBases());
  });
  return foreseeable ? Shape{Shape::Kind::Affine, 0, 1} : shape;
}

Cost costOf(const Instruction &instruction, const Shapes &shapes, unsigned lanes) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return accessCost(addressShape(*load->getPointerOperand(), shapes), lanes);
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return accessCost(addressShape(*store->getPointerOperand(), shapes), lanes);
  if (instruction.isAtomic()) // the bus is locked in both cases
    return {};
  if (isa<PHINode, BranchInst, GetElementPtrInst, CastInst>(instruction))
    return {}; // mostly a part of something else
  if (shapes.of(&instruction).hasBase())
    return {scalar_operation, lanes * scalar_operation};
  return {vector_operation, lanes * scalar_operation};
}

} // namespace

bool isBetterAlone(Function &function, const LaneLayout &layout) {
  const ShapedCode code(function, layout);
  Cost total;
  for (const BasicBlock &block : function) {
    double weight = 1, waiting = 1;
    for (const Loop *loop = code.loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
      weight *= round_weight;
      SmallVector<BasicBlock *> exiting;
      loop->getExitingBlocks(exiting);
      if (any_of(exiting, [&](BasicBlock *exit) { return code.shapes.divergesAt(exit); }))
        waiting = waiting_lanes;
    }
    for (const Instruction &instruction : block) {
      const Cost cost = costOf(instruction, code.shapes, layout.lanes);
      total.vector += cost.vector * weight * waiting;
      total.alone += cost.alone * weight;
    }
  }
  return total.vector > clear_advantage * total.alone;
}

GangWidth gangWidth(const Function &function) {
  GangWidth result;
  bool doubles = false;
  for (const Instruction &instruction : instructions(function)) {
    result.whole_warps |= isWarpOperation(instruction) || isVolatileShared(instruction) ||
                          calledName(instruction) == "llvm.nvvm.activemask";
    result.may_wait |= isBlockBarrier(instruction) || isWarpOperation(instruction);
    doubles |=
        instruction.getType()->isDoubleTy() && isa<BinaryOperator, IntrinsicInst>(instruction);
  }
  // Values of 64 bits take twice the registers.
  if (doubles)
    result.lanes = 16;
  result.may_wait |= hasWaitingLoops(function);
  return result;
}

} // namespace heddle::engine::simd
