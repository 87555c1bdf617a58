// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/registers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {
namespace {

// The store with which the emitter begins a register: nothing else writes in the entry block.
StoreInst *initialStore(AllocaInst &slot) {
  auto *store = dyn_cast_or_null<StoreInst>(slot.getNextNode());
  if (!store || store->getPointerOperand() != &slot || !isa<Constant>(store->getValueOperand()) ||
      !cast<Constant>(store->getValueOperand())->isNullValue())
    return nullptr;
  return store;
}

// Whether one store comes before all loads, on every path. Few are looked at: that is the first in
// the text if it is any.
bool isWrittenFirst(AllocaInst &slot, const StoreInst &initial, const DominatorTree &tree) {
  constexpr size_t most = 4;
  SmallVector<StoreInst *, most> stores;
  SmallVector<LoadInst *> loads;
  const SmallVector<User *> users(slot.users()); // the last one first
  for (User *user : reverse(users))
    if (auto *load = dyn_cast<LoadInst>(user))
      loads.push_back(load);
    else if (auto *store = dyn_cast<StoreInst>(user); store && store->getValueOperand() != &slot) {
      if (store != &initial && stores.size() < most)
        stores.push_back(store);
    } else
      return false;
  return any_of(stores, [&](const StoreInst *store) {
    return all_of(loads, [&](const LoadInst *load) { return tree.dominates(store, load); });
  });
}

} // namespace

void dropInitialValues(Function &function) {
  const DominatorTree tree(function);
  SmallVector<StoreInst *> needless;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *slot = dyn_cast<AllocaInst>(&instruction))
      if (StoreInst *initial = initialStore(*slot);
          initial && isWrittenFirst(*slot, *initial, tree))
        needless.push_back(initial);
  for (StoreInst *store : needless)
    store->eraseFromParent();
}

} // namespace heddle
