// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges the conditions of several branches with a common target into one, and recovers
// comparisons.
//
// In source code, `if (x < 1 || y < 1 || y >= n) return;` is one condition, from which engines
// derive which threads of a block continue. Compilers to PTX turn it into a sequence of branches
// and sink the computation of each condition after the previous branch. They also turn comparisons
// into maxima, and divisions by powers of two into shifts; these are converted back.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle {

struct JoinConditionsPass : llvm::PassInfoMixin<JoinConditionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle
