// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/gang_width.h"

#include "engine/compiler/simd/markers.h"
#include "engine/compiler/simd/waiting.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned shared_space = 3;

// Programs from before Volta rely on the threads of a warp being in step, if they say `volatile`.
bool isVolatileShared(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile() && load->getPointerAddressSpace() == shared_space;
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return store->isVolatile() && store->getPointerAddressSpace() == shared_space;
  return false;
}

} // namespace

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
