// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps LLVM from unrolling loops whose number of rounds is known only when they run.
//
// LLVM would make of such a loop one of four rounds at a time, and another one for the rest. That
// pays where rounds are many. But each thread of a kernel has its own number, and often a small one
// (the neighbours of a node, the entries of a sparse matrix' row): where threads run one at a time,
// a CPU guesses wrong twice a loop instead of once; where they run side by side, they wait for each
// other in both. Loops of known length, and those that the program says something about
// (`#pragma unroll 4`), are not concerned.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle {

struct LeaveRolledPass : llvm::PassInfoMixin<LeaveRolledPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle
