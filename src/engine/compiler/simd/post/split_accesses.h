// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of more than a register, register by register, in the order of their addresses.
// LLVM would split them as well, but as it likes, and a CPU that sees addresses go up asks for the
// next ones before the program does. So is arithmetic with what has just been loaded, as LLVM loads
// where it is needed. A register whose lanes are known not to be in the mask is left out.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// `register_bytes`: of a vector register, a power of two. Accesses that are volatile, atomic, or
/// no whole number of registers stay as they are.
void splitAccesses(llvm::Function &function, unsigned register_bytes);

} // namespace heddle::engine
