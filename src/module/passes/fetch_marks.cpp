// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/fetch_marks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

void describeFetchMarks(Module &module) {
  Function *mark = module.getFunction(fetch_mark);
  if (!mark)
    return;
  mark->setAttributes({});
  mark->setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Mod));
  mark->setDoesNotThrow();
  mark->setWillReturn();
  mark->setNoSync();
  mark->addFnAttr(Attribute::NoCallback);
  mark->addFnAttr(Attribute::NoFree);
  for (User *user : mark->users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->setAttributes({});
}

void removeFetchMarks(Module &module) {
  Function *mark = module.getFunction(fetch_mark);
  if (!mark)
    return;
  for (User *user : make_early_inc_range(mark->users()))
    cast<CallBase>(user)->eraseFromParent();
  mark->eraseFromParent();
}

} // namespace heddle
