// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector forms of saturating conversions from floats to integers, as GPUs have
// (define_arithmetic.h).
//
// x86 has vector instructions with other results for numbers out of range, and LLVM 19 converts
// element by element with comparisons and jumps. Here numbers are clamped to the range first, and
// the remaining cases are selected afterwards.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Expands llvm.fptosi.sat and llvm.fptoui.sat of vectors.
void expandVectorConversions(llvm::Function &function);

} // namespace heddle::engine
