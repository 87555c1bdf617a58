// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the threads of a warp in step where they communicate through volatile shared memory.
//
// Programs written before Volta sum a warp's values without a barrier:
//
//     volatile float *s = sums;
//     if (threadIdx.x < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; ... }
//
// CUDA has not guaranteed this since then (guide, "Independent Thread Scheduling"), but GPUs still
// run converged threads in lockstep, and textbooks rely on it. Heddle supports it: in such kernels
// gangs are whole warps (warp_uniformity.h), and the reference engine's threads wait for their warp
// before each such access.
#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Whether the instruction loads from or stores to volatile shared memory, as far as the underlying
/// object is known.
bool isVolatileShared(const llvm::Instruction &instruction);

/// For the reference engine: inserts before each such access a wait for the other threads of the
/// warp that reach it. Runs before lowerBuiltins.
void keepInStep(llvm::Module &module);

} // namespace heddle::engine
