// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/warp_step.h"

#include "engine/compiler/lowering/thread_context.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::engine {
namespace {

// What the address is computed from, or its own part of that which is known to be shared.
const Value *object(const Value *pointer) {
  while (pointer->getType()->getPointerAddressSpace() != shared_space) {
    if (const auto *offset = dyn_cast<GEPOperator>(pointer))
      pointer = offset->getPointerOperand();
    else if (const auto *cast = dyn_cast<AddrSpaceCastOperator>(pointer))
      pointer = cast->getPointerOperand();
    else
      break;
  }
  return pointer;
}

bool isShared(const Value &object) {
  return object.getType()->getPointerAddressSpace() == shared_space;
}

// In code that has not been optimised, whatever a pointer variable holds.
bool mayBeShared(const Value &object) {
  return isShared(object) ||
         (object.getType()->getPointerAddressSpace() == 0 && !isa<AllocaInst, GlobalValue>(object));
}

bool isVolatileAccess(const Instruction &instruction) {
  return instruction.isVolatile() && isa<LoadInst, StoreInst>(instruction);
}

} // namespace

bool isVolatileShared(const Instruction &instruction) {
  return isVolatileAccess(instruction) &&
         isShared(*object(getLoadStorePointerOperand(&instruction)));
}

void keepInStep(Module &module) {
  // Where no variable is in shared memory, no pointer is to it.
  if (none_of(module.globals(), [](const GlobalVariable &variable) {
        return variable.getAddressSpace() == shared_space;
      }))
    return;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isVolatileAccess(instruction) &&
          mayBeShared(*object(getLoadStorePointerOperand(&instruction))))
        IRBuilder<>(&instruction).CreateIntrinsic(Intrinsic::nvvm_activemask, {}, {});
}

} // namespace heddle::engine
