// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/versioning/coherent_branch_versioning.h"

#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/analysis/predication_safety.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/versioning/guard_widening.h"
#include "engine/compiler/simd/versioning/region_versioning.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr CodeBudget code_budget{.largest = 400, .copies = 10};

class CoherentCopies {
public:
  CoherentCopies(Function &function, const LaneLayout &layout, bool masks_bytes)
      : function_(function), layout_(layout), masks_bytes_(masks_bytes) {}

  void run() {
    versionRegions(function_, layout_, code_budget, [&](const ShapedCode &code) {
      // First those without another copy (guard_widening.h).
      return copyOne(code, false) || copyOne(code, true);
    });
  }

private:
  // Finds one branch and versions it.
  bool copyOne(const ShapedCode &code, bool also_guarded_elements) {
    const Shapes &shapes = code.shapes;
    for (BasicBlock &block : function_) {
      if (!shapes.divergesAt(&block) || seen_.contains(&block) || partsKnownLanes(block) ||
          (!also_guarded_elements && block.getTerminator()->hasMetadata(guarded_element)))
        continue;
      const Loop *loop = code.loops.getLoopFor(&block);
      if (loop && loop->getLoopLatch() == &block) {
        if (shapes.isDivergent(loop->getLoopPreheader()) || !seen_.insert(&block).second)
          continue;
        if (copyLoop(*loop, block))
          return true;
      } else if (hasKnownLanes(block, shapes)) {
        seen_.insert(&block);
        if (copyGuarded(block, code))
          return true;
      }
    }
    return false;
  }

  bool partsKnownLanes(const BasicBlock &block) const {
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    return branch && branch->isConditional() &&
           simd::partsKnownLanes(*branch->getCondition(), layout_);
  }

  // Executed by all lanes, or by a set known at compile time.
  bool hasKnownLanes(const BasicBlock &block, const Shapes &shapes) const {
    const BasicBlock *before = block.getSinglePredecessor();
    return !shapes.isDivergent(&block) ||
           (before && partsKnownLanes(*before) && hasKnownLanes(*before, shapes));
  }

  // Whether masks would be expensive there.
  static bool isWorthCopying(const Blocks &blocks) {
    return code_budget.allows(blocks) && touchesMemory(blocks);
  }

  // Whether masks cost no more than the test whether they are needed. In tiled gangs masks are made
  // from those of the rows, whereas bounds checks are tested by scalars.
  bool needsNoCopy(BasicBlock &inside, const Value &condition, const ShapedCode &code) const {
    return isSafeUnderEmptyMask(inside, code, masks_bytes_) &&
           !(layout_.hasRows() && isBound(condition, code.shapes));
  }

  // Versions `if (c) A`, where A is everything up to the merge; of `if (c) A else B` the longer
  // side.
  bool copyGuarded(BasicBlock &block, const ShapedCode &code) {
    auto *branch = cast<BranchInst>(block.getTerminator());
    const auto size_of = [&](unsigned side) {
      return countInstructions(dominatedBy(*branch->getSuccessor(side), code.dominators));
    };
    const unsigned longer = size_of(1) > size_of(0);
    for (const unsigned side : {longer, 1 - longer}) {
      BasicBlock *inside = branch->getSuccessor(side);
      if (inside->getSinglePredecessor() != &block)
        continue;
      Blocks region = dominatedBy(*inside, code.dominators);
      if (!isWorthCopying(region) || needsNoCopy(*inside, *branch->getCondition(), code))
        return false;
      IRBuilder<> builder(branch);
      Value *condition = branch->getCondition();
      if (side == 1)
        condition = builder.CreateNot(condition);
      Value *all = callMarker(builder, all_marker, {condition});
      BasicBlock *parting = SplitBlock(&block, branch);
      seen_.insert(parting);
      region.insert(region.begin(), parting);
      RegionCopy copy(region);
      copy.assume(*branch->getCondition(), builder.getInt1(side == 0));
      copy.enterIf(all, block);
      return true;
    }
    return false;
  }

  bool copyLoop(const Loop &loop, BasicBlock &latch) {
    const Blocks blocks(loop.block_begin(), loop.block_end());
    if (!isWorthCopying(blocks))
      return false;
    BasicBlock *header = loop.getHeader(), *preheader = loop.getLoopPreheader();
    auto *branch = cast<BranchInst>(latch.getTerminator());
    const unsigned stay_side = branch->getSuccessor(0) == header ? 0 : 1;
    BasicBlock *exit = branch->getSuccessor(1 - stay_side);
    const RegionCopy copy(blocks);
    BasicBlock *copied_header = copy.of(header), *copied_latch = copy.of(&latch);
    auto *copied_branch = copy.of(branch);
    // Reached if only some lanes leave: the rest runs in the original loop.
    BasicBlock *parting = BasicBlock::Create(function_.getContext(), "parting", &function_, header);
    Value *condition = copied_branch->getCondition();
    auto *decide =
        BranchInst::Create(branch->getSuccessor(0), branch->getSuccessor(1), condition, parting);
    decide->setDebugLoc(branch->getDebugLoc());
    seen_.insert(parting);
    IRBuilder<> builder(copied_branch);
    Value *all = callMarker(builder, all_marker,
                            {stay_side == 0 ? condition : builder.CreateNot(condition)});
    builder.CreateCondBr(all, copied_header, parting);
    copied_branch->eraseFromParent();
    exit->replacePhiUsesWith(copied_latch, parting);
    preheader->getTerminator()->replaceSuccessorWith(header, copied_header);
    for (PHINode &phi : header->phis()) {
      const auto entry = unsigned(phi.getBasicBlockIndex(preheader));
      phi.setIncomingBlock(entry, parting);
      phi.setIncomingValue(entry, copy.of(phi.getIncomingValueForBlock(&latch)));
    }
    return true;
  }

  Function &function_;
  const LaneLayout &layout_;
  bool masks_bytes_;
  SmallPtrSet<BasicBlock *, 16> seen_;
};

} // namespace

void guardActive(Function &function) {
  BasicBlock *body = &function.getEntryBlock();
  BasicBlock *end = emptyEnd(function);
  if (end == body) // the function is empty
    return;
  // Allocas stay in the entry block.
  BasicBlock *entry = BasicBlock::Create(function.getContext(), "active", &function, body);
  for (Instruction &instruction : make_early_inc_range(*body))
    if (isa<AllocaInst>(instruction))
      instruction.moveBefore(*entry, entry->end());
  IRBuilder<> builder(entry);
  builder.CreateCondBr(callMarker(builder, active_marker), body, end);
  canonicalizeLoops(function); // the entry may have been a loop header
}

void versionCoherentBranches(Function &function, const LaneLayout &layout, bool masks_bytes) {
  CoherentCopies(function, layout, masks_bytes).run();
}

} // namespace heddle::engine::simd
