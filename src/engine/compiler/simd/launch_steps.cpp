// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/launch_steps.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {

bool goesInLaunchSteps(const Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch();
  return latch && any_of(loop.getHeader()->phis(), [&](const PHINode &counter) {
           const auto *next = dyn_cast<BinaryOperator>(counter.getIncomingValueForBlock(latch));
           return next && next->getOpcode() == Instruction::Add &&
                  is_contained(next->operands(), &counter) &&
                  all_of(next->operands(), [&](const Value *operand) {
                    return operand == &counter ||
                           (loop.isLoopInvariant(operand) && !isa<Constant>(operand));
                  });
         });
}

} // namespace heddle::engine::simd
