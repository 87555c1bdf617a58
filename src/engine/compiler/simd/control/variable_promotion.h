// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the variables that the linearizer keeps masks and phis' values in into SSA values.
//
// Each has an initial value, which is stored where all its accesses are dominated, and outside of
// loops that do not contain all of them. In large kernels, where variables live for a few blocks of
// thousands, they are promoted one by one (SSAUpdater), in time that grows with the blocks between
// their accesses; PromoteMemToReg walks all blocks that a store dominates, for each variable.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Instructions.h"

namespace heddle::engine::simd {

struct InitialisedVariable {
  llvm::AllocaInst *variable; ///< in the entry block, only loaded and stored
  llvm::Value *initial;       ///< a constant: its value before the first store
};

/// Promotes all of them, and erases them. An inner loop's variables may be initialised in each of
/// its iterations: they must not carry values from one to the next.
void promoteVariables(llvm::Function &function, llvm::ArrayRef<InitialisedVariable> variables);

} // namespace heddle::engine::simd
