// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/codegen/clean_up.h"

#include "module/pass_analyses.h"

#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/Sink.h"

using namespace llvm;

namespace heddle::engine {

void cleanUp(Module &module, TargetMachine &machine) {
  PassAnalyses analyses(&machine);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(GVNPass());
  passes.addPass(DSEPass());
  passes.addPass(SimplifyCFGPass());
  // Mask computations that only a divergent path needs are sunk into that path: for each 16 x 16
  // block of a transposition, about 70 of 350 instructions.
  passes.addPass(SinkingPass());
  ModulePassManager all;
  all.addPass(GlobalDCEPass());
  all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, analyses.modules);
}

} // namespace heddle::engine
