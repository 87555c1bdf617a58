// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates inline PTX to LLVM IR.
//
// A CUDA program may contain GPU instructions in its C++ code: asm("add.s32 %0, %1, %2;" …). Clang
// passes that text on unparsed. Here each instruction is replaced by equivalent IR, so that later
// steps see ordinary code only.
#pragma once

#include "module/ptx/target.h"

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace heddle {

/// Replaces every inline assembly call in `module`. Unsupported code stays as it is and yields one
/// message, in a compiler's format ("file:line:column: error: …"). The new code may call functions
/// of the device library, which must be linked afterwards.
///
/// With a `target`, what ptxas refuses for it is marked (passes/refused.h), and operands of other
/// types than their constraints say are errors, as in nvcc.
std::vector<std::string> translateInlinePtx(llvm::Module &module,
                                            const PtxTarget *target = nullptr);

} // namespace heddle
