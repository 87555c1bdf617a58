// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/form/loop_form.h"

#include "module/pass_analyses.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace heddle::engine::simd {

void canonicalizeLoops(Function &function) {
  PassAnalyses analyses;
  FunctionPassManager manager;
  manager.addPass(FixIrreduciblePass());
  manager.addPass(LoopSimplifyPass());
  manager.addPass(LCSSAPass());
  manager.run(function, analyses.functions);
}

void uniteReturns(Function &function) {
  SmallVector<ReturnInst *> returns;
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(end);
  if (returns.size() == 1)
    return;
  BasicBlock *exit = BasicBlock::Create(function.getContext(), "exit", &function);
  ReturnInst::Create(function.getContext(), exit);
  for (ReturnInst *end : returns) {
    BranchInst::Create(exit, end->getIterator());
    end->eraseFromParent();
  }
}

BasicBlock *emptyEnd(Function &function) {
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator()))
      return block.size() == 1 ? &block : SplitBlock(&block, block.getTerminator());
  BasicBlock *end = BasicBlock::Create(function.getContext(), "end", &function);
  ReturnInst::Create(function.getContext(), end);
  return end;
}

} // namespace heddle::engine::simd
