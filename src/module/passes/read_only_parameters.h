// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds structures passed to kernels by value that are never written.
//
// A kernel may change its parameters, since each thread has its own copy (CUDA Programming Guide,
// "__global__ Function Parameters"). If no thread does, all can read the launch's copy, as GPUs
// read the parameters' constant bank. LLVM finds that only if the address does not escape, which
// even a comparison (`p != q.w + q.n`) counts as, and it keeps copies that the kernel makes
// (`Params q = p;`).
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Marks parameters declared `__grid_constant__`, whose addresses may escape, and removes Clang's
/// annotations of local variables (`llvm.var.annotation`).
void markGridConstants(llvm::Module &module);

/// Marks such parameters `readonly noalias`: LLVM then drops copies that are only read, and the
/// engines read them in place.
struct ReadOnlyParametersPass : llvm::PassInfoMixin<ReadOnlyParametersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace heddle
