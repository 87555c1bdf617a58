// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GPU does by itself and compiled CPU code must be told to do.
//
// Each is a small rewrite of the whole module, after addThreadContext:
//  * guardStack: a GPU reports a stack that overflows; recursive functions check theirs on entry.
//  * guardAlignment: a GPU refuses an access that is not aligned to its size (CUDA guide, "Device
//    Memory Accesses"); x86 would not even notice.
//  * giveTurns: a GPU runs all threads of a block side by side; here a loop that may be waiting for
//    another thread (it reads atomics or volatile memory) must let the others run now and then.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::engine {

void guardStack(llvm::Module &module);
void guardAlignment(llvm::Module &module);
void giveTurns(llvm::Module &module);

/// Functions that may call themselves, directly or not. An address-taken function may be called by
/// anything that calls indirectly.
bool mayRecurse(const llvm::Function &function);

} // namespace heddle::engine
