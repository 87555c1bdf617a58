// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gangs of several warps whose threads shuffle values.
//
// A kernel that adds up an array in steps of the whole grid, and then its warps' sums by shuffles,
// gains from wide gangs in its loop (gang_width.h). Such a gang may shuffle, too, if all lanes of a
// warp come to the shuffle together: then it is a shuffle within each 32 lanes of a vector, and no
// thread waits. That is so if no condition on the way there parts the lanes of a warp. Warps may
// part, as at `if (threadIdx.x < 32)`; the gang then goes there with a mask of whole warps.
//
// Threads of such kernels ask for their place in their warp, `threadIdx.x % 32`. It is a constant
// in each lane, so `if (threadIdx.x % 32 == 0)` is for known lanes, one a warp.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/Function.h"

#include <optional>

namespace heddle::engine::simd {

inline constexpr unsigned warp_lanes = 32;

/// Whether threads of a warp observe each other here.
bool observesWarp(const llvm::Instruction &instruction);

/// The same, and in a way that only gangs of one warp have code for: anything but volatile shared
/// memory (warp_step.h), shuffles and __syncwarp() of all 32 threads.
bool needsGangOfOneWarp(const llvm::Instruction &instruction);

/// Whether all threads of a warp come together to each of its operations. `warp`: the code as a
/// gang of one warp sees it.
bool warpsStayWhole(const llvm::Function &function, const ShapedCode &warp);

/// Whether gangs of this layout may have operations of warps, and be several warps. These may part
/// from each other before such an operation, but not the lanes of one.
inline bool partsByWarps(const LaneLayout &layout) {
  return layout.kind == LaneLayout::Kind::Row && layout.lanes > warp_lanes;
}

/// Whether the value is the place of a lane among each `lanes` of the gang, a power of two: such as
/// `threadIdx.x % 32`, where the first lane's threadIdx.x is a multiple of that.
bool isPlaceAmong(unsigned lanes, const llvm::Value &value, const Shapes &shapes);

/// In gangs that do not leave a row of the block, makes `threadIdx.x % 32`, and any other low bits
/// of a number that has them in common with the lane's, bits of the lane's number.
void numberLanes(llvm::Function &function, const LaneLayout &layout);

/// The mask, if the value is the number of the lane under a mask of low bits, as above.
std::optional<uint64_t> lowBitsOfLane(const llvm::Value &value);

} // namespace heddle::engine::simd
