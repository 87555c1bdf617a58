// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a warp that stay in step where they speak to each other through volatile shared
// memory.
//
// Programs from before Volta add up a warp's numbers without any barrier:
//
//     volatile float *s = sums;
//     if (threadIdx.x < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; ... }
//
// CUDA has not promised since then that this works (guide, "Independent Thread Scheduling"), but
// GPUs still run the threads of a warp together where nothing has parted them, and textbooks teach
// it. So it works here, too: gangs are whole warps in such kernels (warp_uniformity.h), and the
// reference engine's threads wait for their warp before each such access.
#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Whether it loads from or stores to shared memory that is volatile, as far as the code tells
/// what the address is of.
bool isVolatileShared(const llvm::Instruction &instruction);

/// For the reference engine: before each such access a thread waits to see who comes with it. Runs
/// before lowerBuiltins.
void keepInStep(llvm::Module &module);

} // namespace heddle::engine
