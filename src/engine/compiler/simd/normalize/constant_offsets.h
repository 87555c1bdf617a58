// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes constants out of the indices of addresses, so that neighbours have one address in common.
//
// A stencil looks at `tile[y + 1][x + 2]`, `tile[y + 2][x + 2]` and so on. Each place has indices
// of its own, computed in 32 bits and extended, from which LLVM does not see that all lie a
// constant apart:
//
//     gep tile, zext(y + 1), zext(x + 2)      ->      gep i8, (gep tile, zext(y), zext(x)), 88
//
// Then the address is computed once for all places. And where a gang is rows of the block one above
// the other, what its second row reads for one place of the stencil is what the first one reads for
// the next, and LLVM loads it once.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Of addresses that grow by a constant from lane to lane, or within rows; they still do.
void separateConstantOffsets(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
