// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits values of structure type at phis, selects and freezes.
//
// LLVM keeps a small structure that a function returns (an interval, a complex number, an iterator)
// as one value and merges it as a whole:
//
//     %r = phi { double, double } [ %a, %left ], [ %b, %right ]
//
// After divergence each lane selects its own value, and selects by vector masks exist for scalar
// elements only. So each member gets a phi or select of its own; LLVM's simplifier then removes the
// structure.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Leaves no phi, select or freeze of a structure or array.
void splitStructures(llvm::Function &function);

} // namespace heddle::engine::simd
