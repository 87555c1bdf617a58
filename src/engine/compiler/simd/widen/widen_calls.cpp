// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: gang intrinsics, special registers, intrinsics, and functions that are called lane by
// lane.
#include "engine/abi_extensions.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/widener.h"
#include "engine/observe/site.h"

#include "engine/compiler/errors.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {

Value *Widener::call(CallBase &old) {
  StringRef name = calledName(old);
  if (name.starts_with("heddle."))
    return marker(old, name);
  if (matrixForm(name))
    return warpOperation(old, name);
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.")) {
    if (shape(&old).isTiledAffine()) {
      keepRows(old);
      return nullptr;
    }
    if (name == "tid.x" || name == "tid.y" || name == "tid.z")
      return threadIndex(unsigned(name.back() - 'x'));
    if (name == "ctaid.x" && block_index_)
      return block_index_;
    if (name == "laneid" && lanes_ == 32) // a warp
      return b_.getInt32(0);
    if (name == "laneid")
      return b_.CreateAnd(linearIndex(), b_.getInt32(31));
    if (name == "warpid")
      return b_.CreateLShr(linearIndex(), b_.getInt32(5));
  } else if (name.starts_with("llvm.nvvm.") && !name.starts_with("llvm.nvvm.membar")) {
    return warpOperation(old, name);
  }
  if (isa<AssumeInst>(old) || name == "llvm.experimental.noalias.scope.decl")
    return nullptr;
  if (!calledName(old).empty() && shape(&old).isUniform()) {
    keepScalar(old);
    return nullptr;
  }
  if (isa<MemIntrinsic>(old) &&
      all_of(old.args(), [&](const Use &argument) { return shape(argument).isUniform(); })) {
    keepScalar(old); // the same bytes to the same place
    return nullptr;
  }
  if (shape(&old).isTiledAffine()) {
    keepRows(old);
    return nullptr;
  }
  if (!old.mayHaveSideEffects() && isTriviallyVectorizable(old.getIntrinsicID()))
    return vectorIntrinsic(old);
  return callLanes(old);
}

Value *Widener::vectorIntrinsic(CallBase &old) {
  const Intrinsic::ID id = old.getIntrinsicID();
  SmallVector<Value *> arguments;
  SmallVector<Type *> types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1))
    types.push_back(wide(old.getType()));
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    Value *argument = old.getArgOperand(i);
    const bool scalar = isVectorIntrinsicWithScalarOpAtArg(id, i);
    arguments.push_back(scalar ? scalarOf(argument) : vectorOf(argument));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(i)))
      types.push_back(arguments.back()->getType());
  }
  CallInst *made = b_.CreateIntrinsic(id, types, arguments);
  if (isa<FPMathOperator>(old))
    made->copyIRFlags(&old);
  return made;
}

Value *Widener::threadIndex(unsigned axis) {
  Value *first = thread_index_[axis];
  const LaneLayout &layout = options_.layout;
  if (layout.kind == LaneLayout::Kind::Row || (layout.kind == LaneLayout::Kind::Tiled && axis == 2))
    return first;
  if (layout.kind == LaneLayout::Kind::Tiled) {
    SmallVector<Constant *> offsets;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      offsets.push_back(b_.getInt32(axis == 0 ? lane % layout.row : lane / layout.row));
    return b_.CreateAdd(b_.CreateVectorSplat(lanes_, first), ConstantVector::get(offsets));
  }
  const auto addresses = [&](unsigned lane) {
    return b_.CreateConstGEP1_64(b_.getInt8Ty(), laneContext(b_.getInt32(lane)),
                                 offsetof(ThreadContext, thread_index) + 4 * axis);
  };
  Value *result = PoisonValue::get(wide(b_.getInt32Ty()));
  for (unsigned lane = 0; lane < lanes_; ++lane)
    result = b_.CreateInsertElement(result, b_.CreateLoad(b_.getInt32Ty(), addresses(lane)), lane);
  return result;
}

Value *Widener::marker(CallBase &old, StringRef name) {
  if (name == mask_marker) {
    auto *constant = dyn_cast<ConstantInt>(old.getArgOperand(0));
    if (constant && constant->isOne())
      return nullptr;
    setMask(vectorOf(old.getArgOperand(0)));
    return nullptr;
  }
  if (name == in_range_marker)
    return inRange(old.getArgOperand(0), scalarOf(old.getArgOperand(1)));
  if (name == prefetch_marker) {
    prefetchNext(old.getArgOperand(0), cast<ConstantInt>(old.getArgOperand(1))->getSExtValue());
    return nullptr;
  }
  if (name == any_marker || name == all_marker)
    return reduceMask(old.getArgOperand(0), name == any_marker);
  if (name == first_marker) {
    if (shape(old.getArgOperand(0)).isUniform())
      return scalarOf(old.getArgOperand(0));
    return b_.CreateExtractElement(vectorOf(old.getArgOperand(0)), firstLane());
  }
  if (name == observe_marker)
    return observe(old);
  if (name == within_marker)
    return within(old);
  if (name.starts_with(count_prefix)) {
    count(old, name);
    return nullptr;
  }
  if (name == lane_marker)
    return b_.getInt32(0);
  if (name == state_marker)
    return state_;
  if (name == active_marker) {
    Value *bits = b_.CreateTrunc(active_bits_, b_.getIntNTy(lanes_));
    return b_.CreateBitCast(bits, wide(b_.getInt1Ty()), "active");
  }
  if (name == frame_marker)
    return contextField(b_.getPtrTy(), offsetof(GangContext, frame));
  if (name == request_marker)
    return contextField(b_.getPtrTy(), offsetof(GangContext, requests));
  if (name == resumed_marker)
    return b_.CreateConstInBoundsGEP1_64(
        b_.getInt8Ty(), contextField(b_.getPtrTy(), offsetof(GangContext, resumed)),
        sizeof(GroupRecord));
  if (name == suspend_marker)
    return suspend(old);
  if (name == together_marker) {
    Value *ended = contextField(b_.getInt32Ty(), offsetof(GangContext, ended));
    Value *elsewhere = b_.CreateNot(b_.CreateOr(ended, laneBits()));
    Value *named = old.getArgOperand(0);
    if (shape(named).isUniform())
      return b_.CreateIsNull(b_.CreateAnd(scalarOf(named), elsewhere));
    return togetherByMask(vectorOf(named), ended);
  }
  throw InternalError("unknown marker " + name.str());
}

// One call for all active lanes, with their addresses, or with those of each row's first lane.
Value *Widener::observe(CallBase &old) {
  if (lanes_ != 32)
    throw Unsupported("observed gangs are warps");
  if (!shape(old.getArgOperand(3)).isUniform())
    throw Unsupported("an observed access's variable differs between threads");
  const auto inMemory = [&](unsigned i) {
    AllocaInst *memory = observedPlace(i, wide(b_.getInt64Ty()));
    b_.CreateStore(vectorOf(old.getArgOperand(i)), memory);
    return memory;
  };
  Value *here = laneBits(), *site = scalarOf(old.getArgOperand(0));
  Value *base = scalarOf(old.getArgOperand(3)), *values = ConstantPointerNull::get(b_.getPtrTy());
  if (!isa<UndefValue>(old.getArgOperand(4)))
    values = inMemory(4);
  const auto tell = [&](size_t service, ArrayRef<Value *> arguments) {
    return callRuntime(b_, context(), service, b_.getInt32Ty(), arguments);
  };
  Value *allowed;
  if (shape(old.getArgOperand(1)).hasRowBases() && shape(old.getArgOperand(2)).isUniform())
    allowed =
        tell(offsetof(ExtendedRuntimeTable, observe_rows),
             {site, here, addressRows(old.getArgOperand(1), old.getArgOperand(2)), base, values});
  else
    allowed = tell(offsetof(ExtendedRuntimeTable, observe_warp),
                   {site, here, inMemory(1), inMemory(2), base, values});
  if (shape(&old).isUniform())
    return b_.CreateICmpEQ(allowed, here);
  return b_.CreateBitCast(allowed, wide(b_.getInt1Ty()));
}

// What a call is told is read before the next one, so that all share the places.
AllocaInst *Widener::observedPlace(unsigned number, Type *type) {
  AllocaInst *&place = observed_places_[number];
  if (!place)
    place = temporary(type, "observed");
  return place;
}

// An observe::AddressRows.
Value *Widener::addressRows(Value *address, Value *bytes) {
  const Shape form = shape(address);
  const Rows firsts = form.isTiledAffine() ? rowsOf(address) : Rows{scalarOf(address)};
  Value *list = observedPlace(0, wide(b_.getInt64Ty()));
  for (unsigned i = 0; i < firsts.size(); ++i)
    b_.CreateStore(firsts[i], b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), list, i));
  static_assert(sizeof(observe::AddressRows) == 4 * sizeof(uint64_t));
  Value *rows = observedPlace(3, ArrayType::get(b_.getInt64Ty(), 4));
  const auto set = [&](size_t offset, Value *field) {
    b_.CreateStore(field, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), rows, offset));
  };
  set(offsetof(observe::AddressRows, firsts), list);
  set(offsetof(observe::AddressRows, bytes), scalarOf(bytes));
  set(offsetof(observe::AddressRows, stride), b_.getInt64(uint64_t(form.stride)));
  set(offsetof(observe::AddressRows, length),
      b_.getInt32(form.isTiledAffine() ? rowLength() : lanes_));
  return rows;
}

// Of addresses that grow from lane to lane the first and the last are asked, whichever lanes are
// here.
Value *Widener::within(CallBase &old) {
  const Shape address = shape(old.getArgOperand(0));
  const uint64_t alignment = cast<ConstantInt>(old.getArgOperand(4))->getZExtValue();
  const bool known_aligned = (uint64_t(1) << std::min<unsigned>(address.zeros, 63)) >= alignment;
  // In loops that lanes leave at different times, even what was loaded from one place may differ.
  const bool one_extent =
      shape(old.getArgOperand(2)).isUniform() && shape(old.getArgOperand(3)).isUniform();
  if (!one_extent || !address.hasRowBases() || uint64_t(address.stride) % alignment != 0) {
    const auto argument = [&](unsigned i) { return vectorOf(old.getArgOperand(i)); };
    Value *all = argument(0);
    Value *outside = b_.CreateOr(b_.CreateICmpULT(all, argument(2)),
                                 b_.CreateICmpUGT(all, b_.CreateSub(argument(3), argument(1))));
    if (alignment > 1) {
      Value *odd_bits = ConstantInt::get(all->getType(), alignment - 1);
      outside = b_.CreateOr(outside, b_.CreateIsNotNull(b_.CreateAnd(all, odd_bits)));
    }
    return b_.CreateIsNull(bitsOf(onlyHere(outside)), "within");
  }
  const auto argument = [&](unsigned i) { return scalarOf(old.getArgOperand(i)); };
  Value *begin = argument(2), *last = b_.CreateSub(argument(3), argument(1));
  Value *odd_bits = b_.getInt64(alignment - 1);
  Value *answer = b_.getTrue();
  const bool rows = address.isTiledAffine();
  const int64_t growth = address.stride * int64_t((rows ? rowLength() : lanes_) - 1);
  for (Value *first : rows ? rowsOf(old.getArgOperand(0)) : Rows{argument(0)}) {
    Value *other = growth ? b_.CreateAdd(first, b_.getInt64(uint64_t(growth))) : first;
    answer = b_.CreateAnd(answer, b_.CreateICmpUGE(growth < 0 ? other : first, begin));
    answer = b_.CreateAnd(answer, b_.CreateICmpULE(growth < 0 ? first : other, last));
    if (!known_aligned)
      answer = b_.CreateAnd(answer, b_.CreateIsNull(b_.CreateAnd(first, odd_bits)));
  }
  return answer;
}

// If lanes pass different masks, all lanes of a mask must be here and pass that mask: lanes may be
// in different iterations of a loop, and some wait for an operation that others have done earlier.
Value *Widener::togetherByMask(Value *named, Value *ended) {
  LLVMContext &context = new_->getContext();
  Value *here = laneBits();
  BasicBlock *before = b_.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context, "mask", new_);
  BasicBlock *end = BasicBlock::Create(context, "masks.end", new_);
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *rest = b_.CreatePHI(b_.getInt32Ty(), 2, "rest");
  PHINode *together = b_.CreatePHI(b_.getInt32Ty(), 2, "together");
  Value *mask = b_.CreateExtractElement(named, firstOf(rest));
  Value *alike =
      b_.CreateAnd(bitsOf(b_.CreateICmpEQ(named, b_.CreateVectorSplat(lanes_, mask))), here);
  Value *missing = b_.CreateAnd(mask, b_.CreateNot(b_.CreateOr(ended, alike)));
  Value *found =
      b_.CreateOr(together, b_.CreateSelect(b_.CreateIsNull(missing), alike, b_.getInt32(0)));
  Value *others = b_.CreateAnd(rest, b_.CreateNot(alike));
  rest->addIncoming(here, before);
  rest->addIncoming(others, loop);
  together->addIncoming(b_.getInt32(0), before);
  together->addIncoming(found, loop);
  b_.CreateCondBr(b_.CreateIsNull(others), end, loop);
  b_.SetInsertPoint(end);
  return b_.CreateBitCast(b_.CreateTrunc(found, b_.getIntNTy(lanes_)), wide(b_.getInt1Ty()));
}

// Writes a GroupRecord.
Value *Widener::suspend(CallBase &old) {
  const auto field = [&](Value *record, uint64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), record, offset);
  };
  Value *slot = field(context(), offsetof(GangContext, suspended));
  Value *record = b_.CreateLoad(b_.getPtrTy(), slot, "record");
  if (options_.sweeps) { // a plain barrier: the state suffices
    b_.CreateStore(scalarOf(old.getArgOperand(0)), outcome_);
    return field(record, sizeof(GroupRecord));
  }
  b_.CreateStore(laneBits(), field(record, offsetof(GroupRecord, lanes)));
  b_.CreateStore(scalarOf(old.getArgOperand(0)), field(record, offsetof(GroupRecord, state)));
  b_.CreateStore(scalarOf(old.getArgOperand(1)), field(record, offsetof(GroupRecord, kind)));
  for (unsigned i = 0; i < 3; ++i) {
    Value *operand = old.getArgOperand(2 + i);
    if (!shape(operand).isUniform())
      throw Unsupported("a barrier's number differs between threads of a warp");
    b_.CreateStore(scalarOf(operand), field(record, offsetof(GroupRecord, operands) + 4 * i));
  }
  b_.CreateStore(field(record, options_.record_bytes), slot);
  return field(record, sizeof(GroupRecord));
}

// ---- Lane by lane ----

Value *Widener::laneContext(Value *lane) {
  Value *all = contextField(b_.getPtrTy(), offsetof(GangContext, lanes));
  Value *offset =
      b_.CreateMul(b_.CreateZExt(lane, b_.getInt64Ty()), b_.getInt64(sizeof(ThreadContext)));
  return b_.CreateInBoundsGEP(b_.getInt8Ty(), all, offset);
}

// The callee is compiled for a single thread and gets that thread's context.
Value *Widener::callLanes(CallBase &old) {
  std::string callee = old.getCalledFunction() ? old.getCalledFunction()->getName().str()
                                               : std::string("a function pointer");
  remark(old, Remark::Kind::LaneByLane, "call of " + callee);
  SmallVector<LaneValue> operands;
  for (Use &operand : old.operands())
    operands.emplace_back(*this, operand.get());
  return forEachLane(old.use_empty() ? nullptr : old.getType(), [&](Value *lane) -> Value * {
    auto *copy = cast<CallBase>(old.clone());
    for (unsigned i = 0; i < copy->getNumOperands(); ++i)
      copy->setOperand(i, old.getOperand(i) == old_.getArg(0) ? laneContext(lane)
                                                              : operands[i].at(lane));
    b_.Insert(copy);
    return copy;
  });
}

} // namespace heddle::engine::simd
