// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes fminf and fmaxf in fewer instructions.
//
// If one operand is a NaN the result is the other, and -0 is less than 0 (PTX ISA, "min"). A CPU's
// minimum is `a < b ? a : b`, so the expansion of define_arithmetic.h takes five instructions.
//
//  * With a constant operand (`fmaxf(x, 0)`), `x > 0 ? x : 0` is right for all x.
//  * AVX-512's vrangeps does what a GPU does, except that signalling NaNs yield a NaN. Arithmetic
//    never yields those; values from memory are multiplied by one first.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Replaces minima and maxima with constants by comparisons and selects.
void simplifyMinima(llvm::Function &function);

/// Uses AVX-512's instructions for vectors of whole registers. No LLVM optimisation may follow,
/// since it would remove the multiplications by one.
void useRangeInstructions(llvm::Function &function);

} // namespace heddle::engine
