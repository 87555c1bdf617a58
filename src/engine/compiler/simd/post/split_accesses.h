// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits loads and stores of more than a register into registers in ascending order of addresses.
// LLVM would split them in an order of its choice, but hardware prefetchers recognise ascending
// addresses. Arithmetic on loaded values is split, too, since LLVM places each load at its use.
// Registers whose lanes are all masked off are dropped.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// `register_bytes`: size of a vector register, a power of two. Volatile and atomic accesses, and
/// those that are not a whole number of registers, stay as they are.
void splitAccesses(llvm::Function &function, unsigned register_bytes);

} // namespace heddle::engine
