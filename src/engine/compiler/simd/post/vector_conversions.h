// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of floats to integers that saturate, as a GPU's do (define_arithmetic.h), for
// vectors.
//
// x86 has instructions for vectors, but what they make of numbers out of range is something else,
// and LLVM 19 converts element by element then, with comparisons and jumps for each. Here the
// numbers are brought into range first, and what is left of them is chosen afterwards.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Expands llvm.fptosi.sat and llvm.fptoui.sat of vectors.
void expandVectorConversions(llvm::Function &function);

} // namespace heddle::engine
