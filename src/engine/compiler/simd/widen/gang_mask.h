// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The active lanes of a gang in the block that is being widened (linearize.h marks blocks with
// masks).
//
// A mask that is known when compiling, as that of `if (threadIdx.x < 16)` (known_lane_peeling.h),
// needs no masked accesses. The first 16 elements are a vector of 16 instead of a masked one of 32:
// a CPU forwards a store to the next load of the same bytes, but not a masked one, so that the load
// would wait about 20 cycles for the cache in each step of a tree reduction. In a tiled gang, the
// first lanes of each row (`threadIdx.x < 4`, the border of a tile) are a short vector per row. Up
// to eight lanes with unrelated addresses access memory one by one, also if they are not the first
// ones, but, say, one of each warp.
#pragma once

#include "engine/compiler/simd/plan/access_plan.h"

#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace heddle::engine::simd {

/// If the mask is a constant of the first n lanes, n.
std::optional<unsigned> firstLanesOf(const llvm::Value &mask);

class GangMask {
public:
  GangMask(llvm::IRBuilder<> &builder, const LaneLayout &layout) : b_(&builder), layout_(layout) {}

  /// Sets the mask of the current block, a vector of i1.
  void set(llvm::Value *mask);
  /// All lanes of the gang are active.
  void setAll();

  // ---- What is known when compiling ----
  ActiveLanes known() const {
    return {.all = allActive(), .first = firstLanes(), .few = unsigned(few_.size())};
  }
  bool allActive() const { return !mask_; }
  /// Whether the active lanes are known and few.
  bool areFew() const { return !few_.empty(); }
  /// Whether emitting code for each active lane is no more than vector code: all are active, or
  /// they are known and few.
  bool isLaneByLane() const { return allActive() || areFew(); }
  /// n if the mask is a constant of the first n lanes; otherwise 0.
  unsigned firstLanes() const { return first_; }
  /// An upper bound of the highest active lane's number, plus one.
  unsigned lanesHere() const { return first_ ? first_ : layout_.lanes; }
  /// The numbers of the lanes that may be active.
  llvm::SmallVector<unsigned> numbersHere() const;
  /// The number of active lanes of the row, if known and if they are its first ones.
  std::optional<unsigned> firstInRow(unsigned row) const;
  bool areFirstInRows() const;
  /// An upper bound of the active lanes of a row.
  unsigned mostInRow() const;

  // ---- Values ----
  /// The mask as it was set: a vector of i1, or null if all lanes are active.
  llvm::Value *vector() const { return mask_; }
  /// The same; all ones if all lanes are active.
  llvm::Value *laneMask() const;
  /// A vector of i1 as an integer with a bit for each lane.
  llvm::Value *bitsOf(llvm::Value *mask) const;
  llvm::IntegerType *bitsType() const;
  /// The active lanes, as such an integer.
  llvm::Value *laneBits() const;
  /// The number of the lowest lane in `bits`, or of the first active lane, as an i32.
  llvm::Value *firstOf(llvm::Value *bits) const;
  llvm::Value *firstLane() const;
  /// i1: all lanes of the gang are active; any lane of the row is.
  llvm::Value *allHere() const;
  llvm::Value *rowIsHere(unsigned row) const;
  /// The condition (a vector of i1), false in inactive lanes.
  llvm::Value *onlyHere(llvm::Value *condition) const;

private:
  llvm::Value *allLanes() const;

  llvm::IRBuilder<> *b_;
  LaneLayout layout_;
  llvm::Value *mask_ = nullptr, *bits_ = nullptr, *all_here_ = nullptr;
  unsigned first_ = 0;
  llvm::SmallVector<unsigned> few_; // the active lanes, if constant and few
};

} // namespace heddle::engine::simd
