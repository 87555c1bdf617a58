// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates variables of a PTX module to LLVM (PTX ISA, "Variables").
#pragma once

#include "module/ptx/statement.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace heddle {

/// A variable without its initial value, which may refer to others. Throws PtxError.
llvm::GlobalVariable *makePtxGlobal(llvm::Module &module, const PtxVariable &variable,
                                    const llvm::Twine &name);

/// Sets the initial value; replaces the variable if the type has to change. `find` returns the
/// constant for a name, or null. Throws PtxError.
llvm::GlobalVariable *initialise(llvm::GlobalVariable *global, const PtxVariable &variable,
                                 llvm::function_ref<llvm::Constant *(llvm::StringRef)> find);

} // namespace heddle
