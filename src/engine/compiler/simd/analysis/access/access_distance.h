// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether threads access one array at several places, and how far apart these are.
//
//  * Pieces: `a[i]` and `a[i + blockDim.x]`. Gangs that are narrower than their block go to and fro
//    between the pieces. A CPU that foresees addresses that go up does not foresee these; a gang as
//    wide as the block does one piece after the other.
//  * Rows: `a[i - width]` and `a[i + width]`. A gang of several rows has rows in common with itself
//    that single rows would each have to load again.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

struct Places {
  bool pieces = false;
  bool rows = false;
};

/// Of global memory, and of accesses to neighbours. Expects canonical code.
Places accessDistances(llvm::Function &function, const ShapedCode &code);

} // namespace heddle::engine::simd
