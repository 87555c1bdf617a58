// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions for gangs of several warps in kernels with warp operations.
//
// A kernel that reduces an array in a grid-stride loop, and then each warp's sums by shuffles,
// profits from wide gangs in its loop (gang_width.h). Such a gang may shuffle if all lanes of a
// warp reach the shuffle together: then it is a shuffle within each 32 lanes of a vector, and no
// thread waits. That holds if no controlling condition diverges within a warp. It may diverge
// between warps, as `if (threadIdx.x < 32)` does; the mask then consists of whole warps.
//
// Such kernels compute the lane in the warp, `threadIdx.x % 32`. It is a constant in each lane, so
// that `if (threadIdx.x % 32 == 0)` has a mask known at compile time: one lane per warp.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/Function.h"

#include <optional>

namespace heddle::engine::simd {

inline constexpr unsigned warp_lanes = 32;

/// Whether the instruction lets threads of a warp observe each other.
bool observesWarp(const llvm::Instruction &instruction);

/// The same, and only gangs of one warp support it: all but volatile shared memory (warp_step.h)
/// and shuffles and __syncwarp() with a full mask.
bool needsGangOfOneWarp(const llvm::Instruction &instruction);

/// Whether all threads of a warp execute each warp operation together. `warp`: the code with the
/// shapes of a gang of one warp.
bool warpsStayWhole(const llvm::Function &function, const ShapedCode &warp);

/// Whether gangs of this layout are several warps and may contain warp operations: warps may
/// diverge from each other before one, lanes of a warp may not.
inline bool partsByWarps(const LaneLayout &layout) {
  return layout.kind == LaneLayout::Kind::Row && layout.lanes > warp_lanes;
}

/// Whether the value is the lane number modulo `lanes`, a power of two: such as `threadIdx.x % 32`
/// if the first lane's threadIdx.x is a multiple of 32.
bool isPlaceAmong(unsigned lanes, const llvm::Value &value, const Shapes &shapes);

/// In gangs within a row of the block, replaces `threadIdx.x % 32`, and other low bits of numbers
/// that share them with the lane number, by bits of the lane number.
void numberLanes(llvm::Function &function, const LaneLayout &layout);

/// The mask, if the value is the lane number masked to its low bits, as above.
std::optional<uint64_t> lowBitsOfLane(const llvm::Value &value);

} // namespace heddle::engine::simd
