// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Versions regions: the mechanism of the passes in this folder, which choose a region and the facts
// that make its copy faster.
//
//     A     becomes     if (predicate) A' else A        (the predicate implies the facts of A')
//
// The computations that the predicate needs are hoisted in front of the region (Hoister), which is
// cloned (RegionCopy). In the copy, values are replaced by what they are known to be, branches on
// constants are folded, and values that are used behind the region are merged by phis. (Compare
// LLVM's GuardWidening and Halide's PartitionLoops.)
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <vector>

namespace heddle::engine::simd {

/// A region is entered through its first block only.
using Blocks = std::vector<llvm::BasicBlock *>;

/// The block and all blocks that it dominates.
Blocks dominatedBy(const llvm::BasicBlock &block, const llvm::DominatorTree &dominators);

size_t countInstructions(const Blocks &blocks);
bool touchesMemory(const Blocks &blocks);

/// How much code a pass may add.
struct CodeBudget {
  size_t largest;  // instructions in a copied region
  unsigned copies; // regions that are copied

  bool allows(const Blocks &region) const {
    return copies > 0 && countInstructions(region) <= largest;
  }
};

/// Calls `version`, with fresh analyses, until it finds nothing to copy or the budget is spent.
/// Restores the canonical form after each copy, and calls `after`.
void versionRegions(
    llvm::Function &function, const LaneLayout &layout, CodeBudget budget,
    llvm::function_ref<bool(const ShapedCode &)> version, llvm::function_ref<void()> after = [] {});

/// Moves computations to a place, so that they can be tested there. The place dominates them, and
/// each lane that reaches it reaches them, unless it traps.
class Hoister {
public:
  Hoister(llvm::Instruction &place, const llvm::DominatorTree &dominators, unsigned most)
      : place_(place), dominators_(dominators), most_(most) {}

  /// Whether the value is available at the place, or can be together with all that was asked for
  /// before. At most `depth` computations depend on each other.
  bool canHoist(llvm::Value *value, unsigned depth);
  /// Moves what canHoist has agreed to.
  void hoist();

private:
  bool add(llvm::Value *value, unsigned depth);

  llvm::Instruction &place_;
  const llvm::DominatorTree &dominators_;
  const unsigned most_;
  llvm::SmallSetVector<llvm::Instruction *, 32> moved_; // operands before their users
};

/// Whether the result depends neither on changing memory nor on the mask.
bool isPure(const llvm::Instruction &instruction);

/// A copy of a region.
class RegionCopy {
public:
  /// Exits of the copy lead to the same blocks as those of the original; no branch leads to the
  /// copy yet.
  explicit RegionCopy(const Blocks &region);

  llvm::BasicBlock *entry() const { return of(region_.front()); }

  /// The copy of a block or value of the region.
  template <class T> T *of(T *original) const {
    llvm::Value *copy = map_.lookup(original);
    return copy ? llvm::cast<T>(copy) : original;
  }

  /// Replaces a value by what it is known to be in the copy. The known value is available there.
  void assume(llvm::Value &value, llvm::Value *known);

  /// Branches to the copy if the predicate holds, at the end of `block`, the only predecessor of
  /// the original; folds branches of the copy on what is known to be constant.
  void enterIf(llvm::Value *predicate, llvm::BasicBlock &block);

private:
  void mergeResults();
  void fold();

  Blocks region_, copies_;
  llvm::ValueToValueMapTy map_;
};

} // namespace heddle::engine::simd
