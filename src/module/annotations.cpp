// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/annotations.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace heddle {

SmallVector<GlobalVariable *> annotatedVariables(Module &module, StringRef text) {
  SmallVector<GlobalVariable *> found;
  GlobalVariable *table = module.getGlobalVariable("llvm.global.annotations");
  if (!table)
    return found;
  for (const Use &entry : cast<ConstantArray>(table->getInitializer())->operands()) {
    auto *fields = cast<ConstantStruct>(entry);
    auto *variable = dyn_cast<GlobalVariable>(fields->getOperand(0)->stripPointerCasts());
    auto *note = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    auto *string = note ? dyn_cast<ConstantDataSequential>(note->getInitializer()) : nullptr;
    if (variable && string && string->getAsCString() == text)
      found.push_back(variable);
  }
  return found;
}

} // namespace heddle
