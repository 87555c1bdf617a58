// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns constant expressions that use certain constants into instructions.
//
// Before the address of a variable can be replaced by a computed one, expressions like
// `getelementptr (@array, 4)` must become instructions, and each use must belong to one function.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

void makeUsersInstructions(llvm::Module &module, llvm::ArrayRef<llvm::Constant *> constants);

} // namespace heddle
