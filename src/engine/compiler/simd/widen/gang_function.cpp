// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/gang_function.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

struct RowLoop { // over the rows of a block and their gangs
  BasicBlock *row = nullptr, *loop = nullptr, *next_row = nullptr, *swept = nullptr;
  Value *stride = nullptr, *length = nullptr; // bytes to the next gang; gangs of a row
  PHINode *gang = nullptr, *left = nullptr;   // of a row: the first gang; gangs left
};
} // namespace

static void startSweep(VectorBuilder &v);
static void startStrip(VectorBuilder &v);
static void startRowsOfThreads(VectorBuilder &v);

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

void endGang(VectorBuilder &v) {
  if (v.options.sweeps)
    v.b.CreateBr(v.sweep.next_gang);
  else
    v.b.CreateRetVoid();
}

// The group's record becomes the one that it will wait in next, as in a sweep.
static void moveRecord(IRBuilder<> &b, Value *gang, Value *state, const WidenOptions &options) {
  const auto field = [&](uint64_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), gang, offset);
  };
  Value *resumed = field(offsetof(GangContext, resumed));
  Value *next = b.CreateLoad(b.getPtrTy(), field(offsetof(GangContext, suspended)));
  Value *bytes = b.CreateSelect(b.CreateIsNull(state), b.getInt64(0), // nothing is resumed
                                b.getInt64(options.record_bytes));
  b.CreateMemCpy(next, Align(8), b.CreateLoad(b.getPtrTy(), resumed), Align(8), bytes);
  b.CreateStore(next, resumed);
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
  if (options.keeps_record)
    moveRecord(b, gang, state, options);
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
