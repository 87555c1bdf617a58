// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions of which it is known, when the code is compiled, for which lanes of a gang they hold:
// `lane < 16`, `threadIdx.x < 16` in a gang that is a row of the block. Masks that follow from them
// are constants. versioning/known_lane_peeling.h makes such conditions of others.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::engine::simd {

/// How many of the numbers from 0 on the comparison with the bound holds for, if they are the first
/// ones.
std::optional<unsigned> firstThreads(llvm::CmpInst::Predicate predicate, const llvm::APInt &bound);

/// How many lanes the condition holds for, if that is known of every gang and they are its first
/// ones; at least one.
std::optional<unsigned> knownLanesOfCondition(const llvm::Value &condition);

/// Whether the condition is one of the lane's number alone, such as the inner one above, or of
/// threadIdx where that follows from it: of x in gangs of rows, of all of it in a gang that is the
/// block. Which lanes go on is known when the code is compiled.
bool partsKnownLanes(const llvm::Value &condition, const LaneLayout &layout);

/// The conditional branch that leads to a block, straight or through blocks with one
/// predecessor, and no other path.
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
