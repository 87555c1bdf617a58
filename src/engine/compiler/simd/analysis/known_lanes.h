// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions whose mask is known at compile time: `lane < 16`, or `threadIdx.x < 16` in a gang that
// is a row of the block. Masks derived from them are constants. versioning/known_lane_peeling.h
// rewrites other conditions into this form.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::engine::simd {

/// If the comparison with `bound` holds for the numbers 0 to n - 1 and no others, n.
std::optional<unsigned> firstThreads(llvm::CmpInst::Predicate predicate, const llvm::APInt &bound);

/// If the condition holds for the same n first lanes in every gang, n (at least 1).
std::optional<unsigned> knownLanesOfCondition(const llvm::Value &condition);

/// Whether the condition depends only on the lane number, or on threadIdx where that determines the
/// lane: on x in gangs that are rows of the block, on x, y and z in a gang that is the whole block.
/// Its mask is known at compile time.
bool partsKnownLanes(const llvm::Value &condition, const LaneLayout &layout);

/// The conditional branch that controls a block: the block is its successor, or is reached from
/// that through blocks with one predecessor.
struct BranchTaken {
  const llvm::BranchInst *branch = nullptr; // null: there is none
  bool wanted = true;                       // the value of its condition on the path to the block
};
BranchTaken branchTo(const llvm::BasicBlock &block);

/// An upper bound of the lanes that reach the block, from such a condition, in a gang that is a
/// block of one row; all lanes in other gangs.
struct KnownLanes {
  unsigned count = 0;
  bool are_first = true; // numbers 0 to count - 1
};
KnownLanes lanesThatCome(const llvm::BasicBlock &block, const LaneLayout &layout);

/// The mask of lanes of a warp for which a condition on threadIdx.x is `wanted`, if it is the same
/// in all warps along a row of the block in which any lane satisfies it.
std::optional<uint32_t> lanesOfWarpsThatPass(const llvm::Value &condition, bool wanted);

} // namespace heddle::engine::simd
