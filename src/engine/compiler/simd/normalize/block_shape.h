// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the variant (engine/simd/launch/block_shape_class.h) says about the block's shape, for LLVM
// to use.
//
// A kernel that brings a tile and its border to shared memory in blocks of 16 x 16 threads says
//
//     for (int y = threadIdx.y; y < 20; y += 16)
//       for (int x = threadIdx.x; x < 20; x += 16)
//
// for blocks of any shape. In code that is compiled for rows of 16 threads, `threadIdx.x < 20`
// always holds, and `threadIdx.x + 32 < 20` never; if the block is 256 threads, the same goes for
// y.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Gives threadIdx the ranges that it has in blocks of this class, if they have at most so many
/// threads (__launch_bounds__; 0: unknown). For the code of one thread, before canonicalize(). It
/// does not say how long a block of one row is: code for one size serves others (block_size.h).
void useBlockShape(llvm::Function &function, const Variant &variant, unsigned most_threads);

/// Where each row of the block is one gang, and where a block of one row is, threadIdx.x is the
/// lane's number: of the first lane, it is 0.
void numberRowsByLane(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
