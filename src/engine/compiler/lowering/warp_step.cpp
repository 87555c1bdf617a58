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

// The underlying object of the address, or the last value on the way there that has the address
// space of shared memory.
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

// In unoptimised code this includes any value loaded from a pointer variable.
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
  // Without variables in shared memory, no pointer points to it.
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
