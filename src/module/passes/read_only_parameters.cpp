// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/read_only_parameters.h"

#include "module/description/describe.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {
namespace {

enum class Effect { None, OfItsUsers, Unknown };

Effect effectOfCall(const CallBase &call, const Use &use) {
  if (isa<MemTransferInst>(call))
    return use.getOperandNo() == 1 ? Effect::None : Effect::Unknown;
  if (call.isLifetimeStartOrEnd() || call.isDroppable())
    return Effect::None;
  if (!call.isArgOperand(&use))
    return Effect::Unknown;
  const unsigned argument = call.getArgOperandNo(&use);
  if (call.isByValArgument(argument)) // the callee gets a copy
    return Effect::None;
  return call.onlyReadsMemory(argument) && call.doesNotCapture(argument) ? Effect::None
                                                                         : Effect::Unknown;
}

// The effect of an address's user on the memory: none, that of the user's own users, or any.
Effect effectOf(const Use &use) {
  const User *user = use.getUser();
  if (isa<LoadInst, ICmpInst>(user))
    return Effect::None;
  if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst, FreezeInst>(user))
    return Effect::OfItsUsers;
  const auto *call = dyn_cast<CallBase>(user);
  return call ? effectOfCall(*call, use) : Effect::Unknown;
}

bool isOnlyRead(const Argument &parameter) {
  SmallVector<const Value *> work = {&parameter};
  SmallPtrSet<const Value *, 16> seen = {&parameter};
  while (!work.empty())
    for (const Use &use : work.pop_back_val()->uses())
      switch (effectOf(use)) {
      case Effect::None:
        break;
      case Effect::OfItsUsers:
        if (seen.insert(use.getUser()).second)
          work.push_back(use.getUser());
        break;
      case Effect::Unknown:
        return false;
      }
  return true;
}

void mark(Argument &parameter) {
  parameter.removeAttr(Attribute::WriteOnly); // from before its last store was found to be dead
  if (!parameter.onlyReadsMemory())           // it may be readnone
    parameter.addAttr(Attribute::ReadOnly);
  parameter.addAttr(Attribute::NoAlias);
}

bool isMarked(const Argument &parameter) {
  return parameter.onlyReadsMemory() && parameter.hasNoAliasAttr();
}

} // namespace

void markGridConstants(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *note = dyn_cast<IntrinsicInst>(&instruction);
      if (!note || note->getIntrinsicID() != Intrinsic::var_annotation)
        continue;
      auto *parameter = dyn_cast<Argument>(note->getArgOperand(0)->stripPointerCasts());
      StringRef text;
      if (parameter && parameter->hasByValAttr() && isKernel(function) &&
          getConstantStringInfo(note->getArgOperand(1), text) && text == "heddle.grid_constant")
        mark(*parameter);
      note->eraseFromParent();
    }
}

PreservedAnalyses ReadOnlyParametersPass::run(Function &function, FunctionAnalysisManager &) {
  if (!isKernel(function))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Argument &parameter : function.args())
    if (parameter.hasByValAttr() && !isMarked(parameter) && isOnlyRead(parameter)) {
      mark(parameter);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace heddle
