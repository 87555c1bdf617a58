// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes apart what LLVM's optimizer has put together at merges of paths.
//
// LLVM saves instructions: where both sides of an `if` load, it chooses the address and loads once.
// Scalar code is as fast then, but lanes that have gone different ways have addresses that follow
// from nothing, and one load of a vector on either side is worth more. And what one side computes
// and the code behind the `if` does, too, it computes on the other side as well and takes from
// where the program has come: no analysis sees any more that it is an index that grows from lane to
// lane.
//
//     if (t > 0) d = tile[t - 1];            stays so, instead of   p = t > 0 ? &tile[t - 1] : …
//     else if (i > 0) d = in[i - 1];                                d = *p;
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

void unsinkLoads(llvm::Function &function);

} // namespace heddle::engine::simd
