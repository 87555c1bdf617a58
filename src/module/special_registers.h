// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code asks of its place in the launch.
#pragma once

#include "llvm/IR/Instructions.h"

namespace heddle {

/// The special register that a call reads, such as "tid.x" (PTX ISA, "Special Registers"); empty
/// for anything else.
llvm::StringRef registerOf(const llvm::Value &value);

/// Whether threads of different blocks, or of one, may notice by this who is in which block: they
/// wait, count, print, or ask for their warp.
bool tiesThreads(const llvm::Instruction &instruction);

} // namespace heddle
