// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/versioning/guard_widening.h"

#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/analysis/predication_safety.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/form/region_copy.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <algorithm>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

constexpr size_t largest_copy = 600; // instructions
constexpr unsigned most_copies = 4, most_steps = 12;

// The bounds that indices are compared with, and the predicates.
using Bounds = SmallVector<std::pair<CmpInst::Predicate, Value *>, 2>;

// Whether the result depends neither on changing memory nor on the mask.
bool isPure(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->hasMetadata(LLVMContext::MD_invariant_load);
  return !isa<PHINode>(instruction) && !instruction.mayReadOrWriteMemory() &&
         isSafeToSpeculativelyExecute(&instruction);
}

// After a barrier, bounds are recomputed at each use (suspend_lowering.h).
bool isSame(const Value &one, const Value &other, unsigned depth) {
  const auto *left = dyn_cast<Instruction>(&one), *right = dyn_cast<Instruction>(&other);
  if (&one == &other || !left || !right || depth == 0)
    return &one == &other;
  return isPure(*left) && isPure(*right) && left->isSameOperationAs(right) &&
         std::ranges::equal(
             left->operands(), right->operands(),
             [&](const Use &operand, const Use &its) { return isSame(*operand, *its, depth - 1); });
}

bool areSame(const Bounds &some, const Bounds &others) {
  return std::ranges::equal(some, others, [](const auto &one, const auto &other) {
    return one.first == other.first && isSame(*one.second, *other.second, most_steps);
  });
}

// `if (c) A`, and the block where it continues.
struct Guard {
  BasicBlock *block = nullptr, *inside = nullptr, *next = nullptr;
  Blocks region; // A
  Bounds bounds;

  BranchInst &branch() const { return *cast<BranchInst>(block->getTerminator()); }
};

// Consecutive guards of the same bounds.
using Run = SmallVector<Guard>;

class GuardedElements {
public:
  GuardedElements(Function &function, const LaneLayout &layout, bool masks_bytes)
      : function_(function), layout_(layout), masks_bytes_(masks_bytes) {}

  void run() {
    for (unsigned copies = 0; copies < most_copies && copyOne(); ++copies)
      canonicalizeLoops(function_);
  }

private:
  bool copyOne() {
    const ShapedCode code(function_, layout_);
    code_ = &code;
    for (BasicBlock &block : function_) {
      if (code.shapes.isDivergent(&block) || !seen_.insert(&block).second)
        continue;
      const Run guards = runFrom(block);
      for (const Guard &guard : guards)
        seen_.insert(guard.block);
      const auto costs = [&](const Guard &guard) {
        return touchesMemory(guard.region) &&
               !isSafeUnderEmptyMask(*guard.inside, code, masks_bytes_);
      };
      if (count_if(guards, costs) < 2)
        continue;
      copy(guards);
      return true;
    }
    return false;
  }

  static bool touchesMemory(const Blocks &blocks) {
    return any_of(blocks, [](const BasicBlock *block) {
      return any_of(*block, [](const Instruction &i) { return i.mayReadOrWriteMemory(); });
    });
  }

  // ---- Search ----

  // Collects the bounds that hold where `condition` equals `holds`; false if it tests anything
  // else.
  bool findBounds(Value *condition, bool holds, Bounds &bounds) const {
    Value *left = nullptr, *right = nullptr;
    if (match(condition, m_Not(m_Value(left))))
      return findBounds(left, !holds, bounds);
    if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
              : match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
      return findBounds(left, holds, bounds) && findBounds(right, holds, bounds);
    if (code_->shapes.of(condition).isUniform()) {
      bounds.push_back({holds ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ, condition});
      return true;
    }
    const auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || !compare->isRelational() || partsKnownLanes(*condition, layout_))
      return false;
    CmpInst::Predicate predicate = holds ? compare->getPredicate() : compare->getInversePredicate();
    Value *index = compare->getOperand(0), *bound = compare->getOperand(1);
    if (code_->shapes.of(index).isUniform()) {
      std::swap(index, bound);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    bounds.push_back({predicate, bound});
    return code_->shapes.of(bound).isUniform() && isUsuallyAffine(*index, code_->shapes);
  }

  std::optional<Guard> guardAt(BasicBlock &block) const {
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    const auto *node = code_->post_dominators.getNode(&block);
    if (!branch || !code_->shapes.divergesAt(&block) || !node || !node->getIDom())
      return std::nullopt;
    Guard guard{.block = &block, .next = node->getIDom()->getBlock()};
    const unsigned side = branch->getSuccessor(0) == guard.next ? 1 : 0;
    guard.inside = branch->getSuccessor(side);
    if (branch->getSuccessor(1 - side) != guard.next || guard.inside == guard.next ||
        guard.inside->getSinglePredecessor() != &block ||
        code_->loops.getLoopFor(&block) != code_->loops.getLoopFor(guard.next) ||
        !findBounds(branch->getCondition(), side == 0, guard.bounds))
      return std::nullopt;
    guard.region = dominatedBy(*guard.inside, code_->dominators);
    const bool leads_on = all_of(guard.region, [&](BasicBlock *inside) {
      return !succ_empty(inside) && all_of(successors(inside), [&](BasicBlock *next) {
        return next == guard.next || is_contained(guard.region, next);
      });
    });
    return leads_on ? std::optional(std::move(guard)) : std::nullopt;
  }

  // Whether the value is available at the first guard; adds to `hoisted_` what must move there.
  bool isKnownBefore(Value *value, const Instruction &place, unsigned budget) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || hoisted_.contains(instruction) ||
        code_->dominators.dominates(instruction, &place))
      return true;
    if (budget == 0 || !isPure(*instruction) ||
        !all_of(instruction->operands(),
                [&](Value *operand) { return isKnownBefore(operand, place, budget - 1); }))
      return false;
    hoisted_.insert(instruction);
    return true;
  }

  Run runFrom(BasicBlock &first) {
    Run guards;
    hoisted_.clear();
    size_t instructions = 0;
    for (BasicBlock *block = &first;; block = guards.back().next) {
      if (!guards.empty() && !isOnlyBehind(*block, guards.back()))
        break;
      std::optional<Guard> guard = guardAt(*block);
      if (!guard || (!guards.empty() && !areSame(guard->bounds, guards.front().bounds)))
        break;
      instructions += countInstructions(guard->region) + (guards.empty() ? 0 : block->size());
      if (instructions > largest_copy ||
          !isKnownBefore(guard->branch().getCondition(), *first.getTerminator(), most_steps))
        break;
      guards.push_back(std::move(*guard));
    }
    return guards;
  }

  static bool isOnlyBehind(BasicBlock &block, const Guard &guard) {
    return all_of(predecessors(&block), [&](BasicBlock *before) {
      return before == guard.block || is_contained(guard.region, before);
    });
  }

  // ---- Copy ----

  // Hoists scalar computations between the guards, whose operands are available before, so that
  // both copies share them.
  void hoist(const Run &guards) {
    Instruction *place = guards.front().block->getTerminator();
    for (const Guard &guard : drop_begin(guards))
      for (Instruction &instruction : *guard.block)
        if (!instruction.isTerminator() && code_->shapes.of(&instruction).hasRowBases())
          isKnownBefore(&instruction, *place, 1);
    for (Instruction *instruction : hoisted_)
      instruction->moveBefore(place);
  }

  // Each lane that reaches the first guard executes all of it, so all conditions may be evaluated
  // there.
  static Value *question(IRBuilder<> &builder, const Run &guards) {
    Value *result = nullptr;
    for (const Guard &guard : guards) {
      Value *condition = guard.branch().getCondition();
      if (guard.branch().getSuccessor(1) == guard.inside)
        condition = builder.CreateNot(condition);
      Value *all = callMarker(builder, all_marker, {condition});
      result = result ? builder.CreateLogicalAnd(result, all) : all;
    }
    return result;
  }

  void copy(Run guards) {
    hoist(guards);
    BasicBlock *block = guards.front().block;
    IRBuilder<> builder(block->getTerminator());
    Value *all = question(builder, guards);
    // A separate block for the branch that may diverge.
    BasicBlock *parting = SplitBlock(block, block->getTerminator());
    guards.front().block = parting;
    seen_.insert(parting);
    Blocks region;
    for (const Guard &guard : guards) {
      if (guard.block != parting)
        region.push_back(guard.block);
      region.insert(region.end(), guard.region.begin(), guard.region.end());
    }
    ValueToValueMapTy map;
    copyBlocks(function_, region, map);
    auto *start = cast<BasicBlock>(map[guards.front().inside]);
    start->replacePhiUsesWith(parting, block);
    if (guards.size() > 1)
      for (PHINode &phi : cast<BasicBlock>(map[guards[1].block])->phis())
        phi.removeIncomingValue(parting, /*DeletePHIIfEmpty=*/false);
    block->getTerminator()->eraseFromParent();
    BranchInst::Create(start, parting, all, block)
        ->setDebugLoc(guards.front().branch().getDebugLoc());
    joinValues(guards, region, map);
    straighten(guards, map);
    for (const Guard &guard : guards)
      guard.branch().setMetadata(guarded_element, MDNode::get(function_.getContext(), {}));
  }

  // Values computed between the guards and used after the last one now have two definitions.
  static void joinValues(const Run &guards, const Blocks &region, ValueToValueMapTy &map) {
    const SmallPtrSet<const BasicBlock *, 32> inside(region.begin(), region.end());
    for (const Guard &guard : drop_begin(guards))
      for (Instruction &instruction : *guard.block) {
        SmallVector<Use *> outside;
        for (Use &use : instruction.uses()) {
          const auto *user = cast<Instruction>(use.getUser());
          const auto *phi = dyn_cast<PHINode>(user);
          if (!inside.contains(phi ? phi->getIncomingBlock(use) : user->getParent()))
            outside.push_back(&use);
        }
        if (outside.empty())
          continue;
        SSAUpdater updater;
        updater.Initialize(instruction.getType(), instruction.getName());
        updater.AddAvailableValue(guard.block, &instruction);
        updater.AddAvailableValue(cast<BasicBlock>(map[guard.block]), map[&instruction]);
        for (Use *use : outside)
          updater.RewriteUse(*use);
      }
  }

  // In the copy all lanes execute everything.
  static void straighten(const Run &guards, ValueToValueMapTy &map) {
    SmallVector<BasicBlock *> pieces;
    for (const Guard &guard : guards) {
      auto *inside = cast<BasicBlock>(map[guard.inside]);
      if (&guard != guards.begin()) {
        auto *block = cast<BasicBlock>(map[guard.block]);
        const auto found = map.find(guard.next);
        BasicBlock *skipped_to =
            found == map.end() ? guard.next : cast<BasicBlock>(static_cast<Value *>(found->second));
        skipped_to->removePredecessor(block, /*KeepOneInputPHIs=*/true);
        block->getTerminator()->eraseFromParent();
        BranchInst::Create(inside, block);
        pieces.push_back(block);
      }
      pieces.push_back(inside);
    }
    for (BasicBlock *piece : pieces)
      MergeBlockIntoPredecessor(piece);
  }

  Function &function_;
  const LaneLayout &layout_;
  const bool masks_bytes_;
  const ShapedCode *code_ = nullptr;
  SmallPtrSet<const BasicBlock *, 16> seen_;
  SmallSetVector<Instruction *, 32> hoisted_; // operands before their users
};

} // namespace

void widenGuards(Function &function, const LaneLayout &layout, bool masks_bytes) {
  GuardedElements(function, layout, masks_bytes).run();
}

} // namespace heddle::engine::simd
