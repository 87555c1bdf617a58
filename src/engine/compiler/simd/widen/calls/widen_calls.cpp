// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/calls/widen_calls.h"
#include "engine/abi_extensions.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/observe/site.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/simd/widen/calls/widen_copies.h"
#include "engine/compiler/simd/widen/calls/widen_counts.h"
#include "engine/compiler/simd/widen/calls/widen_warp.h"
#include "engine/compiler/simd/widen/lane_values.h"
#include "engine/compiler/simd/widen/mask_reduction.h"
#include "engine/compiler/simd/widen/memory/widen_prefetch.h"
#include "engine/compiler/simd/widen/tiled_values.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {

static Value *vectorIntrinsic(VectorBuilder &v, CallBase &old);
static Value *threadIndex(VectorBuilder &v, unsigned axis);
static Value *widenMarker(VectorBuilder &v, CallBase &old, StringRef name);
static Value *observeAccess(VectorBuilder &v, CallBase &old);
static AllocaInst *observedPlace(VectorBuilder &v, unsigned number, Type *type);
static Value *addressRows(VectorBuilder &v, Value *address, Value *bytes);
static Value *togetherByMask(VectorBuilder &v, Value *named, Value *ended);
static Value *suspend(VectorBuilder &v, CallBase &old);
static Value *laneContext(VectorBuilder &v, Value *lane);
static Value *callLanes(VectorBuilder &v, CallBase &old);

Value *widenCall(VectorBuilder &v, CallBase &old) {
  StringRef name = calledName(old);
  if (name.starts_with("heddle."))
    return widenMarker(v, old, name);
  if (matrixForm(name))
    return widenWarpOperation(v, old, name);
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.")) {
    if (v.shape(&old).isTiledAffine()) {
      keepRows(v, old);
      return nullptr;
    }
    if (name == "tid.x" || name == "tid.y" || name == "tid.z")
      return threadIndex(v, unsigned(name.back() - 'x'));
    if (name == "ctaid.x" && v.block_index)
      return v.block_index;
    if (name == "laneid" && v.lanes == 32) // a warp
      return v.b.getInt32(0);
    if (name == "laneid")
      return v.b.CreateAnd(v.linearIndex(), v.b.getInt32(31));
    if (name == "warpid")
      return v.b.CreateLShr(v.linearIndex(), v.b.getInt32(5));
  } else if (name.starts_with("llvm.nvvm.") && !name.starts_with("llvm.nvvm.membar")) {
    return widenWarpOperation(v, old, name);
  }
  if (isa<AssumeInst>(old) || name == "llvm.experimental.noalias.scope.decl")
    return nullptr;
  if (!calledName(old).empty() && v.shape(&old).isUniform()) {
    v.keepScalar(old);
    return nullptr;
  }
  if (isa<MemIntrinsic>(old) &&
      all_of(old.args(), [&](const Use &argument) { return v.shape(argument).isUniform(); })) {
    v.keepScalar(old); // the same bytes to the same place
    return nullptr;
  }
  if (isCopyOfLanes(old)) {
    widenCopyOfLanes(v, old);
    return nullptr;
  }
  if (v.shape(&old).isTiledAffine()) {
    keepRows(v, old);
    return nullptr;
  }
  if (!old.mayHaveSideEffects() && isTriviallyVectorizable(old.getIntrinsicID()))
    return vectorIntrinsic(v, old);
  return callLanes(v, old);
}

static Value *vectorIntrinsic(VectorBuilder &v, CallBase &old) {
  const Intrinsic::ID id = old.getIntrinsicID();
  SmallVector<Value *> arguments;
  SmallVector<Type *> types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1))
    types.push_back(v.wide(old.getType()));
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    Value *argument = old.getArgOperand(i);
    const bool scalar = isVectorIntrinsicWithScalarOpAtArg(id, i);
    arguments.push_back(scalar ? v.scalarOf(argument) : v.vectorOf(argument));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(i)))
      types.push_back(arguments.back()->getType());
  }
  CallInst *made = v.b.CreateIntrinsic(id, types, arguments);
  if (isa<FPMathOperator>(old))
    made->copyIRFlags(&old);
  return made;
}

static Value *threadIndex(VectorBuilder &v, unsigned axis) {
  Value *first = v.thread_index[axis];
  const LaneLayout &layout = v.options.layout;
  if (layout.kind == LaneLayout::Kind::Row || (layout.kind == LaneLayout::Kind::Tiled && axis == 2))
    return first;
  if (layout.kind == LaneLayout::Kind::Tiled) {
    SmallVector<Constant *> offsets;
    for (unsigned lane = 0; lane < v.lanes; ++lane)
      offsets.push_back(v.b.getInt32(axis == 0 ? lane % layout.row : lane / layout.row));
    return v.b.CreateAdd(v.b.CreateVectorSplat(v.lanes, first), ConstantVector::get(offsets));
  }
  const auto addresses = [&](unsigned lane) {
    return v.b.CreateConstGEP1_64(v.b.getInt8Ty(), laneContext(v, v.b.getInt32(lane)),
                                  offsetof(ThreadContext, thread_index) + 4 * axis);
  };
  Value *result = PoisonValue::get(v.wide(v.b.getInt32Ty()));
  for (unsigned lane = 0; lane < v.lanes; ++lane)
    result =
        v.b.CreateInsertElement(result, v.b.CreateLoad(v.b.getInt32Ty(), addresses(lane)), lane);
  return result;
}

static Value *widenMarker(VectorBuilder &v, CallBase &old, StringRef name) {
  if (name == mask_marker) {
    auto *constant = dyn_cast<ConstantInt>(old.getArgOperand(0));
    if (constant && constant->isOne())
      return nullptr;
    v.mask.set(v.vectorOf(old.getArgOperand(0)));
    return nullptr;
  }
  if (name == in_range_marker)
    return inRange(v, old.getArgOperand(0), v.scalarOf(old.getArgOperand(1)));
  if (name == prefetch_marker) {
    prefetchNext(v, old.getArgOperand(0), cast<ConstantInt>(old.getArgOperand(1))->getSExtValue());
    return nullptr;
  }
  if (name == any_marker || name == all_marker)
    return reduceMask(v, old.getArgOperand(0),
                      name == any_marker ? Quantifier::Any : Quantifier::All);
  if (name == first_marker) {
    if (v.shape(old.getArgOperand(0)).isUniform())
      return v.scalarOf(old.getArgOperand(0));
    return v.b.CreateExtractElement(v.vectorOf(old.getArgOperand(0)), v.mask.firstLane());
  }
  if (name == observe_marker)
    return observeAccess(v, old);
  if (name == observe_fetch_marker) {
    widenFetch(v, old, offsetof(ExtendedRuntimeTable, observe_fetch));
    return nullptr;
  }
  if (name == within_marker)
    return within(v, old);
  if (name.starts_with(count_prefix)) {
    widenCount(v, old, name);
    return nullptr;
  }
  if (name == lane_marker)
    return v.b.getInt32(0);
  if (name == state_marker)
    return v.state;
  if (name == active_marker) {
    Value *bits = v.b.CreateTrunc(v.active_bits, v.b.getIntNTy(v.lanes));
    return v.b.CreateBitCast(bits, v.wide(v.b.getInt1Ty()), "active");
  }
  if (name == frame_marker)
    return v.contextField(v.b.getPtrTy(), offsetof(GangContext, frame));
  if (name == request_marker)
    return v.contextField(v.b.getPtrTy(), offsetof(GangContext, requests));
  if (name == resumed_marker)
    return v.b.CreateConstInBoundsGEP1_64(
        v.b.getInt8Ty(), v.contextField(v.b.getPtrTy(), offsetof(GangContext, resumed)),
        sizeof(GroupRecord));
  if (name == suspend_marker)
    return suspend(v, old);
  if (name == together_marker) {
    Value *ended = v.contextField(v.b.getInt32Ty(), offsetof(GangContext, ended));
    Value *elsewhere = v.b.CreateNot(v.b.CreateOr(ended, v.mask.laneBits()));
    Value *named = old.getArgOperand(0);
    if (v.shape(named).isUniform())
      return v.b.CreateIsNull(v.b.CreateAnd(v.scalarOf(named), elsewhere));
    return togetherByMask(v, v.vectorOf(named), ended);
  }
  throw InternalError("unknown marker " + name.str());
}

// One call for all active lanes, with their addresses, or with those of each row's first lane.
static Value *observeAccess(VectorBuilder &v, CallBase &old) {
  if (v.lanes != 32)
    throw Unsupported("observed gangs are warps");
  if (!v.shape(old.getArgOperand(3)).isUniform())
    throw Unsupported("an observed access's variable differs between threads");
  const auto inMemory = [&](unsigned i) {
    AllocaInst *memory = observedPlace(v, i, v.wide(v.b.getInt64Ty()));
    v.b.CreateStore(v.vectorOf(old.getArgOperand(i)), memory);
    return memory;
  };
  Value *here = v.mask.laneBits(), *site = v.scalarOf(old.getArgOperand(0));
  Value *base = v.scalarOf(old.getArgOperand(3)),
        *values = ConstantPointerNull::get(v.b.getPtrTy());
  if (!isa<UndefValue>(old.getArgOperand(4)))
    values = inMemory(4);
  const auto tell = [&](size_t service, ArrayRef<Value *> arguments) {
    return callRuntime(v.b, v.gang, service, v.b.getInt32Ty(), arguments);
  };
  Value *allowed;
  if (v.shape(old.getArgOperand(1)).hasRowBases() && v.shape(old.getArgOperand(2)).isUniform())
    allowed = tell(
        offsetof(ExtendedRuntimeTable, observe_rows),
        {site, here, addressRows(v, old.getArgOperand(1), old.getArgOperand(2)), base, values});
  else
    allowed = tell(offsetof(ExtendedRuntimeTable, observe_warp),
                   {site, here, inMemory(1), inMemory(2), base, values});
  if (v.shape(&old).isUniform())
    return v.b.CreateICmpEQ(allowed, here);
  return v.b.CreateBitCast(allowed, v.wide(v.b.getInt1Ty()));
}

// What a call is told is read before the next one, so that all share the places.
static AllocaInst *observedPlace(VectorBuilder &v, unsigned number, Type *type) {
  AllocaInst *&place = v.emitters.observed_places[number];
  if (!place)
    place = v.temporary(type, "observed");
  return place;
}

// An observe::AddressRows.
static Value *addressRows(VectorBuilder &v, Value *address, Value *bytes) {
  const Shape form = v.shape(address);
  const Rows firsts = form.isTiledAffine() ? v.rowsOf(address) : Rows{v.scalarOf(address)};
  Value *list = observedPlace(v, 0, v.wide(v.b.getInt64Ty()));
  for (unsigned i = 0; i < firsts.size(); ++i)
    v.b.CreateStore(firsts[i], v.b.CreateConstInBoundsGEP1_64(v.b.getInt64Ty(), list, i));
  static_assert(sizeof(observe::AddressRows) == 4 * sizeof(uint64_t));
  Value *rows = observedPlace(v, 3, ArrayType::get(v.b.getInt64Ty(), 4));
  const auto set = [&](size_t offset, Value *field) {
    v.b.CreateStore(field, v.b.CreateConstInBoundsGEP1_64(v.b.getInt8Ty(), rows, offset));
  };
  set(offsetof(observe::AddressRows, firsts), list);
  set(offsetof(observe::AddressRows, bytes), v.scalarOf(bytes));
  set(offsetof(observe::AddressRows, stride), v.b.getInt64(uint64_t(form.stride)));
  set(offsetof(observe::AddressRows, length),
      v.b.getInt32(form.isTiledAffine() ? v.rowLength() : v.lanes));
  return rows;
}

Value *within(VectorBuilder &v, CallBase &old) {
  const Shape address = v.shape(old.getArgOperand(0));
  const uint64_t alignment = cast<ConstantInt>(old.getArgOperand(4))->getZExtValue();
  const bool known_aligned = (uint64_t(1) << std::min<unsigned>(address.zeros, 63)) >= alignment;
  // In loops that lanes leave at different times, even what was loaded from one place may differ.
  const bool one_extent =
      v.shape(old.getArgOperand(2)).isUniform() && v.shape(old.getArgOperand(3)).isUniform();
  if (!one_extent || !address.hasRowBases() || uint64_t(address.stride) % alignment != 0) {
    const auto argument = [&](unsigned i) { return v.vectorOf(old.getArgOperand(i)); };
    Value *all = argument(0);
    Value *outside = v.b.CreateOr(v.b.CreateICmpULT(all, argument(2)),
                                  v.b.CreateICmpUGT(all, v.b.CreateSub(argument(3), argument(1))));
    if (alignment > 1) {
      Value *odd_bits = ConstantInt::get(all->getType(), alignment - 1);
      outside = v.b.CreateOr(outside, v.b.CreateIsNotNull(v.b.CreateAnd(all, odd_bits)));
    }
    return v.b.CreateIsNull(v.mask.bitsOf(v.mask.onlyHere(outside)), "within");
  }
  const auto argument = [&](unsigned i) { return v.scalarOf(old.getArgOperand(i)); };
  Value *begin = argument(2), *last = v.b.CreateSub(argument(3), argument(1));
  Value *odd_bits = v.b.getInt64(alignment - 1);
  Value *answer = v.b.getTrue();
  const bool rows = address.isTiledAffine();
  const int64_t growth = address.stride * int64_t((rows ? v.rowLength() : v.lanes) - 1);
  for (Value *first : rows ? v.rowsOf(old.getArgOperand(0)) : Rows{argument(0)}) {
    Value *other = growth ? v.b.CreateAdd(first, v.b.getInt64(uint64_t(growth))) : first;
    answer = v.b.CreateAnd(answer, v.b.CreateICmpUGE(growth < 0 ? other : first, begin));
    answer = v.b.CreateAnd(answer, v.b.CreateICmpULE(growth < 0 ? first : other, last));
    if (!known_aligned)
      answer = v.b.CreateAnd(answer, v.b.CreateIsNull(v.b.CreateAnd(first, odd_bits)));
  }
  return answer;
}

// If lanes pass different masks, all lanes of a mask must be here and pass that mask: lanes may be
// in different iterations of a loop, and some wait for an operation that others have done earlier.
static Value *togetherByMask(VectorBuilder &v, Value *named, Value *ended) {
  LLVMContext &context = v.function->getContext();
  Value *here = v.mask.laneBits();
  BasicBlock *before = v.b.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context, "mask", v.function);
  BasicBlock *end = BasicBlock::Create(context, "masks.end", v.function);
  v.b.CreateBr(loop);
  v.b.SetInsertPoint(loop);
  PHINode *rest = v.b.CreatePHI(v.b.getInt32Ty(), 2, "rest");
  PHINode *together = v.b.CreatePHI(v.b.getInt32Ty(), 2, "together");
  Value *mask = v.b.CreateExtractElement(named, v.mask.firstOf(rest));
  Value *alike = v.b.CreateAnd(
      v.mask.bitsOf(v.b.CreateICmpEQ(named, v.b.CreateVectorSplat(v.lanes, mask))), here);
  Value *missing = v.b.CreateAnd(mask, v.b.CreateNot(v.b.CreateOr(ended, alike)));
  Value *found =
      v.b.CreateOr(together, v.b.CreateSelect(v.b.CreateIsNull(missing), alike, v.b.getInt32(0)));
  Value *others = v.b.CreateAnd(rest, v.b.CreateNot(alike));
  rest->addIncoming(here, before);
  rest->addIncoming(others, loop);
  together->addIncoming(v.b.getInt32(0), before);
  together->addIncoming(found, loop);
  v.b.CreateCondBr(v.b.CreateIsNull(others), end, loop);
  v.b.SetInsertPoint(end);
  return v.b.CreateBitCast(v.b.CreateTrunc(found, v.b.getIntNTy(v.lanes)), v.wide(v.b.getInt1Ty()));
}

// Writes a GroupRecord.
static Value *suspend(VectorBuilder &v, CallBase &old) {
  const auto field = [&](Value *record, uint64_t offset) {
    return v.b.CreateConstInBoundsGEP1_64(v.b.getInt8Ty(), record, offset);
  };
  Value *slot = field(v.gang, offsetof(GangContext, suspended));
  Value *record = v.b.CreateLoad(v.b.getPtrTy(), slot, "record");
  if (v.options.sweeps) { // a plain barrier: the state suffices
    v.b.CreateStore(v.scalarOf(old.getArgOperand(0)), v.sweep.outcome);
    return field(record, sizeof(GroupRecord));
  }
  v.b.CreateStore(v.mask.laneBits(), field(record, offsetof(GroupRecord, lanes)));
  v.b.CreateStore(v.scalarOf(old.getArgOperand(0)), field(record, offsetof(GroupRecord, state)));
  v.b.CreateStore(v.scalarOf(old.getArgOperand(1)), field(record, offsetof(GroupRecord, kind)));
  for (unsigned i = 0; i < 3; ++i) {
    Value *operand = old.getArgOperand(2 + i);
    if (!v.shape(operand).isUniform())
      throw Unsupported("a barrier's number differs between threads of a warp");
    v.b.CreateStore(v.scalarOf(operand), field(record, offsetof(GroupRecord, operands) + 4 * i));
  }
  v.b.CreateStore(field(record, v.options.record_bytes), slot);
  return field(record, sizeof(GroupRecord));
}

// ---- Lane by lane ----

static Value *laneContext(VectorBuilder &v, Value *lane) {
  Value *all = v.contextField(v.b.getPtrTy(), offsetof(GangContext, lanes));
  Value *offset =
      v.b.CreateMul(v.b.CreateZExt(lane, v.b.getInt64Ty()), v.b.getInt64(sizeof(ThreadContext)));
  return v.b.CreateInBoundsGEP(v.b.getInt8Ty(), all, offset);
}

// The callee is compiled for a single thread and gets that thread's context.
static Value *callLanes(VectorBuilder &v, CallBase &old) {
  std::string callee = old.getCalledFunction() ? old.getCalledFunction()->getName().str()
                                               : std::string("a function pointer");
  v.remark(old, Remark::Kind::LaneByLane, "call of " + callee);
  SmallVector<LaneValue> operands;
  for (Use &operand : old.operands())
    operands.emplace_back(v, operand.get());
  return forEachLane(v, old.use_empty() ? nullptr : old.getType(), [&](Value *lane) -> Value * {
    auto *copy = cast<CallBase>(old.clone());
    for (unsigned i = 0; i < copy->getNumOperands(); ++i)
      copy->setOperand(i, old.getOperand(i) == v.thread.getArg(0) ? laneContext(v, lane)
                                                                  : operands[i].at(lane));
    v.b.Insert(copy);
    return copy;
  });
}

} // namespace heddle::engine::simd
