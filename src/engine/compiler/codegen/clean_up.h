// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's scalar optimisations, in the selection and order that suits gang code.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::engine {

/// Simplifies all functions and removes those without references.
void cleanUp(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace heddle::engine
