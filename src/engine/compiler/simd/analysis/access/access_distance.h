// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds accesses to several places of one array, by the distance between them.
//
//  * Pieces: `a[i]` and `a[i + blockDim.x]`. Gangs narrower than the block alternate between the
//    pieces, which defeats the hardware prefetcher; a gang as wide as the block completes one piece
//    before the next.
//  * Rows: `a[i - width]` and `a[i + width]`. A gang of several rows loads a row that its threads
//    share once, gangs of single rows load it several times.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

struct Places {
  bool pieces = false;
  bool rows = false;
};

/// Considers contiguous accesses to global memory. Expects canonical code.
Places accessDistances(llvm::Function &function, const ShapedCode &code);

} // namespace heddle::engine::simd
