// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes apart structures that are values: where control flow merges, and where one of two is
// chosen.
//
// LLVM keeps a small structure that a function returns (an interval, a complex number, an iterator)
// as one value, and merges whole ones:
//
//     %r = phi { double, double } [ %a, %left ], [ %b, %right ]
//
// Lanes that part need a choice for each lane, which there is for vectors of numbers only. So each
// member gets a phi or select of its own; LLVM's simplifier then finds that nothing of the whole is
// left.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// No phi, select or freeze of a structure or array is left.
void splitStructures(llvm::Function &function);

} // namespace heddle::engine::simd
