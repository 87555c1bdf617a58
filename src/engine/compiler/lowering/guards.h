// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a GPU makes in hardware and that CPU code must make explicitly.
//
// Each is a small rewrite of the whole module, after addThreadContext:
//  * guardStack: a GPU reports a stack overflow; recursive functions compare theirs with the limit
//    on entry.
//  * guardAlignment: a GPU faults on an access that is not aligned to its size (CUDA guide, "Device
//    Memory Accesses"); x86 does not.
//  * giveTurns: a GPU runs all threads of a block concurrently; here a loop that may wait for
//    another thread (it reads atomics or volatile memory) must yield from time to time.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::engine {

void guardStack(llvm::Module &module);
void guardAlignment(llvm::Module &module);
void giveTurns(llvm::Module &module);

/// Functions that may call themselves, directly or indirectly. Any indirect call is assumed to
/// reach every function whose address is taken.
bool mayRecurse(const llvm::Function &function);

} // namespace heddle::engine
