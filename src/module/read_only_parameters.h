// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which structures that kernels take by value are never written.
//
// A kernel may change its parameters: each thread has its own copy of a structure (CUDA Programming
// Guide, "__global__ Function Parameters"). If no thread does, all may read the launch's one copy,
// as NVIDIA's GPUs read the parameters' constant bank. LLVM itself finds that only where the
// address stays within the kernel, which a comparison (`p != q.w + q.n`) is enough to deny, and it
// lets each thread copy what the kernel copies (`Params q = p;`).
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Marks those declared `__grid_constant__`, whose addresses may go anywhere, and removes Clang's
/// notes of all local variables (`llvm.var.annotation`).
void markGridConstants(llvm::Module &module);

/// Marks such parameters `readonly noalias`: then LLVM drops copies of them that are only read, and
/// the engines read them in place.
struct ReadOnlyParametersPass : llvm::PassInfoMixin<ReadOnlyParametersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace heddle
