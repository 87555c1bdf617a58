// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separates constants from the indices of addresses, so that neighbouring accesses share a base.
//
// A stencil accesses `tile[y + 1][x + 2]`, `tile[y + 2][x + 2]` and so on. Each access computes its
// own indices in 32 bits and extends them, so that LLVM does not see that the addresses differ by
// constants:
//
//     gep tile, zext(y + 1), zext(x + 2)      ->      gep i8, (gep tile, zext(y), zext(x)), 88
//
// The base is then computed once for all accesses. And if a gang is several rows of the block, what
// its second row loads for one point of the stencil is what its first row loads for the next point,
// and LLVM's GVN removes one of the loads.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Rewrites addresses that are affine or tiled affine; they stay so.
void separateConstantOffsets(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
