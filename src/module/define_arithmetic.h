// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives arithmetic the results that a GPU gives where C++ and LLVM leave them open.
//
// A GPU has no arithmetic traps: dividing by zero, or INT_MIN by -1, yields a value and the kernel
// goes on; on x86 either would kill the process, and LLVM may assume that they never happen.
// Likewise a float outside an integer's range saturates and NaN becomes 0 (PTX ISA, "cvt"), and a
// shift by the width or more gives 0 or the sign (PTX ISA, "shl", "shr"). The lesser of 0 and -0 is
// -0 (PTX ISA, "min"). Must run before any optimisation, while the operations are as the program
// wrote them.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace heddle {

/// The attribute of functions that the pass has dealt with before, because passes ran early.
inline constexpr llvm::StringLiteral arithmetic_defined = "heddle-arithmetic-defined";

struct DefineArithmeticPass : llvm::PassInfoMixin<DefineArithmeticPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace heddle
