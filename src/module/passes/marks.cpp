// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/marks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr StringLiteral names[] = {fetch_mark, copy_mark};

void describe(Function &mark) {
  mark.setAttributes({});
  mark.setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Mod));
  mark.setDoesNotThrow();
  mark.setWillReturn();
  mark.setNoSync();
  mark.addFnAttr(Attribute::NoCallback);
  mark.addFnAttr(Attribute::NoFree);
  for (Argument &argument : mark.args())
    if (argument.getType()->isPointerTy())
      argument.addAttr(Attribute::NoCapture);
  for (User *user : mark.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->setAttributes({});
}

} // namespace

void addCopyMark(IRBuilder<> &builder, CopyStep step, Value *to, uint64_t count) {
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee mark =
      module.getOrInsertFunction(copy_mark, builder.getVoidTy(), builder.getInt32Ty(),
                                 builder.getPtrTy(), builder.getInt64Ty());
  describe(cast<Function>(*mark.getCallee()));
  builder.CreateCall(mark, {builder.getInt32(uint32_t(step)),
                            to ? builder.CreateAddrSpaceCast(to, builder.getPtrTy())
                               : ConstantPointerNull::get(builder.getPtrTy()),
                            builder.getInt64(count)});
}

void describeMarks(Module &module) {
  for (StringRef name : names)
    if (Function *mark = module.getFunction(name))
      describe(*mark);
}

bool hasMarks(const Module &module) {
  return any_of(names, [&](StringRef name) { return module.getFunction(name); });
}

void removeMarks(Module &module) {
  for (StringRef name : names)
    removeCallsOf(module, name);
}

void removeCallsOf(Module &module, StringRef name) {
  Function *mark = module.getFunction(name);
  if (!mark)
    return;
  for (User *user : make_early_inc_range(mark->users()))
    cast<CallBase>(user)->eraseFromParent();
  mark->eraseFromParent();
}

} // namespace heddle
