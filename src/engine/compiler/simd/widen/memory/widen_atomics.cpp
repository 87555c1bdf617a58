// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/memory/widen_atomics.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/widen/lane_values.h"
#include "engine/compiler/simd/widen/memory/alignment_check.h"
#include "engine/compiler/simd/widen/memory/widen_histogram.h"

#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace heddle::engine::simd {

static std::pair<Value *, Value *> countLanes(VectorBuilder &v);
static Value *shiftedUp(VectorBuilder &v, Value *vector, unsigned distance);
static Value *combinedValue(VectorBuilder &v, AtomicRMWInst &old, Value *pointer, Value *operand);

// Combines the operations of lanes on one address into one, if their results are unused.
static bool combine(VectorBuilder &v, AtomicRMWInst &old) {
  if (v.lanes == 1 || !old.use_empty() || !v.shape(old.getPointerOperand()).isUniform() ||
      !old.getType()->isIntegerTy())
    return false;
  Type *type = old.getType();
  const unsigned width = type->getIntegerBitWidth();
  Constant *neutral = nullptr;
  Intrinsic::ID reduction = Intrinsic::not_intrinsic;
  switch (old.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    reduction = Intrinsic::vector_reduce_add;
    neutral = ConstantInt::get(type, 0);
    break;
  case AtomicRMWInst::Or:
    reduction = Intrinsic::vector_reduce_or;
    neutral = ConstantInt::get(type, 0);
    break;
  case AtomicRMWInst::And:
    reduction = Intrinsic::vector_reduce_and;
    neutral = Constant::getAllOnesValue(type);
    break;
  case AtomicRMWInst::Max:
    reduction = Intrinsic::vector_reduce_smax;
    neutral = ConstantInt::get(type, APInt::getSignedMinValue(width));
    break;
  case AtomicRMWInst::Min:
    reduction = Intrinsic::vector_reduce_smin;
    neutral = ConstantInt::get(type, APInt::getSignedMaxValue(width));
    break;
  case AtomicRMWInst::UMax:
    reduction = Intrinsic::vector_reduce_umax;
    neutral = ConstantInt::get(type, 0);
    break;
  case AtomicRMWInst::UMin:
    reduction = Intrinsic::vector_reduce_umin;
    neutral = Constant::getAllOnesValue(type);
    break;
  default:
    return false;
  }
  Value *value = v.vectorOf(old.getValOperand());
  if (!v.mask.allActive())
    value = v.b.CreateSelect(v.mask.vector(), value,
                             ConstantVector::getSplat(ElementCount::getFixed(v.lanes), neutral));
  combinedValue(v, old, v.scalarOf(old.getPointerOperand()),
                v.b.CreateUnaryIntrinsic(reduction, value));
  return true;
}

// The old values of lanes that add to one address in lane order: `queue[atomicAdd(count, 1)] =
// item`. One atomic operation suffices. Null for other operations.
static Value *addInOrder(VectorBuilder &v, AtomicRMWInst &old) {
  const bool adds = old.getOperation() == AtomicRMWInst::Add;
  if (v.lanes == 1 || !v.shape(old.getPointerOperand()).isUniform() || old.isVolatile() ||
      (!adds && old.getOperation() != AtomicRMWInst::Sub))
    return nullptr;
  auto *type = cast<VectorType>(v.wide(old.getType()));
  Value *before = nullptr, *total = nullptr;
  if (v.shape(old.getValOperand()).isUniform() && (v.mask.allActive() || v.lanes <= 32)) {
    const auto [lower, here] = countLanes(v);
    const auto times = [&](Value *count, Value *value) {
      return v.b.CreateMul(v.b.CreateZExtOrTrunc(count, value->getType()), value);
    };
    before = times(lower, v.vectorOf(old.getValOperand()));
    total = times(here, v.scalarOf(old.getValOperand()));
  } else {
    Value *own = v.mask.onlyHere(v.vectorOf(old.getValOperand())), *sums = own;
    for (unsigned distance = 1; distance < v.lanes; distance *= 2)
      sums = v.b.CreateAdd(sums, shiftedUp(v, sums, distance));
    before = v.b.CreateSub(sums, own);
    total = v.b.CreateExtractElement(sums, v.lanes - 1);
  }
  Value *found = combinedValue(v, old, v.scalarOf(old.getPointerOperand()), total);
  Value *all = v.b.CreateVectorSplat(type->getElementCount(), found);
  return adds ? v.b.CreateAdd(all, before) : v.b.CreateSub(all, before);
}

// For each lane the number of active lanes before it (among 32 at most, unless all are active), and
// the total.
static std::pair<Value *, Value *> countLanes(VectorBuilder &v) {
  SmallVector<uint32_t> number, lower;
  for (unsigned lane = 0; lane < v.lanes; ++lane) {
    number.push_back(lane);
    lower.push_back(uint32_t((uint64_t(1) << (lane % 32)) - 1));
  }
  if (v.mask.allActive())
    return {ConstantDataVector::get(v.thread.getContext(), number), v.b.getInt32(v.lanes)};
  Value *here = v.b.CreateZExt(v.mask.bitsOf(v.mask.vector()), v.b.getInt32Ty());
  Value *before = v.b.CreateAnd(v.b.CreateVectorSplat(v.lanes, here),
                                ConstantDataVector::get(v.thread.getContext(), lower));
  return {v.b.CreateUnaryIntrinsic(Intrinsic::ctpop, before),
          v.b.CreateUnaryIntrinsic(Intrinsic::ctpop, here)};
}

// Each element moved up by `distance` lanes; zeros in the first ones.
static Value *shiftedUp(VectorBuilder &v, Value *vector, unsigned distance) {
  SmallVector<int> from;
  for (int lane = 0; lane < int(v.lanes); ++lane)
    from.push_back(lane < int(distance) ? int(v.lanes) : lane - int(distance));
  return v.b.CreateShuffleVector(vector, Constant::getNullValue(vector->getType()), from);
}

// Updates one address and returns the old value.
static Value *combinedValue(VectorBuilder &v, AtomicRMWInst &old, Value *pointer, Value *operand) {
  if (old.getPointerAddressSpace() != shared_space)
    return v.b.CreateAtomicRMW(old.getOperation(), pointer, operand, old.getAlign(),
                               old.getOrdering());
  // Shared memory: one worker runs all threads of a block, so no other thread interferes.
  Value *before = v.b.CreateAlignedLoad(old.getType(), pointer, old.getAlign(), old.isVolatile());
  v.b.CreateAlignedStore(buildAtomicRMWValue(old.getOperation(), v.b, before, operand), pointer,
                         old.getAlign(), old.isVolatile());
  return before;
}

// Floating-point numbers are added to one address in lane order, since rounding depends on the
// order; but no other access needs to come in between, so memory is updated once. (An atomic
// floating-point addition is a compare-and-swap loop, which takes ten times as long as the
// addition.)
static bool addOneByOne(VectorBuilder &v, AtomicRMWInst &old) {
  const bool one_lane = v.mask.isLaneByLane() && v.mask.numbersHere().size() == 1;
  if (v.lanes == 1 || one_lane || !old.use_empty() || old.isVolatile() ||
      old.getOperation() != AtomicRMWInst::FAdd || old.getType()->isVectorTy() ||
      !v.shape(old.getPointerOperand()).isUniform())
    return false;
  Type *type = old.getType(), *bits = v.b.getIntNTy(type->getScalarSizeInBits());
  LaneValue value(v, old.getValOperand());
  Value *pointer = v.scalarOf(old.getPointerOperand());
  AllocaInst *sum = v.temporary(type, "sum");
  const auto added_to = [&](Value *before) -> Value * {
    v.b.CreateStore(before, sum);
    forEachLane(v, nullptr, [&](Value *lane) -> Value * {
      v.b.CreateStore(v.b.CreateFAdd(v.b.CreateLoad(type, sum), value.at(lane)), sum);
      return nullptr;
    });
    return v.b.CreateLoad(type, sum);
  };
  if (old.getPointerAddressSpace() == shared_space) { // one worker runs the block (see change)
    Value *before = v.b.CreateAlignedLoad(type, pointer, old.getAlign());
    v.b.CreateAlignedStore(added_to(before), pointer, old.getAlign());
    return true;
  }
  LoadInst *first = v.b.CreateAlignedLoad(bits, pointer, old.getAlign());
  first->setAtomic(AtomicOrdering::Monotonic, old.getSyncScopeID());
  BasicBlock *before = v.b.GetInsertBlock();
  BasicBlock *retry = BasicBlock::Create(v.function->getContext(), "add", v.function);
  BasicBlock *done = BasicBlock::Create(v.function->getContext(), "added", v.function);
  v.b.CreateBr(retry);
  v.b.SetInsertPoint(retry);
  PHINode *expected = v.b.CreatePHI(bits, 2, "expected");
  Value *after = v.b.CreateBitCast(added_to(v.b.CreateBitCast(expected, type)), bits);
  Value *found = v.b.CreateAtomicCmpXchg(
      pointer, expected, after, old.getAlign(), old.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(old.getOrdering()), old.getSyncScopeID());
  expected->addIncoming(first, before);
  expected->addIncoming(v.b.CreateExtractValue(found, 0), v.b.GetInsertBlock());
  v.b.CreateCondBr(v.b.CreateExtractValue(found, 1), done, retry);
  v.b.SetInsertPoint(done);
  return true;
}

Value *widenAtomic(VectorBuilder &v, AtomicRMWInst &old) {
  checkAlignment(v, old.getPointerOperand(), old.getAlign());
  if (combine(v, old) || addOneByOne(v, old)) {
    v.remark(old, Remark::Kind::Scalar, "atomic of all lanes");
    return nullptr;
  }
  if (Value *found = addInOrder(v, old)) {
    v.remark(old, Remark::Kind::Scalar, "atomic of all lanes");
    return found;
  }
  if (addToKinds(v, old))
    return nullptr;
  v.remark(old, Remark::Kind::LaneByLane, "atomic");
  return atomicOfEachLane(v, old);
}

Value *atomicOfEachLane(VectorBuilder &v, AtomicRMWInst &old) {
  LaneValue value(v, old.getValOperand());
  LaneAddress pointer(v, old.getPointerOperand());
  return forEachLane(v, old.use_empty() ? nullptr : old.getType(), [&](Value *lane) -> Value * {
    return combinedValue(v, old, pointer.at(lane), value.at(lane));
  });
}

Value *widenExchange(VectorBuilder &v, AtomicCmpXchgInst &old) {
  checkAlignment(v, old.getPointerOperand(), old.getAlign());
  v.remark(old, Remark::Kind::LaneByLane, "atomic");
  LaneValue expected(v, old.getCompareOperand()), value(v, old.getNewValOperand()),
      pointer(v, old.getPointerOperand());
  return forEachLane(v, old.getType(), [&](Value *lane) -> Value * {
    auto *copy = cast<AtomicCmpXchgInst>(old.clone());
    copy->setOperand(0, pointer.at(lane));
    copy->setOperand(1, expected.at(lane));
    copy->setOperand(2, value.at(lane));
    return v.b.Insert(copy);
  });
}

} // namespace heddle::engine::simd
