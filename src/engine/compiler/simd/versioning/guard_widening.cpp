// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/versioning/guard_widening.h"

#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/analysis/predication_safety.h"
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/versioning/region_versioning.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <algorithm>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

constexpr CodeBudget code_budget{.largest = 600, .copies = 4};
constexpr unsigned most_steps = 12;

// The bounds that indices are compared with, and the predicates.
using Bounds = SmallVector<std::pair<CmpInst::Predicate, Value *>, 2>;

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
    versionRegions(function_, layout_, code_budget,
                   [&](const ShapedCode &code) { return copyOne(code); });
  }

private:
  bool copyOne(const ShapedCode &code) {
    code_ = &code;
    for (BasicBlock &block : function_) {
      if (code.shapes.isDivergent(&block) || !seen_.insert(&block).second)
        continue;
      Hoister hoister(*block.getTerminator(), code.dominators, code_budget.largest);
      const Run guards = runFrom(block, hoister);
      for (const Guard &guard : guards)
        seen_.insert(guard.block);
      const auto costs = [&](const Guard &guard) {
        return touchesMemory(guard.region) &&
               !isSafeUnderEmptyMask(*guard.inside, code, masks_bytes_);
      };
      if (count_if(guards, costs) < 2)
        continue;
      copy(guards, hoister);
      return true;
    }
    return false;
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

  Run runFrom(BasicBlock &first, Hoister &hoister) {
    Run guards;
    size_t instructions = 0;
    for (BasicBlock *block = &first;; block = guards.back().next) {
      if (!guards.empty() && !isOnlyBehind(*block, guards.back()))
        break;
      std::optional<Guard> guard = guardAt(*block);
      if (!guard || (!guards.empty() && !areSame(guard->bounds, guards.front().bounds)))
        break;
      instructions += countInstructions(guard->region) + (guards.empty() ? 0 : block->size());
      if (instructions > code_budget.largest ||
          !hoister.canHoist(guard->branch().getCondition(), most_steps))
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

  // Hoists the conditions, and scalar computations between the guards whose operands are available
  // before, so that both copies share them.
  void hoist(const Run &guards, Hoister &hoister) {
    for (const Guard &guard : drop_begin(guards))
      for (Instruction &instruction : *guard.block)
        if (!instruction.isTerminator() && code_->shapes.of(&instruction).hasRowBases())
          hoister.canHoist(&instruction, 1);
    hoister.hoist();
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

  void copy(Run guards, Hoister &hoister) {
    hoist(guards, hoister);
    BasicBlock *block = guards.front().block;
    IRBuilder<> builder(block->getTerminator());
    Value *all = question(builder, guards);
    guards.front().block = SplitBlock(block, block->getTerminator());
    seen_.insert(guards.front().block);
    Blocks region;
    for (const Guard &guard : guards) {
      region.push_back(guard.block);
      region.insert(region.end(), guard.region.begin(), guard.region.end());
    }
    RegionCopy copy(region);
    for (const Guard &guard : guards) {
      copy.assume(*guard.branch().getCondition(),
                  builder.getInt1(guard.branch().getSuccessor(0) == guard.inside));
      guard.branch().setMetadata(guarded_element, MDNode::get(function_.getContext(), {}));
    }
    copy.enterIf(all, *block);
  }

  Function &function_;
  const LaneLayout &layout_;
  const bool masks_bytes_;
  const ShapedCode *code_ = nullptr;
  SmallPtrSet<const BasicBlock *, 16> seen_;
};

} // namespace

void widenGuards(Function &function, const LaneLayout &layout, bool masks_bytes) {
  GuardedElements(function, layout, masks_bytes).run();
}

} // namespace heddle::engine::simd
