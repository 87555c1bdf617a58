// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/unrolling.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr unsigned few_rounds = 2;
constexpr size_t most_instructions = 120; // of all rounds

bool isSmall(const Loop &loop, unsigned rounds) {
  size_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (call && call->isConvergent()) // threads meet
        return false;
      ++size;
    }
  return size * rounds <= most_instructions;
}

} // namespace

PreservedAnalyses UnrollingPass::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (hasUnrollTransformation(loop) != TM_Unspecified ||
        evolution.getSmallConstantTripCount(loop) != 0)
      continue;
    const unsigned rounds = evolution.getSmallConstantMaxTripCount(loop);
    if (rounds != 0 && rounds <= few_rounds && isSmall(*loop, rounds))
      addStringMetadataToLoop(loop, "llvm.loop.unroll.count", rounds);
    else
      addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
  }
  return PreservedAnalyses::all();
}

} // namespace heddle
