// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/promised_alignment.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {
namespace {

const Align widest(16);

void limitAccess(Instruction &instruction) {
  const auto limit = [](auto &access) { access.setAlignment(std::min(access.getAlign(), widest)); };
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    limit(*load);
  else if (auto *store = dyn_cast<StoreInst>(&instruction))
    limit(*store);
  else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    limit(*atomic);
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    limit(*exchange);
}

// Applies to `this` and references. By-value arguments are copies with their type's alignment.
template <typename Target> void limitPointers(Target &target, unsigned parameters) {
  const auto align = [&](MaybeAlign found, auto remove, auto add) {
    if (!found || *found <= widest)
      return;
    remove();
    add(Attribute::getWithAlignment(target.getContext(), widest));
  };
  for (unsigned i = 0; i < parameters; ++i)
    if (!target.getAttributes().hasParamAttr(i, Attribute::ByVal))
      align(
          target.getAttributes().getParamAlignment(i),
          [&] { target.removeParamAttr(i, Attribute::Alignment); },
          [&](Attribute limited) { target.addParamAttr(i, limited); });
  align(
      target.getAttributes().getRetAlignment(), [&] { target.removeRetAttr(Attribute::Alignment); },
      [&](Attribute limited) { target.addRetAttr(limited); });
}

} // namespace

void limitPromisedAlignment(Module &module) {
  for (Function &function : module) {
    limitPointers(function, unsigned(function.arg_size()));
    for (Instruction &instruction : instructions(function)) {
      limitAccess(instruction);
      if (auto *call = dyn_cast<CallBase>(&instruction)) // memcpy among them
        limitPointers(*call, call->arg_size());
    }
  }
}

} // namespace heddle
