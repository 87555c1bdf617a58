// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverts what LLVM's optimiser has sunk into or merged across merges of paths.
//
// LLVM reduces the number of instructions: where both sides of an `if` load, it selects the address
// and loads once. For scalar code that is as fast, but for divergent lanes the selected address is
// varying, and one contiguous vector load on each side is faster. Also, what one side computes and
// the code after the `if` computes, too, LLVM duplicates into the other side and merges by a phi,
// so that no analysis recognises an affine index any more.
//
//     if (t > 0) d = tile[t - 1];            stays so, instead of   p = t > 0 ? &tile[t - 1] : …
//     else if (i > 0) d = in[i - 1];                                d = *p;
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

void unsinkLoads(llvm::Function &function);

} // namespace heddle::engine::simd
