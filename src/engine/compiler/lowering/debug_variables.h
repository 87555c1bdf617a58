// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets a debugger show threadIdx, blockIdx, blockDim and gridDim in every device function.
//
// They are not variables of the program. With -G each device function gets debug information that
// gives their places in the thread's context, so that `print threadIdx` works in gdb.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Runs after addThreadContext; skips functions without full debug information. Also translates
/// Clang's NVPTX debug information into terms that an x86 debugger understands.
void addDebugVariables(llvm::Module &module);

} // namespace heddle::engine
