// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/shared_tables.h"

#include "module/description/layout.h"
#include "module/passes/constant_users.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {
namespace {

bool holdsSharedAddress(const Constant *constant) {
  if (auto *value = dyn_cast<GlobalValue>(constant))
    return isa<GlobalVariable>(value) && value->getAddressSpace() == address_space::Shared;
  return any_of(constant->operands(), [](const Use &operand) {
    auto *inner = dyn_cast<Constant>(operand.get());
    return inner && holdsSharedAddress(inner);
  });
}

// Stores `value` field by field, so that each address becomes an operand of an instruction.
void storeFields(IRBuilder<> &builder, Constant *value, Value *address) {
  if (!isa<ConstantAggregate>(value)) {
    builder.CreateStore(value, address);
    return;
  }
  for (unsigned i = 0; i < value->getNumOperands(); ++i)
    storeFields(builder, cast<Constant>(value->getOperand(i)),
                builder.CreateConstInBoundsGEP2_32(value->getType(), address, 0, i));
}

void expand(Module &module, GlobalVariable &table) {
  makeUsersInstructions(module, {&table});
  DenseMap<Function *, Value *> copies;
  for (Use &use : make_early_inc_range(table.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue;
    BasicBlock &entry = user->getFunction()->getEntryBlock();
    Value *&copy = copies[user->getFunction()];
    if (!copy) {
      IRBuilder<> builder(&*entry.getFirstInsertionPt());
      AllocaInst *slot = builder.CreateAlloca(table.getValueType());
      slot->setAlignment(std::max(slot->getAlign(), table.getAlign().valueOrOne()));
      builder.SetInsertPoint(&*entry.getFirstNonPHIOrDbgOrAlloca());
      storeFields(builder, table.getInitializer(), slot);
      copy = builder.CreateAddrSpaceCast(slot, table.getType());
    }
    use.set(copy);
  }
  if (table.use_empty())
    table.eraseFromParent();
}

} // namespace

void expandSharedTables(Module &module) {
  for (GlobalVariable &table : make_early_inc_range(module.globals()))
    if (table.hasInitializer() && table.getAddressSpace() != address_space::Shared &&
        !table.getName().starts_with("llvm.") && holdsSharedAddress(table.getInitializer()))
      expand(module, table);
}

} // namespace heddle
