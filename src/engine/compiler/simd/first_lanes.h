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
// several warps, for some of each (several_warps.h).
//
// So does `threadIdx.x < 4` in a gang of rows, for a few of each row. Where something else is asked
// beside (`threadIdx.x < 4 && column < width`), it is asked behind that, of known lanes.
#pragma once

#include "engine/compiler/simd/lanes.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::engine::simd {

/// Rewrites such branches as above.
void separateFirstLanes(llvm::Function &function, const LaneLayout &layout);

/// How many lanes the condition holds for, if that is known of every gang and they are its first
/// ones; at least one.
std::optional<unsigned> firstLanesOfCondition(const llvm::Value &condition);

/// Whether the condition is one of the lane's number alone, such as the inner one above, or of
/// threadIdx where that follows from it: of x in gangs of rows, of all of it in a gang that is the
/// block. Which lanes go on is known when the code is compiled.
bool partsKnownLanes(const llvm::Value &condition, const LaneLayout &layout);

/// The conditional branch that leads to a block, straight or by way of others, and from nowhere
/// else.
struct BranchTaken {
  const llvm::BranchInst *branch = nullptr; // null: there is none
  bool wanted = true;                       // what its condition is then
};
BranchTaken branchTo(const llvm::BasicBlock &block);

/// Which lanes can come to the block at most, as far as such a condition tells in a gang that is a
/// block of one row; of other gangs, all.
struct KnownLanes {
  unsigned count = 0;
  bool are_first = true; // numbers 0 to count - 1
};
KnownLanes lanesThatCome(const llvm::BasicBlock &block, const LaneLayout &layout);

/// The lanes of a warp for which a condition on threadIdx.x is `wanted`, if they are the same in
/// all warps, along a row of the block, that have any.
std::optional<uint32_t> lanesOfWarpsThatPass(const llvm::Value &condition, bool wanted);

} // namespace heddle::engine::simd
