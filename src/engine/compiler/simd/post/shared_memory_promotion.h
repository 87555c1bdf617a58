// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promotes shared memory of a block that is a single gang to registers.
//
// In a tree reduction each step loads what the step before has stored. If one gang is the whole
// block, barriers vanish, and these are vector stores and loads in sequence at constant positions
// which no other code observes. But a CPU forwards a store to a load only if the load reads exactly
// the stored bytes: `values[t] += values[t + 1]` reads parts of two stores and waits until both
// have reached the cache, in each step of a scan.
//
// So such an array becomes a local variable, which LLVM keeps in registers: the load above becomes
// a shift of two registers. Elements that were never written have undefined values, as on a GPU.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Promotes the arrays of a gang function that executes a whole block in one call. Expects the
/// output of widen. `register_bytes`: size of a vector register.
void promoteSharedMemory(llvm::Function &gang, unsigned register_bytes);

} // namespace heddle::engine::simd
