// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes the block's shape, as far as the variant (engine/simd/launch/block_shape_class.h) fixes
// it, to LLVM.
//
// A kernel that loads a tile and its border to shared memory with blocks of 16 x 16 threads
// contains
//
//     for (int y = threadIdx.y; y < 20; y += 16)
//       for (int x = threadIdx.x; x < 20; x += 16)
//
// written for blocks of any shape. In code for rows of 16 threads, `threadIdx.x < 20` is always
// true and `threadIdx.x + 32 < 20` always false; if the block has 256 threads, the same holds for
// y.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Annotates threadIdx with its ranges in blocks of this class with at most `most_threads` threads
/// (__launch_bounds__; 0: unknown). For the code of one thread, before canonicalize(). Does not fix
/// the length of one-row blocks: code for one length serves others (block_size.h).
void useBlockShape(llvm::Function &function, const Variant &variant, unsigned most_threads);

/// Replaces threadIdx.x by the lane number where each row of the block is a gang, and where a block
/// of one row is.
void numberRowsByLane(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
