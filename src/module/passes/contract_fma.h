// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which multiplications and additions are fused, for all engines.
//
// nvcc fuses a * b + c by default (-fmad=true), and Clang marks the operations that may be fused
// with the `contract` flag. If the code generator decided, the result would depend on the engine
// and the CPU; here fusion becomes part of the program, so that all engines compute the same bits.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle {

// Runs twice: before optimisation, which might merge a product that may be fused with one that may
// not (__fmul_rn), and after it (`final`), when inlining has brought more products and sums
// together. Whatever is not fused then stays separate.
struct ContractFmaPass : llvm::PassInfoMixin<ContractFmaPass> {
  explicit ContractFmaPass(bool final) : final_(final) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  bool final_;
};

} // namespace heddle
