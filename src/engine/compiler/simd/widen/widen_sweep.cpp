// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/widen_sweep.h"
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

struct RowLoop { // over the rows of a block and their gangs
  BasicBlock *row = nullptr, *loop = nullptr, *next_row = nullptr, *swept = nullptr;
  Value *stride = nullptr, *length = nullptr; // bytes to the next gang; gangs of a row
  PHINode *gang = nullptr, *left = nullptr;   // of a row: the first gang; gangs left
};
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

static void startSweep(VectorBuilder &v);
static void startStrip(VectorBuilder &v);
static void startRowsOfThreads(VectorBuilder &v);
static void joinStates(VectorBuilder &v, ArrayRef<StateLoop> loops);
static void endEarly(VectorBuilder &v, const StateLoop &loop);
static void rotateRows(VectorBuilder &v);
static Value *isSingleRow(VectorBuilder &v);

void startFunction(VectorBuilder &v) {
  LLVMContext &context = v.thread.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
  FunctionType *type = v.options.sweeps
                           ? FunctionType::get(i32, {pointer, pointer, i32, i32, i32}, false)
                           : v.thread.getFunctionType();
  v.function = Function::Create(type, v.thread.getLinkage(), "", v.thread.getParent());
  v.function->addFnAttrs(AttrBuilder(context, v.thread.getAttributes().getFnAttrs()));
  if (v.options.parameter_bytes) { // lets LLVM hoist loads of them out of loops
    v.function->addParamAttr(
        1, Attribute::getWithDereferenceableBytes(context, v.options.parameter_bytes));
    v.function->addParamAttr(1, Attribute::getWithAlignment(context, Align(alignof(void *))));
  }
  v.function->copyMetadata(&v.thread, 0);
  v.function->takeName(&v.thread);
  BasicBlock *entry = BasicBlock::Create(context, "entry", v.function);
  v.b.SetInsertPoint(entry);
  const char *sweep_arguments[] = {"gangs", "parameters", "count", "stride", "state"};
  for (unsigned i = 0; v.options.sweeps && i < 5; ++i)
    v.function->getArg(i)->setName(sweep_arguments[i]);
  if (v.options.strips) {
    startStrip(v);
  } else if (v.options.sweeps && v.lanes == 1 && !v.options.states) {
    startRowsOfThreads(v);
  } else if (v.options.sweeps) {
    startSweep(v);
  } else {
    for (unsigned i = 0; i < v.thread.arg_size(); ++i)
      v.function->getArg(i)->takeName(v.thread.getArg(i));
    v.gang = v.function->getArg(0);
    for (unsigned axis = 0; axis < 3; ++axis)
      v.thread_index[axis] = v.function->getArg(2 + axis);
    v.active_bits = v.function->getArg(5);
    v.state = v.function->getArg(6);
    v.sweep.first_block = BasicBlock::Create(context, "gang", v.function);
    v.b.CreateBr(v.sweep.first_block);
  }
  v.scalars[v.thread.getArg(0)] = v.gang;
  v.scalars[v.thread.getArg(1)] = v.function->getArg(1);
}

// For the gang's first lane.
static Value *firstThreadIndex(VectorBuilder &v, unsigned axis) {
  return v.options.layout.whole
             ? static_cast<Value *>(v.b.getInt32(0))
             : v.contextField(v.b.getInt32Ty(), offsetof(ThreadContext, thread_index) + 4 * axis);
}

static void startSweep(VectorBuilder &v) {
  LLVMContext &context = v.function->getContext();
  Value *count = v.function->getArg(2),
        *stride = v.b.CreateZExt(v.function->getArg(3), v.b.getInt64Ty());
  v.state = v.function->getArg(4);
  v.active_bits = v.b.getInt32(~0u);
  v.sweep.outcome = v.temporary(v.b.getInt32Ty(), "outcome");
  v.gang = v.function->getArg(0);
  v.block = v.contextField(v.b.getPtrTy(), offsetof(ThreadContext, block));
  BasicBlock *entry = v.b.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context, "gang", v.function);
  v.sweep.first_block = BasicBlock::Create(context, "start", v.function);
  v.sweep.next_gang = BasicBlock::Create(context, "next.gang", v.function);
  BasicBlock *end = BasicBlock::Create(context, "swept", v.function);
  v.b.CreateBr(loop);

  v.b.SetInsertPoint(loop);
  PHINode *gang = v.b.CreatePHI(v.b.getPtrTy(), 2, "gang");
  PHINode *left = v.b.CreatePHI(v.b.getInt32Ty(), 2, "left");
  PHINode *common = v.b.CreatePHI(v.b.getInt32Ty(), 2, "common");
  v.gang = gang;
  for (unsigned axis = 0; axis < 3; ++axis)
    v.thread_index[axis] = firstThreadIndex(v, axis);
  v.b.CreateStore(v.b.getInt32(0), v.sweep.outcome);
  v.b.CreateStore(gang, v.blockField(offsetof(BlockContext, running)));
  Value *outcome_place =
      v.b.CreateConstInBoundsGEP1_64(v.b.getInt8Ty(), gang, offsetof(GangContext, outcome));
  if (v.options.states) { // gangs that have ended are skipped
    v.sweep.has_ended = v.b.CreateIsNull(v.b.CreateLoad(v.b.getInt32Ty(), outcome_place));
    Value *ended = v.b.CreateAnd(v.b.CreateIsNotNull(v.state), v.sweep.has_ended);
    v.b.CreateCondBr(ended, v.sweep.next_gang, v.sweep.first_block);
  } else {
    v.b.CreateBr(v.sweep.first_block);
  }

  v.b.SetInsertPoint(v.sweep.next_gang);
  Value *outcome = v.b.CreateLoad(v.b.getInt32Ty(), v.sweep.outcome);
  Value *result = v.b.getInt32(0);
  if (v.options.states) {
    v.sweep.keep_outcome = v.b.CreateStore(outcome, outcome_place);
    Value *differs =
        v.b.CreateAnd(v.b.CreateICmpNE(outcome, common),
                      v.b.CreateAnd(v.b.CreateIsNotNull(outcome), v.b.CreateIsNotNull(common)));
    v.sweep.outcomes_differ = differs;
    result = v.b.CreateSelect(differs, v.b.getInt32(~0u), v.b.CreateOr(outcome, common));
  }
  Value *next = v.b.CreateGEP(v.b.getInt8Ty(), gang, stride);
  Value *rest = v.b.CreateSub(left, v.b.getInt32(1));
  v.b.CreateCondBr(v.options.layout.whole ? v.b.getTrue() : v.b.CreateIsNull(rest), end, loop);
  gang->addIncoming(v.function->getArg(0), entry);
  gang->addIncoming(next, v.sweep.next_gang);
  left->addIncoming(count, entry);
  left->addIncoming(rest, v.sweep.next_gang);
  common->addIncoming(v.b.getInt32(0), entry);
  common->addIncoming(result, v.sweep.next_gang);
  v.b.SetInsertPoint(end);
  v.b.CreateRet(result);
  v.sweep.swept = end;
}

// Creates the blocks that both kinds of row loop share, and a loop over the rows.
static RowLoop startRowLoop(VectorBuilder &v) {
  LLVMContext &context = v.function->getContext();
  RowLoop rows;
  rows.row = BasicBlock::Create(context, "row", v.function);
  rows.loop = BasicBlock::Create(context, "gang", v.function);
  v.sweep.first_block = BasicBlock::Create(context, "start", v.function);
  v.sweep.next_gang = BasicBlock::Create(context, "next.gang", v.function);
  rows.next_row = BasicBlock::Create(context, "next.row", v.function);
  rows.swept = BasicBlock::Create(context, "swept", v.function);
  v.gang = v.function->getArg(0);
  v.block = v.contextField(v.b.getPtrTy(), offsetof(ThreadContext, block));
  rows.stride = v.b.CreateZExt(v.function->getArg(3), v.b.getInt64Ty());
  return rows;
}

// The number of gangs of a row; a single gang is a row.
static Value *gangsOfRow(VectorBuilder &v) {
  Value *gangs = v.b.CreateLoad(v.b.getInt32Ty(), v.blockField(offsetof(BlockContext, row_gangs)));
  return v.b.CreateBinaryIntrinsic(Intrinsic::umin, gangs, v.function->getArg(2), nullptr,
                                   "in.row");
}

// From the function's entry to the first gang of a row.
static void startRow(VectorBuilder &v, RowLoop &rows) {
  v.b.CreateBr(rows.row);
  v.b.SetInsertPoint(rows.row);
  rows.gang = v.b.CreatePHI(v.b.getPtrTy(), 2, "row.gang");
  rows.left = v.b.CreatePHI(v.b.getInt32Ty(), 2, "left");
  v.gang = rows.gang;
}

static void endRowLoop(VectorBuilder &v, const RowLoop &rows) {
  BasicBlock *entry = &v.function->getEntryBlock();
  v.b.SetInsertPoint(rows.next_row);
  Value *next =
      v.b.CreateGEP(v.b.getInt8Ty(), rows.gang,
                    v.b.CreateMul(v.b.CreateZExt(rows.length, v.b.getInt64Ty()), rows.stride));
  Value *rest = v.b.CreateSub(rows.left, rows.length);
  v.b.CreateCondBr(v.b.CreateIsNull(rest), rows.swept, rows.row);
  rows.gang->addIncoming(v.function->getArg(0), entry);
  rows.gang->addIncoming(next, rows.next_row);
  rows.left->addIncoming(v.function->getArg(2), entry);
  rows.left->addIncoming(rest, rows.next_row);
  v.b.SetInsertPoint(rows.swept);
  v.b.CreateRet(v.b.getInt32(0));
}

// Runs the gangs of a row in one block after the other; then the next row.
static void startStrip(VectorBuilder &v) {
  RowLoop rows = startRowLoop(v);
  Type *i32 = v.b.getInt32Ty();
  Value *zero = v.b.getInt32(0), *one = v.b.getInt32(1);
  Value *blocks = v.b.CreateLoad(i32, v.blockField(offsetof(BlockContext, strip_blocks)));
  v.fused_blocks = v.b.CreateLoad(i32, v.blockField(offsetof(BlockContext, fused_blocks)), "fused");
  v.ahead_blocks =
      v.options.layout.whole
          ? v.b.CreateMul(v.fused_blocks, v.b.getInt32(v.options.blocks_ahead), "ahead")
          : v.b.CreateLoad(i32, v.blockField(offsetof(BlockContext, ahead_blocks)), "ahead");
  blocks = v.b.CreateMul(blocks, v.fused_blocks, "blocks");
  rows.length = gangsOfRow(v);
  Value *first = v.b.CreateLoad(i32, v.blockField(offsetof(BlockContext, block_index)), "first");

  startRow(v, rows);
  for (unsigned axis = 1; axis < 3; ++axis)
    v.thread_index[axis] = firstThreadIndex(v, axis);
  v.b.CreateBr(rows.loop);

  v.b.SetInsertPoint(rows.loop);
  PHINode *gang = v.b.CreatePHI(v.b.getPtrTy(), 2, "gang");
  PHINode *place = v.b.CreatePHI(i32, 2, "place"); // in the row
  PHINode *done = v.b.CreatePHI(i32, 2, "done");   // blocks, for this row
  v.gang = gang;
  v.thread_index[0] = firstThreadIndex(v, 0);
  v.block_index = v.b.CreateAdd(first, done, "block.index", /*HasNUW=*/true, /*HasNSW=*/true);
  v.b.CreateStore(gang, v.blockField(offsetof(BlockContext, running)));
  v.b.CreateStore(v.block_index, v.blockField(offsetof(BlockContext, block_index)));
  v.b.CreateBr(v.sweep.first_block);

  v.b.SetInsertPoint(v.sweep.next_gang);
  Value *place1 = v.b.CreateAdd(place, one);
  Value *row_ends = v.b.CreateICmpEQ(place1, rows.length);
  Value *done1 = v.b.CreateAdd(done, v.b.CreateSelect(row_ends, v.fused_blocks, zero));
  Value *gang1 =
      v.b.CreateSelect(row_ends, rows.gang, v.b.CreateGEP(v.b.getInt8Ty(), gang, rows.stride));
  Value *place2 = v.b.CreateSelect(row_ends, zero, place1);
  v.b.CreateCondBr(v.b.CreateICmpEQ(done1, blocks), rows.next_row, rows.loop);
  gang->addIncoming(rows.gang, rows.row);
  gang->addIncoming(gang1, v.sweep.next_gang);
  place->addIncoming(zero, rows.row);
  place->addIncoming(place2, v.sweep.next_gang);
  done->addIncoming(zero, rows.row);
  done->addIncoming(done1, v.sweep.next_gang);
  endRowLoop(v, rows);
}

// Scalar code: a loop over each row of the block whose counter is threadIdx.x, so that LLVM can
// reuse what the previous thread has loaded. It ends at the first thread with nothing to do if no
// later thread has work (prefix_predicates.h).
static void startRowsOfThreads(VectorBuilder &v) {
  RowLoop rows = startRowLoop(v);
  rows.length = gangsOfRow(v);
  startRow(v, rows);
  for (unsigned axis = 0; axis < 3; ++axis)
    v.thread_index[axis] =
        v.contextField(v.b.getInt32Ty(), offsetof(ThreadContext, thread_index) + 4 * axis);
  Value *first = v.thread_index[0];
  Value *row_end = v.b.CreateAdd(first, rows.length, "row.end", /*HasNUW=*/true, /*HasNSW=*/true);
  v.b.CreateBr(rows.loop);

  v.b.SetInsertPoint(rows.loop);
  PHINode *gang = v.b.CreatePHI(v.b.getPtrTy(), 2, "gang");
  PHINode *x = v.b.CreatePHI(v.b.getInt32Ty(), 2, "x");
  v.gang = gang;
  v.thread_index[0] = x;
  v.b.CreateStore(gang, v.blockField(offsetof(BlockContext, running)));
  v.b.CreateBr(v.sweep.first_block);

  v.b.SetInsertPoint(v.sweep.next_gang);
  Value *next = v.b.CreateGEP(v.b.getInt8Ty(), gang, rows.stride);
  Value *next_x = v.b.CreateAdd(x, v.b.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  v.b.CreateCondBr(v.b.CreateICmpEQ(next_x, row_end), rows.next_row, rows.loop);
  gang->addIncoming(rows.gang, rows.row);
  gang->addIncoming(next, v.sweep.next_gang);
  x->addIncoming(first, rows.row);
  x->addIncoming(next_x, v.sweep.next_gang);
  endRowLoop(v, rows);
  v.sweep.swept = rows.next_row;
  v.sweep.single_row = v.b.getTrue(); // the only one that the loop covers
}

void splitByState(VectorBuilder &v) {
  if (!v.options.states) {
    if (v.lanes == 1)
      rotateRows(v);
    return;
  }
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

void endGang(VectorBuilder &v) {
  if (v.options.sweeps)
    v.b.CreateBr(v.sweep.next_gang);
  else
    v.b.CreateRetVoid();
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
