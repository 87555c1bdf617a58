// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions that hold for fewer threads than a gang has lanes, the first ones of a row of the
// block: `threadIdx.x < 16` in the last steps of a tree of sums, `threadIdx.x == 0` before a
// result is stored.
//
// Gangs do not leave a row of the block, and begin at multiples of their width. So only the row's
// first gang has such threads, and which of its lanes they are is known:
//
//     if (threadIdx.x < 16) A     ->    if (threadIdx.x < 32)     the same for all of the gang
//                                         if (lane < 16) A        the same for all gangs that come
//
// In A, threadIdx.x is the number of the lane. Masks are constants there, and so are the places
// that are accessed: the first 16 of an array are one vector without a mask (widen_first.cpp). If
// A is for one thread, threadIdx.x is 0, and all that follows from it a scalar.
//
// `threadIdx.x % 32 == 0`, before a warp's result is stored, asks for lanes already; in gangs of
// several warps, for some of each (warp_uniformity.h).
//
// So does `threadIdx.x < 4` in a gang of rows, for a few of each row. Where something else is asked
// beside (`threadIdx.x < 4 && column < width`), it is asked behind that, of known lanes.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Rewrites such branches as above.
void peelKnownLanes(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
