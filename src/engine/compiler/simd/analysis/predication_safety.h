// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds blocks that a gang may execute though none of its lanes wants to.
//
// Behind a branch that parts the lanes, a block is skipped under an empty mask: it may be
// long, and scalar loads in it rest on a lane's being active. But of
//
//     alive = n == 3;
//     if (n == 2) alive = field[i];
//
// the block is one load under a mask, which does nothing if the mask is empty. To ask whether it is
// costs more, above all of gangs that are wider than a register has bits.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

namespace heddle::engine::simd {

/// Whether all lanes may execute it, and it does as little as the masks that it would need.
bool isCheap(const llvm::Instruction &instruction);

/// Whether it is such a block, which costs no more than the question. `masks_bytes`: the CPU has
/// masked accesses of elements of less than four bytes.
bool isSafeUnderEmptyMask(llvm::BasicBlock &block, const ShapedCode &code, bool masks_bytes);

} // namespace heddle::engine::simd
