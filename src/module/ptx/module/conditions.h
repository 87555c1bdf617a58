// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of several branches that lead to the same place become one.
//
// In a program, `if (x < 1 || y < 1 || y >= n) return;` is one condition, and the engines make use
// of that: they know which threads of a block go on. A compiler that has made PTX of it has one
// branch after the other, and has moved what a condition needs behind the branch before it.
// Likewise it has made maxima of comparisons, and shifts of divisions by powers of two, which are
// written back.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle {

struct JoinConditionsPass : llvm::PassInfoMixin<JoinConditionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle
