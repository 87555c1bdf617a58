// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which loops LLVM unrolls.
//
//  * A loop whose trip count is known to be small but not constant is unrolled completely: one that
//    loads a tile with a border, `for (x = threadIdx.x; x < 20; x += 16)`, has one or two
//    iterations. As a loop it makes all threads of a row wait for the first four under a mask;
//    unrolled, the first iteration is for all threads, and the second is a plain `if (threadIdx.x <
//    4)`.
//  * Other loops with unknown trip counts are not unrolled. LLVM would make a loop of four
//    iterations at a time and a remainder loop, which pays for high trip counts. But these differ
//    between threads and are often low (the neighbours of a node, a row of a sparse matrix): as
//    scalar code, a CPU mispredicts two exits per loop instead of one; as vectors, lanes wait for
//    each other in both loops.
//  * Loops with constant trip counts are left to LLVM, which unrolls small ones. But if a loop
//    iterates over a local array (`float f[9]`), larger ones are unrolled, too: the array's
//    elements become values in registers, and the loads of all iterations can overlap.
//
// Directives of the program (`#pragma unroll 4`) take precedence.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace heddle {

/// Only adds metadata, for a LoopUnrollPass after it.
struct UnrollingPass : llvm::PassInfoMixin<UnrollingPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// The same for loops over arrays, and a LoopFullUnrollPass after it.
struct UnrollArrayLoopsPass : llvm::PassInfoMixin<UnrollArrayLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &);
};

} // namespace heddle
