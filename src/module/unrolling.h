// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells LLVM which loops to unroll. Where their number of rounds is known only when they run:
//
//  * Loops that load a tile with a border have few: `for (x = threadIdx.x; x < 20; x += 16)` goes
//    round once or twice. As a loop, it makes all threads of a row wait for the first four, with a
//    mask of who is still in it; as two pieces of code, the first is for all, and the second is a
//    plain `if (threadIdx.x < 4)`.
//  * Of others LLVM would make a loop of four rounds at a time, and another one for the rest. That
//    pays where rounds are many. But each thread of a kernel has its own number, and often a small
//    one (the neighbours of a node, the entries of a sparse matrix' row): where threads run one at
//    a time, a CPU guesses wrong twice a loop instead of once; where they run side by side, they
//    wait for each other in both. So these stay as they are.
//
// Loops of known length are LLVM's affair, which unrolls small ones. But where a loop goes through
// an array of the thread's own (`float f[9]`), more pays: without the loop, its elements are values
// in registers, and all that the nine rounds load can be on its way at once.
//
// What the program says of a loop itself (`#pragma unroll 4`) stands.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace heddle {

/// Only adds metadata, for a LoopUnrollPass after it.
struct UnrollingPass : llvm::PassInfoMixin<UnrollingPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// The same for loops through arrays, and a LoopFullUnrollPass after it.
struct UnrollArrayLoopsPass : llvm::PassInfoMixin<UnrollArrayLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &);
};

} // namespace heddle
