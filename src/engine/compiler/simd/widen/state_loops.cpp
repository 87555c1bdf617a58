// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/state_loops.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/prefix_predicates.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <vector>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {
struct StateLoop { // over the gangs
  BasicBlock *head = nullptr, *next_gang = nullptr, *swept = nullptr;
  Instruction *outcomes_differ = nullptr, *has_ended = nullptr, *keep_outcome = nullptr;
};

constexpr size_t largest_split = 30'000; // instructions
constexpr unsigned largest_head = 100;   // instructions of a loop header that may be copied

// The successor in the given state, if the block branches on the state; else null.
BasicBlock *successorInState(const BasicBlock &block, const Value &state, unsigned number) {
  const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  ConstantInt *asked = nullptr;
  ICmpInst::Predicate predicate = ICmpInst::ICMP_EQ;
  if (!branch || !branch->isConditional() ||
      !match(branch->getCondition(), m_ICmp(predicate, m_Specific(&state), m_ConstantInt(asked))) ||
      predicate != ICmpInst::ICMP_EQ)
    return nullptr;
  return branch->getSuccessor(asked->equalsInt(number) ? 0 : 1);
}

// The blocks of `always`, and those that are reachable from them in the given state.
SetVector<BasicBlock *> blocksOf(ArrayRef<BasicBlock *> always, const Value &state,
                                 unsigned number) {
  SetVector<BasicBlock *> result(always.begin(), always.end());
  for (size_t i = 0; i < result.size(); ++i) {
    BasicBlock *block = result[i];
    if (BasicBlock *way = successorInState(*block, state, number))
      result.insert(way);
    else
      result.insert(succ_begin(block), succ_end(block));
  }
  return result;
}

// Copies the blocks with the state as a constant. Incoming values of the first block stay.
SmallVector<BasicBlock *> copyForState(const SetVector<BasicBlock *> &blocks, Value &state,
                                       unsigned number, ValueToValueMapTy &map) {
  map[&state] = ConstantInt::get(state.getType(), number);
  SmallVector<BasicBlock *> copies;
  for (BasicBlock *block : blocks) {
    BasicBlock *copy =
        CloneBasicBlock(block, map, ".s" + Twine(number), blocks.front()->getParent());
    if (BasicBlock *way = successorInState(*block, state, number)) {
      copy->getTerminator()->eraseFromParent();
      BranchInst::Create(way, copy);
    }
    map[block] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, map);
  for (BasicBlock *copy : drop_begin(copies))
    for (PHINode &phi : copy->phis())
      phi.removeIncomingValueIf(
          [&](unsigned i) { return !is_contained(predecessors(copy), phi.getIncomingBlock(i)); },
          /*DeletePHIIfEmpty=*/false);
  return copies;
}

// Folds branches with constant conditions.
void foldBranches(ArrayRef<BasicBlock *> blocks, const DataLayout &data) {
  for (BasicBlock *block : blocks) {
    for (Instruction &instruction : *block)
      if (Value *simpler = simplifyInstruction(&instruction, data);
          simpler && simpler != &instruction)
        instruction.replaceAllUsesWith(simpler);
    ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
  }
}

// How gangs leave a state.
struct Outcomes {
  SmallPtrSet<const ConstantInt *, 4> states; // where they suspend next
  bool ends = false;                          // some may end

  bool differ() const { return states.size() + ends > 1; }
};

// The values that the code from the loop header `start` to `end` stores to `variable`, which is
// initially 0.
Outcomes outcomesOf(BasicBlock &start, const BasicBlock &end, const AllocaInst &variable) {
  Outcomes result;
  SmallVector<BasicBlock *> work = {&start};
  SmallPtrSet<const BasicBlock *, 32> seen = {&start};
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    const ConstantInt *stored = nullptr;
    for (const Instruction &instruction : *block)
      if (const auto *store = dyn_cast<StoreInst>(&instruction);
          store && store->getPointerOperand() == &variable)
        if (const auto *state = cast<ConstantInt>(store->getValueOperand()); !state->isZero())
          stored = state;
    if (stored) {
      result.states.insert(stored); // only the path to the end follows
      continue;
    }
    for (BasicBlock *next : successors(block)) {
      result.ends |= next == &end && block != &start; // gangs that have ended skip to it
      if (next != &end && seen.insert(next).second)
        work.push_back(next);
    }
  }
  return result;
}

} // namespace

static void joinStates(VectorBuilder &v, ArrayRef<StateLoop> loops);
static void endEarly(VectorBuilder &v, const StateLoop &loop);
static void rotateRows(VectorBuilder &v);
static Value *isSingleRow(VectorBuilder &v);

void splitByState(VectorBuilder &v) {
  if (!v.options.states) {
    if (v.lanes == 1)
      rotateRows(v);
    return;
  }
  if (v.options.keeps_record) // so much code gains less than its copies take to compile
    return;
  BasicBlock &entry = v.function->getEntryBlock();
  BasicBlock *generic = entry.getSingleSuccessor();
  std::vector<SetVector<BasicBlock *>> blocks;
  size_t size = 0;
  for (unsigned state = 0; state <= v.options.states; ++state) {
    blocks.push_back(blocksOf({generic, v.sweep.next_gang, v.sweep.swept}, *v.state, state));
    for (const BasicBlock *block : blocks.back())
      size += block->size();
    if (size > largest_split)
      return;
  }
  auto *choice = SwitchInst::Create(v.state, generic, v.options.states, entry.getTerminator());
  entry.getTerminator()->eraseFromParent();
  std::vector<StateLoop> loops;
  for (unsigned state = 0; state <= v.options.states; ++state) {
    ValueToValueMapTy map;
    const auto copies = copyForState(blocks[state], *v.state, state, map);
    const auto copy_of = [&](Value *value) {
      return dyn_cast_or_null<Instruction>(map.lookup(value));
    };
    loops.push_back({copies.front(), cast<BasicBlock>(map[v.sweep.next_gang]),
                     cast<BasicBlock>(map[v.sweep.swept]), copy_of(v.sweep.outcomes_differ),
                     copy_of(v.sweep.has_ended), copy_of(v.sweep.keep_outcome)});
    if (state == 0)
      choice->setDefaultDest(copies.front());
    else
      choice->addCase(v.b.getInt32(state), copies.front());
    foldBranches(copies, v.data);
  }
  joinStates(v, loops);
  removeUnreachableBlocks(*v.function);
}

// Mostly all gangs go from one state to the same next one. Then the sweep continues there without
// examining each gang's outcome and without returning to the runtime; only back edges return, as
// the runtime may have to stop. If gangs never diverge, the sweep's result describes all of them.
static void joinStates(VectorBuilder &v, ArrayRef<StateLoop> loops) {
  std::vector<Outcomes> outcomes;
  bool gangs_part = false;
  for (const StateLoop &loop : loops) {
    outcomes.push_back(outcomesOf(*loop.head, *loop.next_gang, *v.sweep.outcome));
    gangs_part |= outcomes.back().differ();
  }
  for (unsigned state = 0; state < loops.size(); ++state) {
    const StateLoop &loop = loops[state];
    if (loop.outcomes_differ && outcomes[state].states.size() <= 1)
      loop.outcomes_differ->replaceAllUsesWith(v.b.getFalse());
    if (loop.has_ended && !gangs_part)
      loop.has_ended->replaceAllUsesWith(v.b.getFalse());
    if (!gangs_part) {
      const auto &states = outcomes[state].states;
      ConstantInt *outcome =
          states.empty() ? v.b.getInt32(0) : const_cast<ConstantInt *>(*states.begin());
      cast<ReturnInst>(loop.swept->getTerminator())->setOperand(0, outcome);
      if (loop.keep_outcome)
        loop.keep_outcome->eraseFromParent();
      foldBranches(loop.head, v.data);
      endEarly(v, loop);
    }
    if (outcomes[state].states.size() != 1)
      continue;
    const ConstantInt *next = *outcomes[state].states.begin();
    const uint64_t number = next->getZExtValue();
    if (number <= state)
      continue;
    auto *end = cast<ReturnInst>(loop.swept->getTerminator());
    BasicBlock *next_head = loops[number].head;
    for (PHINode &phi : next_head->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(&v.function->getEntryBlock()), loop.swept);
    BasicBlock *leave = BasicBlock::Create(v.function->getContext(), "leave", v.function);
    v.b.SetInsertPoint(end);
    Value *goes_on = v.b.CreateIsNotNull(v.function->getArg(3)); // else more gangs are to come
    if (outcomes[state].ends)
      goes_on = v.b.CreateAnd(
          goes_on, v.b.CreateICmpEQ(end->getReturnValue(), const_cast<ConstantInt *>(next)));
    v.b.CreateCondBr(goes_on, next_head, leave);
    end->moveBefore(*leave, leave->end());
  }
}

// Ends the loop over gangs early where only the first threads of a block have work
// (prefix_predicates.h) and later gangs would only reach the next barrier or the end.
static void endEarly(VectorBuilder &v, const StateLoop &loop) {
  const auto does_nothing = [&](const Instruction &instruction) {
    const auto *store = dyn_cast<StoreInst>(&instruction);
    const bool own = store && (store->getPointerOperand() == v.sweep.outcome ||
                               store->getValueOperand() == &loop.head->front()); // as running
    return own || instruction.isTerminator() || !instruction.mayHaveSideEffects();
  };
  SmallPtrSet<BasicBlock *, 16> seen;
  bool parted = false; // only gangs without work come here
  for (BasicBlock *block = loop.head; block && block != loop.next_gang;) {
    // After a merge with gangs that have work, conditions no longer concern the first threads only.
    if (!seen.insert(block).second || !all_of(*block, does_nothing) ||
        (parted && !block->hasNPredecessors(1)))
      return;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->hasMetadata(leading_branch)) {
      block = block->getSingleSuccessor();
      continue;
    }
    BasicBlock *otherwise = branch->getSuccessor(1), *to = otherwise;
    while (to != loop.next_gang && all_of(*to, does_nothing) && to->getSingleSuccessor())
      to = to->getSingleSuccessor();
    if (to == loop.next_gang && branch->hasMetadata(first_gang_branch) && !parted) {
      auto *last = cast<BranchInst>(loop.next_gang->getTerminator());
      last->setCondition(
          BinaryOperator::CreateOr(isSingleRow(v), last->getCondition(), "", last->getIterator()));
      return;
    }
    if (to == loop.next_gang) {
      BasicBlock *none = BasicBlock::Create(v.function->getContext(), "none.later", v.function);
      BranchInst::Create(loop.swept, otherwise, isSingleRow(v), none);
      otherwise->replacePhiUsesWith(block, none);
      branch->setSuccessor(1, none);
      return;
    }
    block = otherwise; // where all later gangs go, too
    parted = true;
  }
}

// Hoists what is uniform across gangs, such as the launch's parameters.
static void moveToEntry(VectorBuilder &v, BasicBlock &block) {
  BasicBlock &entry = v.function->getEntryBlock();
  const auto is_known = [&](const Value *value) {
    const auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || instruction->getParent() == &entry;
  };
  for (Instruction &instruction : make_early_inc_range(block)) {
    const bool fixed = instruction.hasMetadata(LLVMContext::MD_invariant_load) ||
                       !instruction.mayReadOrWriteMemory();
    if (fixed && !instruction.isTerminator() && !isa<PHINode>(instruction) &&
        all_of(instruction.operands(), is_known))
      instruction.moveBefore(entry.getTerminator());
  }
}

// Moves the test whether a thread has work to the end of the loop.
static void rotateRows(VectorBuilder &v) {
  BasicBlock *head = v.sweep.first_block->getSinglePredecessor();
  endEarly(v, {.head = head, .next_gang = v.sweep.next_gang, .swept = v.sweep.swept});
  for (BasicBlock &block : *v.function)
    ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  DominatorTree dominators(*v.function);
  LoopInfo loops(dominators);
  Loop *loop = loops.getLoopFor(head);
  DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
  while (BasicBlock *only = head->getSingleSuccessor())
    if (!MergeBlockIntoPredecessor(only, &updater, &loops))
      return;
  if (!loop->isLoopExiting(head))
    return;
  moveToEntry(v, *head);
  AssumptionCache assumptions(*v.function);
  TargetTransformInfo costs(v.data);
  const SimplifyQuery query(v.data, nullptr, &dominators, &assumptions);
  simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
  LoopRotation(loop, &loops, &costs, &assumptions, &dominators, nullptr, nullptr, query,
               /*RotationOnly=*/true, largest_head, /*IsUtilMode=*/true);
}

// Whether the block has a single row of threads.
static Value *isSingleRow(VectorBuilder &v) {
  if (v.sweep.single_row)
    return v.sweep.single_row;
  const IRBuilder<>::InsertPointGuard guard(v.b);
  v.b.SetInsertPoint(v.function->getEntryBlock().getTerminator());
  const auto size = [&](unsigned axis) {
    const uint64_t offset = offsetof(BlockContext, block_dim) + 4 * axis;
    return loadThreadField(v.b, v.block, v.b.getInt32Ty(), offset);
  };
  Value *others = v.b.CreateMul(size(1), size(2));
  return v.sweep.single_row = v.b.CreateICmpEQ(others, v.b.getInt32(1), "single.row");
}

} // namespace heddle::engine::simd
