// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches calls with callees whose types differ from those that the caller assumes. PTX gives only
// the width of a parameter; the function, in another module or in the device library, has pointers
// and floats.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

/// Sets the types of functions that the engine provides (vprintf, malloc, …), where PTX has
/// declared them.
void typeEngineFunctions(llvm::Module &module);

/// Adapts all direct calls to their callees by casts of arguments and results. Calls for which that
/// is not possible stay; returns a message for each.
std::vector<std::string> matchCalls(llvm::Module &module);

} // namespace heddle
