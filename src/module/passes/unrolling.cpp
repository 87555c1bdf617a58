// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/unrolling.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr unsigned few_rounds = 2;
// Limits for all iterations together.
constexpr size_t most_instructions = 120, most_with_arrays = 1200;

bool isSmall(const Loop &loop, unsigned rounds, size_t most) {
  size_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (call && call->isConvergent()) // threads synchronise
        return false;
      ++size;
    }
  return size * rounds <= most;
}

// Whether each iteration accesses another element of a local array.
bool goesThroughArray(const Loop &loop, ScalarEvolution &evolution) {
  const auto goes = [&](const Instruction &instruction) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    return pointer && isa<AllocaInst>(getUnderlyingObject(pointer)) &&
           !evolution.isLoopInvariant(evolution.getSCEV(const_cast<Value *>(pointer)), &loop);
  };
  return any_of(loop.blocks(), [&](const BasicBlock *block) { return any_of(*block, goes); });
}

} // namespace

PreservedAnalyses UnrollArrayLoopsPass::run(Loop &loop, LoopAnalysisManager &,
                                            LoopStandardAnalysisResults &analyses, LPMUpdater &) {
  const unsigned rounds = analyses.SE.getSmallConstantTripCount(&loop);
  if (rounds != 0 && hasUnrollTransformation(&loop) == TM_Unspecified &&
      isSmall(loop, rounds, most_with_arrays) && goesThroughArray(loop, analyses.SE))
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return PreservedAnalyses::all();
}

PreservedAnalyses UnrollingPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (hasUnrollTransformation(loop) != TM_Unspecified ||
        evolution.getSmallConstantTripCount(loop) != 0)
      continue;
    const unsigned rounds = evolution.getSmallConstantMaxTripCount(loop);
    if (rounds != 0 && rounds <= few_rounds && isSmall(*loop, rounds, most_instructions))
      addStringMetadataToLoop(loop, "llvm.loop.unroll.count", rounds);
    else
      addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
  }
  return PreservedAnalyses::all();
}

} // namespace heddle
