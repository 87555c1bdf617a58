// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets a debugger show threadIdx, blockIdx, blockDim and gridDim in every device function.
//
// The built-in variables are no variables in the program. With -G each device function gets debug
// information that says where in the thread's context they lie, so `print threadIdx` in gdb works.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Runs after addThreadContext; does nothing in functions without full debug information. Also
/// rewrites what Clang's NVPTX debug information says in terms that an x86 debugger understands.
void addDebugVariables(llvm::Module &module);

} // namespace heddle::engine
