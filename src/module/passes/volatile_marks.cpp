// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/volatile_marks.h"

#include "module/description/layout.h"
#include "module/passes/marks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr StringLiteral mark_name = "__heddle_volatile_access";

bool isShared(const GlobalVariable &variable) {
  return variable.getAddressSpace() == address_space::Shared;
}

FunctionCallee declareMark(Module &module) {
  FunctionCallee result =
      module.getOrInsertFunction(mark_name, Type::getVoidTy(module.getContext()));
  auto &mark = cast<Function>(*result.getCallee());
  // Of the program's memory it accesses nothing, so other accesses move across.
  mark.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  mark.setConvergent();
  mark.setDoesNotThrow();
  mark.setWillReturn();
  mark.addFnAttr(Attribute::NoCallback);
  mark.addFnAttr(Attribute::NoFree);
  return result;
}

} // namespace

void markVolatileAccesses(Module &module) {
  if (none_of(module.globals(), isShared))
    return;
  SmallVector<Instruction *> accesses;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (instruction.isVolatile() && isa<LoadInst, StoreInst>(instruction))
        accesses.push_back(&instruction);
  for (Instruction *access : accesses)
    IRBuilder<>(access).CreateCall(declareMark(module));
}

void removeVolatileMarks(Module &module) { removeCallsOf(module, mark_name); }

} // namespace heddle
