// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of a PTX module as those of an LLVM module (PTX ISA, "Variables").
#pragma once

#include "module/ptx/statement.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace heddle {

/// A variable without its initial value, which may refer to others. Throws PtxError.
llvm::GlobalVariable *makePtxGlobal(llvm::Module &module, const PtxVariable &variable,
                                    const llvm::Twine &name);

/// The variable with its initial value; its old self is gone if the type had to change. `find`
/// gives what a name stands for, or null. Throws PtxError.
llvm::GlobalVariable *initialise(llvm::GlobalVariable *global, const PtxVariable &variable,
                                 llvm::function_ref<llvm::Constant *(llvm::StringRef)> find);

} // namespace heddle
