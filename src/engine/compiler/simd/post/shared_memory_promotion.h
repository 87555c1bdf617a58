// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory of a block that is a single gang, in registers.
//
// In a tree of sums each step loads what the step before has stored. Where one gang is all of the
// block, no thread is behind a barrier, and these are stores and loads of vectors one after the
// other, at known places: no other code sees them. But a CPU hands a store on to a load only if
// that asks for all of it and no more. `values[t] += values[t + 1]` asks for the halves of two
// stores, and waits until both have come to the cache, in each of a scan's steps.
//
// So such an array becomes a local variable, which LLVM keeps in registers: then the load above is
// an instruction that shifts two registers. What a thread reads that was never written is any
// value, as on a GPU.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Does so for the arrays of a gang's function that executes all of a block in one call. Expects
/// what widen makes, for vector registers of so many bytes each.
void promoteSharedMemory(llvm::Function &gang, unsigned register_bytes);

} // namespace heddle::engine::simd
