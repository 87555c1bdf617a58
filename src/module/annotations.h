// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads __attribute__((annotate("..."))), which Clang notes in a table beside the variables.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace heddle {

/// The variables annotated with `text`, in the order of the table.
llvm::SmallVector<llvm::GlobalVariable *> annotatedVariables(llvm::Module &module,
                                                             llvm::StringRef text);

} // namespace heddle
