// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of memory accesses in a block that can be checked together.
//
// Between the first and the last of a run nothing happens but accesses and arithmetic, and all
// addresses can be known before the first. So one question before it answers for all, and the code
// between stays as the program has it.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace heddle::engine {

/// What a run is made of, in the order of the block. Accesses of one thread.
using Run = llvm::SmallVector<llvm::Instruction *, 8>;

/// The address of a load, a store or an atomic operation; null for other instructions.
llvm::Value *addressOf(const llvm::Instruction &access);

/// Divides accesses of one block, given in order. What their addresses are computed from is moved
/// before the first access of each run.
std::vector<Run> divideIntoRuns(llvm::ArrayRef<llvm::Instruction *> accesses);

/// Where a run is and where its copy is.
struct TwoWays {
  llvm::Instruction *before; // the branch to both
  Run copies;                // in the same order
};

/// Makes `if (condition) run else copy`; the condition is defined before the run. What `named` are
/// becomes their copies, where they are copied.
TwoWays copyRun(const Run &run, llvm::Value *condition,
                llvm::MutableArrayRef<llvm::Value *> named = {});

} // namespace heddle::engine
