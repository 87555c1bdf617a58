// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds blocks that a gang may execute under an empty mask.
//
// After a divergent branch, a block with an empty mask is skipped: it may be long, and scalar loads
// in it are valid only if a lane is active. But in
//
//     alive = n == 3;
//     if (n == 2) alive = field[i];
//
// the block is one masked load, which has no effect under an empty mask. The test whether the mask
// is empty costs more, above all in gangs with more lanes than a register has bits.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

namespace heddle::engine::simd {

/// Whether the instruction may be executed speculatively in all lanes and costs no more than the
/// mask operations that predication would need.
bool isCheap(const llvm::Instruction &instruction);

/// Whether the block may run under an empty mask and costs no more than the test. `masks_bytes`:
/// the CPU has masked accesses of elements of less than four bytes.
bool isSafeUnderEmptyMask(llvm::BasicBlock &block, const ShapedCode &code, bool masks_bytes);

} // namespace heddle::engine::simd
