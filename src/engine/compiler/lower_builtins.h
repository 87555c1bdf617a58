// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns CUDA's built-ins (LLVM's nvvm intrinsics, printf, malloc, assert …) into reads of the
// thread's context and calls of the engine.
//
// Runs after addThreadContext.
#pragma once

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle::engine {

/// Returns a message for each built-in that the engine does not have.
std::vector<std::string> lowerBuiltins(llvm::Module &module);

} // namespace heddle::engine
