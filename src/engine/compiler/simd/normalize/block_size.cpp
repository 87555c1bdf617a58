// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/block_size.h"

#include "engine/compiler/simd/analysis/grid_stride_loops.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "module/pass_analyses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Search depth through operands.
constexpr unsigned most_steps = 6;

// Whether the value is a constant once blockDim.x is.
bool followsFromSize(const Value &value, unsigned steps = most_steps) {
  if (isa<ConstantInt>(value) || isBlockWidth(value))
    return true;
  const auto *instruction = dyn_cast<Instruction>(&value);
  return steps > 0 && instruction && isa<BinaryOperator, CastInst>(instruction) &&
         all_of(instruction->operands(),
                [&](const Use &operand) { return followsFromSize(*operand, steps - 1); });
}

bool isFromSize(const Value &value) { return !isa<ConstantInt>(value) && followsFromSize(value); }

// The comparison that controls the loop's exit, if it is a single one.
const ICmpInst *conditionOf(const Loop &loop) {
  const BasicBlock *exiting = loop.getExitingBlock();
  const auto *branch = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
  return branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
}

// Whether the loop's counter runs between such values.
bool isOfBlockSize(const Loop &loop) {
  const ICmpInst *condition = conditionOf(loop);
  const BasicBlock *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  if (!condition || !before || !latch)
    return false;
  const auto some_side = [&](bool (*holds)(const Value &)) {
    return any_of(condition->operands(), [&](const Use &side) { return holds(*side); });
  };
  const bool known_end = some_side([](const Value &side) { return followsFromSize(side); });
  return known_end && any_of(loop.getHeader()->phis(), [&](const PHINode &phi) {
           const Value &start = *phi.getIncomingValueForBlock(before);
           const auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
           return next && is_contained(next->operands(), &phi) && followsFromSize(start) &&
                  (isFromSize(start) || some_side(isFromSize));
         });
}

// Such as `threadIdx.x < blockDim.x / 32`.
bool comparesWithSize(const Instruction &instruction) {
  return isa<ICmpInst>(instruction) &&
         any_of(instruction.operands(), [](const Use &side) { return isFromSize(*side); });
}

} // namespace

bool gainsFromBlockSize(const Function &function) {
  if (any_of(instructions(function), isBlockBarrier) &&
      any_of(instructions(function), comparesWithSize))
    return true;
  const DominatorTree dominators(const_cast<Function &>(function)); // LLVM takes it non-const
  const LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [](const Loop *loop) { return isOfBlockSize(*loop); });
}

void setBlockSize(Function &function, unsigned threads) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    StringRef name = calledName(instruction);
    if (!name.consume_front("llvm.nvvm.read.ptx.sreg."))
      continue;
    const bool extent = name == "ntid.y" || name == "ntid.z";
    if (name != "ntid.x" && !extent && name != "tid.y" && name != "tid.z")
      continue;
    const unsigned number = name == "ntid.x" ? threads : extent;
    instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), number));
    instruction.eraseFromParent();
  }
  PassAnalyses analyses;
  FunctionPassManager passes;
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass(/*OptLevel=*/3)));
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.run(function, analyses.functions);
  canonicalize(function);
}

} // namespace heddle::engine::simd
