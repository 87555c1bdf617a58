// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peels code for lanes known at compile time: conditions that hold for the first threads of a row
// of the block, fewer than a gang: `threadIdx.x < 16` in the last steps of a tree reduction,
// `threadIdx.x == 0` before a result is stored.
//
// Gangs stay within a row of the block and begin at multiples of their width. So only the row's
// first gang has such threads, in known lanes:
//
//     if (threadIdx.x < 16) A     ->    if (threadIdx.x < 32)     uniform
//                                         if (lane < 16) A        the same mask in all gangs
//
// In A, threadIdx.x is the lane number. Masks and positions are constants: the first 16 elements of
// an array are one vector without a mask (gang_mask.h). If A is for one thread, threadIdx.x is
// 0, and all that depends on it is scalar.
//
// `threadIdx.x % 32 == 0`, before a warp's result is stored, is a condition of lanes already; in
// gangs of several warps, of one per warp (warp_uniformity.h).
//
// So is `threadIdx.x < 4` in a tiled gang, for the first lanes of each row. Other conditions beside
// it (`threadIdx.x < 4 && column < width`) are evaluated after it, for the known lanes.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Rewrites such branches as above.
void peelKnownLanes(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
