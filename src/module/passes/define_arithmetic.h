// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives arithmetic a GPU's results where C++ and LLVM leave them undefined.
//
// A GPU has no arithmetic traps: dividing by zero, or INT_MIN by -1, yields a value and the kernel
// continues; on x86 either kills the process, and LLVM may assume that they do not happen. Likewise
// a float outside an integer's range saturates and NaN becomes 0 (PTX ISA, "cvt"), and a shift by
// the width or more gives 0 or the sign (PTX ISA, "shl", "shr"). The minimum of 0 and -0 is -0 (PTX
// ISA, "min"). Must run before any optimisation, while the operations are as the program wrote
// them.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace heddle {

/// Marks functions that the pass has already processed, since passes ran early.
inline constexpr llvm::StringLiteral arithmetic_defined = "heddle-arithmetic-defined";

struct DefineArithmeticPass : llvm::PassInfoMixin<DefineArithmeticPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace heddle
