// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX becomes LLVM IR.
//
// A CUDA program may write GPU instructions in the middle of its C++: asm("add.s32 %0, %1, %2;" …).
// Clang hands that text on unread. Here it is parsed and each instruction is replaced by the IR
// that does the same, so that everything after this step sees ordinary code only.
#pragma once

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle {

/// Replaces every inline assembly call in `module`. What cannot be translated stays as it is and
/// gives one message, as a compiler would print it ("file:line:column: error: …"). The new code may
/// call functions of the device library, so that must be linked afterwards.
std::vector<std::string> translateInlinePtx(llvm::Module &module);

} // namespace heddle
