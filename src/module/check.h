// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what Heddle cannot run yet, at build time and at the user's line.
#pragma once

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle {

/// One message a problem, as a compiler would print it ("file:line:column: error: …").
/// Looks for calls to device functions that are declared but defined nowhere. (What is unsupported
/// in inline PTX is found where that is translated, module/ptx/inline_ptx.h.)
std::vector<std::string> findUnsupported(const llvm::Module &module);

/// "file:line:column: " of an instruction, or nothing if that is unknown.
std::string sourceLocation(const llvm::Instruction &instruction);

/// Functions that the engine itself implements; everything else must be defined in the module.
bool isEngineFunction(llvm::StringRef name);

} // namespace heddle
