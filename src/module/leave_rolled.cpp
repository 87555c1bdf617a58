// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/leave_rolled.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace heddle {

PreservedAnalyses LeaveRolledPass::run(Function &function, FunctionAnalysisManager &analyses) {
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (hasUnrollTransformation(loop) == TM_Unspecified)
      addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
  return PreservedAnalyses::all();
}

} // namespace heddle
