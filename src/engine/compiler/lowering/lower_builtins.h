// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces CUDA's built-ins (LLVM's nvvm intrinsics, printf, malloc, assert …) by reads of the
// thread's context and calls of the engine's services.
//
// Runs after addThreadContext.
#pragma once

#include "llvm/IR/Module.h"

#include <functional>
#include <string>
#include <vector>

namespace heddle::engine {

/// Lowers the built-ins for which `which` returns true, given the calling function and the
/// built-in's name. Returns a message for each of these that the engine does not support.
std::vector<std::string>
lowerBuiltins(llvm::Module &module,
              const std::function<bool(const llvm::Function &, llvm::StringRef)> &which = {});

} // namespace heddle::engine
