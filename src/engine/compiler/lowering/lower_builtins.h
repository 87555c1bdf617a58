// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns CUDA's built-ins (LLVM's nvvm intrinsics, printf, malloc, assert …) into reads of the
// thread's context and calls of the engine.
//
// Runs after addThreadContext.
#pragma once

#include "llvm/IR/Module.h"

#include <functional>
#include <string>
#include <vector>

namespace heddle::engine {

/// Lowers the built-ins for which `which` holds, given the function that calls and the built-in's
/// name. Returns a message for each among them that the engine does not have.
std::vector<std::string>
lowerBuiltins(llvm::Module &module,
              const std::function<bool(const llvm::Function &, llvm::StringRef)> &which = {});

} // namespace heddle::engine
