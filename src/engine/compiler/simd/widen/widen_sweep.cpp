// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function around a gang's code: for one gang (SimdEntry), or for gang after gang (SimdSweep),
// in which everything uniform across the gangs of a block is computed once, before the loop.
#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/prefix_predicates.h"
#include "engine/compiler/simd/widen/widener.h"

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

void Widener::startFunction() {
  LLVMContext &context = old_.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
  FunctionType *type = options_.sweeps
                           ? FunctionType::get(i32, {pointer, pointer, i32, i32, i32}, false)
                           : old_.getFunctionType();
  new_ = Function::Create(type, old_.getLinkage(), "", old_.getParent());
  new_->addFnAttrs(AttrBuilder(context, old_.getAttributes().getFnAttrs()));
  if (options_.parameter_bytes) { // lets LLVM hoist loads of them out of loops
    new_->addParamAttr(1,
                       Attribute::getWithDereferenceableBytes(context, options_.parameter_bytes));
    new_->addParamAttr(1, Attribute::getWithAlignment(context, Align(alignof(void *))));
  }
  new_->copyMetadata(&old_, 0);
  new_->takeName(&old_);
  BasicBlock *entry = BasicBlock::Create(context, "entry", new_);
  b_.SetInsertPoint(entry);
  const char *sweep_arguments[] = {"gangs", "parameters", "count", "stride", "state"};
  for (unsigned i = 0; options_.sweeps && i < 5; ++i)
    new_->getArg(i)->setName(sweep_arguments[i]);
  if (options_.strips) {
    startStrip();
  } else if (options_.sweeps && lanes_ == 1 && !options_.states) {
    startRows();
  } else if (options_.sweeps) {
    startSweep();
  } else {
    for (unsigned i = 0; i < old_.arg_size(); ++i)
      new_->getArg(i)->takeName(old_.getArg(i));
    gang_ = new_->getArg(0);
    for (unsigned axis = 0; axis < 3; ++axis)
      thread_index_[axis] = new_->getArg(2 + axis);
    active_bits_ = new_->getArg(5);
    state_ = new_->getArg(6);
    first_block_ = BasicBlock::Create(context, "gang", new_);
    b_.CreateBr(first_block_);
  }
  scalars_[old_.getArg(0)] = gang_;
  scalars_[old_.getArg(1)] = new_->getArg(1);
}

// For the gang's first lane.
Value *Widener::firstThreadIndex(unsigned axis) {
  return options_.layout.whole
             ? static_cast<Value *>(b_.getInt32(0))
             : contextField(b_.getInt32Ty(), offsetof(ThreadContext, thread_index) + 4 * axis);
}

void Widener::startSweep() {
  LLVMContext &context = new_->getContext();
  Value *count = new_->getArg(2), *stride = b_.CreateZExt(new_->getArg(3), b_.getInt64Ty());
  state_ = new_->getArg(4);
  active_bits_ = b_.getInt32(~0u);
  outcome_ = temporary(b_.getInt32Ty(), "outcome");
  gang_ = new_->getArg(0);
  block_ = contextField(b_.getPtrTy(), offsetof(ThreadContext, block));
  BasicBlock *entry = b_.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context, "gang", new_);
  first_block_ = BasicBlock::Create(context, "start", new_);
  next_gang_ = BasicBlock::Create(context, "next.gang", new_);
  BasicBlock *end = BasicBlock::Create(context, "swept", new_);
  b_.CreateBr(loop);

  b_.SetInsertPoint(loop);
  PHINode *gang = b_.CreatePHI(b_.getPtrTy(), 2, "gang");
  PHINode *left = b_.CreatePHI(b_.getInt32Ty(), 2, "left");
  PHINode *common = b_.CreatePHI(b_.getInt32Ty(), 2, "common");
  gang_ = gang;
  for (unsigned axis = 0; axis < 3; ++axis)
    thread_index_[axis] = firstThreadIndex(axis);
  b_.CreateStore(b_.getInt32(0), outcome_);
  b_.CreateStore(gang, blockField(offsetof(BlockContext, running)));
  Value *outcome_place =
      b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), gang, offsetof(GangContext, outcome));
  if (options_.states) { // gangs that have ended are skipped
    has_ended_ = b_.CreateIsNull(b_.CreateLoad(b_.getInt32Ty(), outcome_place));
    Value *ended = b_.CreateAnd(b_.CreateIsNotNull(state_), has_ended_);
    b_.CreateCondBr(ended, next_gang_, first_block_);
  } else {
    b_.CreateBr(first_block_);
  }

  b_.SetInsertPoint(next_gang_);
  Value *outcome = b_.CreateLoad(b_.getInt32Ty(), outcome_);
  Value *result = b_.getInt32(0);
  if (options_.states) {
    keep_outcome_ = b_.CreateStore(outcome, outcome_place);
    Value *differs =
        b_.CreateAnd(b_.CreateICmpNE(outcome, common),
                     b_.CreateAnd(b_.CreateIsNotNull(outcome), b_.CreateIsNotNull(common)));
    outcomes_differ_ = differs;
    result = b_.CreateSelect(differs, b_.getInt32(~0u), b_.CreateOr(outcome, common));
  }
  Value *next = b_.CreateGEP(b_.getInt8Ty(), gang, stride);
  Value *rest = b_.CreateSub(left, b_.getInt32(1));
  b_.CreateCondBr(options_.layout.whole ? b_.getTrue() : b_.CreateIsNull(rest), end, loop);
  gang->addIncoming(new_->getArg(0), entry);
  gang->addIncoming(next, next_gang_);
  left->addIncoming(count, entry);
  left->addIncoming(rest, next_gang_);
  common->addIncoming(b_.getInt32(0), entry);
  common->addIncoming(result, next_gang_);
  b_.SetInsertPoint(end);
  b_.CreateRet(result);
  swept_ = end;
}

// Creates the blocks that both kinds of row loop share, and a loop over the rows.
Widener::RowLoop Widener::startRowLoop() {
  LLVMContext &context = new_->getContext();
  RowLoop rows;
  rows.row = BasicBlock::Create(context, "row", new_);
  rows.loop = BasicBlock::Create(context, "gang", new_);
  first_block_ = BasicBlock::Create(context, "start", new_);
  next_gang_ = BasicBlock::Create(context, "next.gang", new_);
  rows.next_row = BasicBlock::Create(context, "next.row", new_);
  rows.swept = BasicBlock::Create(context, "swept", new_);
  gang_ = new_->getArg(0);
  block_ = contextField(b_.getPtrTy(), offsetof(ThreadContext, block));
  rows.stride = b_.CreateZExt(new_->getArg(3), b_.getInt64Ty());
  return rows;
}

// The number of gangs of a row; a single gang is a row.
Value *Widener::gangsOfRow() {
  Value *gangs = b_.CreateLoad(b_.getInt32Ty(), blockField(offsetof(BlockContext, row_gangs)));
  return b_.CreateBinaryIntrinsic(Intrinsic::umin, gangs, new_->getArg(2), nullptr, "in.row");
}

// From the function's entry to the first gang of a row.
void Widener::startRow(RowLoop &rows) {
  b_.CreateBr(rows.row);
  b_.SetInsertPoint(rows.row);
  rows.gang = b_.CreatePHI(b_.getPtrTy(), 2, "row.gang");
  rows.left = b_.CreatePHI(b_.getInt32Ty(), 2, "left");
  gang_ = rows.gang;
}

void Widener::endRowLoop(const RowLoop &rows) {
  BasicBlock *entry = &new_->getEntryBlock();
  b_.SetInsertPoint(rows.next_row);
  Value *next =
      b_.CreateGEP(b_.getInt8Ty(), rows.gang,
                   b_.CreateMul(b_.CreateZExt(rows.length, b_.getInt64Ty()), rows.stride));
  Value *rest = b_.CreateSub(rows.left, rows.length);
  b_.CreateCondBr(b_.CreateIsNull(rest), rows.swept, rows.row);
  rows.gang->addIncoming(new_->getArg(0), entry);
  rows.gang->addIncoming(next, rows.next_row);
  rows.left->addIncoming(new_->getArg(2), entry);
  rows.left->addIncoming(rest, rows.next_row);
  b_.SetInsertPoint(rows.swept);
  b_.CreateRet(b_.getInt32(0));
}

// Runs the gangs of a row in one block after the other; then the next row.
void Widener::startStrip() {
  RowLoop rows = startRowLoop();
  Type *i32 = b_.getInt32Ty();
  Value *zero = b_.getInt32(0), *one = b_.getInt32(1);
  Value *blocks = b_.CreateLoad(i32, blockField(offsetof(BlockContext, strip_blocks)));
  fused_blocks_ = b_.CreateLoad(i32, blockField(offsetof(BlockContext, fused_blocks)), "fused");
  ahead_blocks_ =
      options_.layout.whole
          ? b_.CreateMul(fused_blocks_, b_.getInt32(options_.blocks_ahead), "ahead")
          : b_.CreateLoad(i32, blockField(offsetof(BlockContext, ahead_blocks)), "ahead");
  blocks = b_.CreateMul(blocks, fused_blocks_, "blocks");
  rows.length = gangsOfRow();
  Value *first = b_.CreateLoad(i32, blockField(offsetof(BlockContext, block_index)), "first");

  startRow(rows);
  for (unsigned axis = 1; axis < 3; ++axis)
    thread_index_[axis] = firstThreadIndex(axis);
  b_.CreateBr(rows.loop);

  b_.SetInsertPoint(rows.loop);
  PHINode *gang = b_.CreatePHI(b_.getPtrTy(), 2, "gang");
  PHINode *place = b_.CreatePHI(i32, 2, "place"); // in the row
  PHINode *done = b_.CreatePHI(i32, 2, "done");   // blocks, for this row
  gang_ = gang;
  thread_index_[0] = firstThreadIndex(0);
  block_index_ = b_.CreateAdd(first, done, "block.index", /*HasNUW=*/true, /*HasNSW=*/true);
  b_.CreateStore(gang, blockField(offsetof(BlockContext, running)));
  b_.CreateStore(block_index_, blockField(offsetof(BlockContext, block_index)));
  b_.CreateBr(first_block_);

  b_.SetInsertPoint(next_gang_);
  Value *place1 = b_.CreateAdd(place, one);
  Value *row_ends = b_.CreateICmpEQ(place1, rows.length);
  Value *done1 = b_.CreateAdd(done, b_.CreateSelect(row_ends, fused_blocks_, zero));
  Value *gang1 =
      b_.CreateSelect(row_ends, rows.gang, b_.CreateGEP(b_.getInt8Ty(), gang, rows.stride));
  Value *place2 = b_.CreateSelect(row_ends, zero, place1);
  b_.CreateCondBr(b_.CreateICmpEQ(done1, blocks), rows.next_row, rows.loop);
  gang->addIncoming(rows.gang, rows.row);
  gang->addIncoming(gang1, next_gang_);
  place->addIncoming(zero, rows.row);
  place->addIncoming(place2, next_gang_);
  done->addIncoming(zero, rows.row);
  done->addIncoming(done1, next_gang_);
  endRowLoop(rows);
}

// Scalar code: a loop over each row of the block whose counter is threadIdx.x, so that LLVM can
// reuse what the previous thread has loaded. It ends at the first thread with nothing to do if no
// later thread has work (prefix_predicates.h).
void Widener::startRows() {
  RowLoop rows = startRowLoop();
  rows.length = gangsOfRow();
  startRow(rows);
  for (unsigned axis = 0; axis < 3; ++axis)
    thread_index_[axis] =
        contextField(b_.getInt32Ty(), offsetof(ThreadContext, thread_index) + 4 * axis);
  Value *first = thread_index_[0];
  Value *row_end = b_.CreateAdd(first, rows.length, "row.end", /*HasNUW=*/true, /*HasNSW=*/true);
  b_.CreateBr(rows.loop);

  b_.SetInsertPoint(rows.loop);
  PHINode *gang = b_.CreatePHI(b_.getPtrTy(), 2, "gang");
  PHINode *x = b_.CreatePHI(b_.getInt32Ty(), 2, "x");
  gang_ = gang;
  thread_index_[0] = x;
  b_.CreateStore(gang, blockField(offsetof(BlockContext, running)));
  b_.CreateBr(first_block_);

  b_.SetInsertPoint(next_gang_);
  Value *next = b_.CreateGEP(b_.getInt8Ty(), gang, rows.stride);
  Value *next_x = b_.CreateAdd(x, b_.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  b_.CreateCondBr(b_.CreateICmpEQ(next_x, row_end), rows.next_row, rows.loop);
  gang->addIncoming(rows.gang, rows.row);
  gang->addIncoming(next, next_gang_);
  x->addIncoming(first, rows.row);
  x->addIncoming(next_x, next_gang_);
  endRowLoop(rows);
  swept_ = rows.next_row;
  single_row_ = b_.getTrue(); // the only one that the loop covers
}

Value *Widener::blockField(uint64_t offset) {
  return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block_, offset);
}

// Makes a loop over the gangs for each state, so that the state is not tested for each gang, and
// what is uniform across gangs is computed once.
void Widener::splitByState() {
  if (!options_.states) {
    if (lanes_ == 1)
      rotateRows();
    return;
  }
  BasicBlock &entry = new_->getEntryBlock();
  BasicBlock *generic = entry.getSingleSuccessor();
  std::vector<SetVector<BasicBlock *>> blocks;
  size_t size = 0;
  for (unsigned state = 0; state <= options_.states; ++state) {
    blocks.push_back(blocksOf({generic, next_gang_, swept_}, *state_, state));
    for (const BasicBlock *block : blocks.back())
      size += block->size();
    if (size > largest_split)
      return;
  }
  auto *choice = SwitchInst::Create(state_, generic, options_.states, entry.getTerminator());
  entry.getTerminator()->eraseFromParent();
  std::vector<StateLoop> loops;
  for (unsigned state = 0; state <= options_.states; ++state) {
    ValueToValueMapTy map;
    const auto copies = copyForState(blocks[state], *state_, state, map);
    const auto copy_of = [&](Value *value) {
      return dyn_cast_or_null<Instruction>(map.lookup(value));
    };
    loops.push_back({copies.front(), cast<BasicBlock>(map[next_gang_]),
                     cast<BasicBlock>(map[swept_]), copy_of(outcomes_differ_), copy_of(has_ended_),
                     copy_of(keep_outcome_)});
    if (state == 0)
      choice->setDefaultDest(copies.front());
    else
      choice->addCase(b_.getInt32(state), copies.front());
    foldBranches(copies, data_);
  }
  joinStates(loops);
  removeUnreachableBlocks(*new_);
}

// Mostly all gangs go from one state to the same next one. Then the sweep continues there without
// examining each gang's outcome and without returning to the runtime; only back edges return, as
// the runtime may have to stop. If gangs never diverge, the sweep's result describes all of them.
void Widener::joinStates(ArrayRef<StateLoop> loops) {
  std::vector<Outcomes> outcomes;
  bool gangs_part = false;
  for (const StateLoop &loop : loops) {
    outcomes.push_back(outcomesOf(*loop.head, *loop.next_gang, *outcome_));
    gangs_part |= outcomes.back().differ();
  }
  for (unsigned state = 0; state < loops.size(); ++state) {
    const StateLoop &loop = loops[state];
    if (loop.outcomes_differ && outcomes[state].states.size() <= 1)
      loop.outcomes_differ->replaceAllUsesWith(b_.getFalse());
    if (loop.has_ended && !gangs_part)
      loop.has_ended->replaceAllUsesWith(b_.getFalse());
    if (!gangs_part) {
      const auto &states = outcomes[state].states;
      ConstantInt *outcome =
          states.empty() ? b_.getInt32(0) : const_cast<ConstantInt *>(*states.begin());
      cast<ReturnInst>(loop.swept->getTerminator())->setOperand(0, outcome);
      if (loop.keep_outcome)
        loop.keep_outcome->eraseFromParent();
      foldBranches(loop.head, data_);
      endEarly(loop);
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
      phi.addIncoming(phi.getIncomingValueForBlock(&new_->getEntryBlock()), loop.swept);
    BasicBlock *leave = BasicBlock::Create(new_->getContext(), "leave", new_);
    b_.SetInsertPoint(end);
    Value *goes_on = b_.CreateIsNotNull(new_->getArg(3)); // else more gangs are to come
    if (outcomes[state].ends)
      goes_on = b_.CreateAnd(
          goes_on, b_.CreateICmpEQ(end->getReturnValue(), const_cast<ConstantInt *>(next)));
    b_.CreateCondBr(goes_on, next_head, leave);
    end->moveBefore(*leave, leave->end());
  }
}

// Ends the loop over gangs early where only the first threads of a block have work
// (prefix_predicates.h) and later gangs would only reach the next barrier or the end.
void Widener::endEarly(const StateLoop &loop) {
  const auto does_nothing = [&](const Instruction &instruction) {
    const auto *store = dyn_cast<StoreInst>(&instruction);
    const bool own = store && (store->getPointerOperand() == outcome_ ||
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
          BinaryOperator::CreateOr(isSingleRow(), last->getCondition(), "", last->getIterator()));
      return;
    }
    if (to == loop.next_gang) {
      BasicBlock *none = BasicBlock::Create(new_->getContext(), "none.later", new_);
      BranchInst::Create(loop.swept, otherwise, isSingleRow(), none);
      otherwise->replacePhiUsesWith(block, none);
      branch->setSuccessor(1, none);
      return;
    }
    block = otherwise; // where all later gangs go, too
    parted = true;
  }
}

// Hoists what is uniform across gangs, such as the launch's parameters.
void Widener::moveToEntry(BasicBlock &block) {
  BasicBlock &entry = new_->getEntryBlock();
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
void Widener::rotateRows() {
  BasicBlock *head = first_block_->getSinglePredecessor();
  endEarly({.head = head, .next_gang = next_gang_, .swept = swept_});
  for (BasicBlock &block : *new_)
    ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  DominatorTree dominators(*new_);
  LoopInfo loops(dominators);
  Loop *loop = loops.getLoopFor(head);
  DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
  while (BasicBlock *only = head->getSingleSuccessor())
    if (!MergeBlockIntoPredecessor(only, &updater, &loops))
      return;
  if (!loop->isLoopExiting(head))
    return;
  moveToEntry(*head);
  AssumptionCache assumptions(*new_);
  TargetTransformInfo costs(data_);
  const SimplifyQuery query(data_, nullptr, &dominators, &assumptions);
  simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
  LoopRotation(loop, &loops, &costs, &assumptions, &dominators, nullptr, nullptr, query,
               /*RotationOnly=*/true, largest_head, /*IsUtilMode=*/true);
}

// Whether the block has a single row of threads.
Value *Widener::isSingleRow() {
  if (single_row_)
    return single_row_;
  const IRBuilder<>::InsertPointGuard guard(b_);
  b_.SetInsertPoint(new_->getEntryBlock().getTerminator());
  const auto size = [&](unsigned axis) {
    const uint64_t offset = offsetof(BlockContext, block_dim) + 4 * axis;
    return loadThreadField(b_, block_, b_.getInt32Ty(), offset);
  };
  Value *others = b_.CreateMul(size(1), size(2));
  return single_row_ = b_.CreateICmpEQ(others, b_.getInt32(1), "single.row");
}

void Widener::endGang() {
  if (options_.sweeps)
    b_.CreateBr(next_gang_);
  else
    b_.CreateRetVoid();
}

Function *makeEntry(Function &sweep, const WidenOptions &options) {
  LLVMContext &context = sweep.getContext();
  IRBuilder<> b(context);
  Type *pointer = b.getPtrTy(), *i32 = b.getInt32Ty();
  auto *type = FunctionType::get(b.getVoidTy(), {pointer, pointer, i32, i32, i32, i32, i32}, false);
  Function *entry = Function::Create(type, GlobalValue::InternalLinkage, sweep.getName() + ".one",
                                     sweep.getParent());
  entry->addFnAttrs(AttrBuilder(context, sweep.getAttributes().getFnAttrs()));
  b.SetInsertPoint(BasicBlock::Create(context, "", entry));
  Value *gang = entry->getArg(0), *lanes = entry->getArg(5), *state = entry->getArg(6);
  const auto field = [&](Value *base, uint64_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset);
  };
  for (unsigned axis = 0; axis < 3; ++axis)
    b.CreateStore(entry->getArg(2 + axis),
                  field(gang, offsetof(ThreadContext, thread_index) + 4 * axis));
  b.CreateStore(state, field(gang, offsetof(GangContext, outcome)));
  CallInst *outcome = b.CreateCall(
      &sweep, {gang, entry->getArg(1), b.getInt32(1), b.getInt32(0), state}, "outcome");
  if (!options.states) {
    b.CreateRetVoid();
    return entry;
  }
  BasicBlock *waits = BasicBlock::Create(context, "waits", entry);
  BasicBlock *end = BasicBlock::Create(context, "end", entry);
  b.CreateCondBr(b.CreateIsNull(outcome), end, waits);
  b.SetInsertPoint(waits);
  Value *slot = field(gang, offsetof(GangContext, suspended));
  Value *record = b.CreateLoad(pointer, slot);
  b.CreateStore(lanes, field(record, offsetof(GroupRecord, lanes)));
  b.CreateStore(outcome, field(record, offsetof(GroupRecord, state)));
  b.CreateStore(b.getInt32(uint32_t(Suspension::Barrier)),
                field(record, offsetof(GroupRecord, kind)));
  for (unsigned i = 0; i < 3; ++i)
    b.CreateStore(b.getInt32(0), field(record, offsetof(GroupRecord, operands) + 4 * i));
  b.CreateStore(field(record, options.record_bytes), slot);
  b.CreateBr(end);
  b.SetInsertPoint(end);
  b.CreateRetVoid();
  return entry;
}

} // namespace heddle::engine::simd
