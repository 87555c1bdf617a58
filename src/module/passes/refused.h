// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that NVIDIA's assembler refuses, kept until it is known whether it is dead.
//
// ptxas sees what nvcc's optimiser leaves. So an asm statement that it would refuse becomes a call
// of a function that holds the message; what is left of such calls after optimisation is refused.
#pragma once

#include "support/refusal.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <string>

namespace heddle {

/// Replaces the asm statement by such a call. `messages`: complete, one a line.
void markRefused(llvm::CallBase &assembly, const std::string &messages);

/// Whether `name` is of such a function.
bool isRefusedCode(llvm::StringRef name);
/// Whether there are calls of any.
bool hasRefusedCode(const llvm::Module &module);

/// Throws Refusal with all messages that are left, if there are any.
void refuseMarked(const llvm::Module &module);

} // namespace heddle
