// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If-conversion: turns small divergent branches into selects.
//
// A branch whose sides are a few additions costs a gang more than executing both sides: masks, and
// a hardly predictable test whether any lane is active. LLVM has converted most such branches, but
// a `switch` (to which it also turns `n == 3 || (n == 2 && alive)`) becomes a tree of branches with
// empty leaves:
//
//     if (n < 3)                                  becomes     r = n == 3 ? 1 : 0
//       if (n == 2) r = alive[i] else r = 0                   if (n < 3 && n == 2)
//     else                                                      r = alive[i]
//       if (n == 3) r = 1 else r = 0
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Expects and leaves canonical code.
void convertBranchesToSelects(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
