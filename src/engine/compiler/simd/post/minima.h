// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fminf and fmaxf in fewer instructions.
//
// Of a number and a NaN they are the number, and -0 is less than 0 (PTX ISA, "min"). The minimum of
// CPUs is `a < b ? a : b`, so that what define_arithmetic.h makes of them takes five instructions.
//
//  * Beside a constant (`fmaxf(x, 0)`), `x > 0 ? x : 0` is right for all x, too.
//  * AVX-512's vrangeps is what a GPU does, but for NaNs that signal, of which it makes a NaN.
//    Arithmetic never yields those; what is from memory is multiplied by one first.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Makes comparisons of minima and maxima beside constants.
void simplifyMinima(llvm::Function &function);

/// Uses AVX-512's instructions for those of whole registers. LLVM would multiply by one no more if
/// it optimised again.
void useRangeInstructions(llvm::Function &function);

} // namespace heddle::engine
