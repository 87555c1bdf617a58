// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns small branches that may part the lanes of a gang into choices.
//
// A branch whose sides are a few additions costs a gang more than both sides do: masks, and the
// question whether any lane takes them, which the CPU cannot guess. LLVM has made choices of most
// such branches, but a `switch` (to which it also turns `n == 3 || (n == 2 && alive)`) becomes a
// tree of branches whose leaves do nothing at all:
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
