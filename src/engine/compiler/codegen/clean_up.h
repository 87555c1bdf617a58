// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's scalar optimisations, as the code of gangs needs them.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::engine {

/// Simplifies all functions and removes those that nothing refers to.
void cleanUp(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace heddle::engine
