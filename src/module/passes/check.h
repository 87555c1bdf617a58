// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports what Heddle does not support, at build time and at the user's line.
#pragma once

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle {

/// One message per problem, in a compiler's format ("file:line:column: error: …"). Finds calls of
/// device functions that are declared but not defined. (Unsupported inline PTX is reported when it
/// is translated, module/ptx/inline_ptx.h.)
std::vector<std::string> findUnsupported(const llvm::Module &module);

/// "file:line:column: " of an instruction, or "" if unknown.
std::string sourceLocation(const llvm::Instruction &instruction);

/// Functions that the engine implements; all others must be defined in the module.
bool isEngineFunction(llvm::StringRef name);

} // namespace heddle
