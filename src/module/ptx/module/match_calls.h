// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions whose types differ from what the caller takes them for. PTX says only how wide
// a parameter is; the function, in another module or in the device library, has pointers and
// floats.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

/// Gives functions that the engine provides (vprintf, malloc, …) their types, where PTX has
/// declared them.
void typeEngineFunctions(llvm::Module &module);

/// Makes all direct calls fit what they call, with casts of arguments and results. A call that
/// cannot be made to fit stays, and is one of a problem's messages that are returned.
std::vector<std::string> matchCalls(llvm::Module &module);

} // namespace heddle
