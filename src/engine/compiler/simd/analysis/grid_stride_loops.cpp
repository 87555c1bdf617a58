// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/grid_stride_loops.h"

#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Whether the loop has an induction variable whose step satisfies `isStep`.
bool hasCounter(const Loop &loop, function_ref<bool(const Value &)> isStep) {
  const BasicBlock *latch = loop.getLoopLatch();
  return latch && any_of(loop.getHeader()->phis(), [&](const PHINode &counter) {
           const auto *next = dyn_cast<BinaryOperator>(counter.getIncomingValueForBlock(latch));
           return next && next->getOpcode() == Instruction::Add &&
                  is_contained(next->operands(), &counter) &&
                  all_of(next->operands(), [&](const Value *operand) {
                    return operand == &counter || isStep(*operand);
                  });
         });
}

} // namespace

bool isBlockWidth(const Value &value) {
  return calledName(value) == "llvm.nvvm.read.ptx.sreg.ntid.x";
}

bool hasGridStride(const Loop &loop) {
  return hasCounter(
      loop, [&](const Value &step) { return loop.isLoopInvariant(&step) && !isa<Constant>(step); });
}

bool hasBlockStride(const Loop &loop) { return hasCounter(loop, isBlockWidth); }

} // namespace heddle::engine::simd
