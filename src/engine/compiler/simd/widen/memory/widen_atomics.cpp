// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of a gang. Those of several lanes on one address become one, where the old values and the
// final value are those of the lanes' operations in sequence.
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace heddle::engine::simd {

// Combines the operations of lanes on one address into one, if their results are unused.
bool Widener::combine(AtomicRMWInst &old) {
  if (lanes_ == 1 || !old.use_empty() || !shape(old.getPointerOperand()).isUniform() ||
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
  Value *value = vectorOf(old.getValOperand());
  if (!allActive())
    value = b_.CreateSelect(mask_, value,
                            ConstantVector::getSplat(ElementCount::getFixed(lanes_), neutral));
  change(old, scalarOf(old.getPointerOperand()), b_.CreateUnaryIntrinsic(reduction, value));
  return true;
}

// The old values of lanes that add to one address in lane order: `queue[atomicAdd(count, 1)] =
// item`. One atomic operation suffices. Null for other operations.
Value *Widener::addInOrder(AtomicRMWInst &old) {
  const bool adds = old.getOperation() == AtomicRMWInst::Add;
  if (lanes_ == 1 || !shape(old.getPointerOperand()).isUniform() || old.isVolatile() ||
      (!adds && old.getOperation() != AtomicRMWInst::Sub))
    return nullptr;
  auto *type = cast<VectorType>(wide(old.getType()));
  Value *before = nullptr, *total = nullptr;
  if (shape(old.getValOperand()).isUniform() && (allActive() || lanes_ <= 32)) {
    const auto [lower, here] = countLanes();
    const auto times = [&](Value *count, Value *value) {
      return b_.CreateMul(b_.CreateZExtOrTrunc(count, value->getType()), value);
    };
    before = times(lower, vectorOf(old.getValOperand()));
    total = times(here, scalarOf(old.getValOperand()));
  } else {
    Value *own = onlyHere(vectorOf(old.getValOperand())), *sums = own;
    for (unsigned distance = 1; distance < lanes_; distance *= 2)
      sums = b_.CreateAdd(sums, shiftedUp(sums, distance));
    before = b_.CreateSub(sums, own);
    total = b_.CreateExtractElement(sums, lanes_ - 1);
  }
  Value *found = change(old, scalarOf(old.getPointerOperand()), total);
  Value *all = b_.CreateVectorSplat(type->getElementCount(), found);
  return adds ? b_.CreateAdd(all, before) : b_.CreateSub(all, before);
}

// For each lane the number of active lanes before it (among 32 at most, unless all are active), and
// the total.
std::pair<Value *, Value *> Widener::countLanes() {
  SmallVector<uint32_t> number, lower;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    number.push_back(lane);
    lower.push_back(uint32_t((uint64_t(1) << (lane % 32)) - 1));
  }
  if (allActive())
    return {ConstantDataVector::get(old_.getContext(), number), b_.getInt32(lanes_)};
  Value *here = b_.CreateZExt(bitsOf(mask_), b_.getInt32Ty());
  Value *before = b_.CreateAnd(b_.CreateVectorSplat(lanes_, here),
                               ConstantDataVector::get(old_.getContext(), lower));
  return {b_.CreateUnaryIntrinsic(Intrinsic::ctpop, before),
          b_.CreateUnaryIntrinsic(Intrinsic::ctpop, here)};
}

// Each element moved up by `distance` lanes; zeros in the first ones.
Value *Widener::shiftedUp(Value *vector, unsigned distance) {
  SmallVector<int> from;
  for (int lane = 0; lane < int(lanes_); ++lane)
    from.push_back(lane < int(distance) ? int(lanes_) : lane - int(distance));
  return b_.CreateShuffleVector(vector, Constant::getNullValue(vector->getType()), from);
}

// Updates one address and returns the old value.
Value *Widener::change(AtomicRMWInst &old, Value *pointer, Value *operand) {
  if (old.getPointerAddressSpace() != shared_space)
    return b_.CreateAtomicRMW(old.getOperation(), pointer, operand, old.getAlign(),
                              old.getOrdering());
  // Shared memory: one worker runs all threads of a block, so no other thread interferes.
  Value *before = b_.CreateAlignedLoad(old.getType(), pointer, old.getAlign(), old.isVolatile());
  b_.CreateAlignedStore(buildAtomicRMWValue(old.getOperation(), b_, before, operand), pointer,
                        old.getAlign(), old.isVolatile());
  return before;
}

// Floating-point numbers are added to one address in lane order, since rounding depends on the
// order; but no other access needs to come in between, so memory is updated once. (An atomic
// floating-point addition is a compare-and-swap loop, which takes ten times as long as the
// addition.)
bool Widener::addOneByOne(AtomicRMWInst &old) {
  const bool one_lane = isLaneByLane() && numbersHere().size() == 1;
  if (lanes_ == 1 || one_lane || !old.use_empty() || old.isVolatile() ||
      old.getOperation() != AtomicRMWInst::FAdd || old.getType()->isVectorTy() ||
      !shape(old.getPointerOperand()).isUniform())
    return false;
  Type *type = old.getType(), *bits = b_.getIntNTy(type->getScalarSizeInBits());
  LaneValue value(*this, old.getValOperand());
  Value *pointer = scalarOf(old.getPointerOperand());
  AllocaInst *sum = temporary(type, "sum");
  const auto added_to = [&](Value *before) -> Value * {
    b_.CreateStore(before, sum);
    forEachLane(nullptr, [&](Value *lane) -> Value * {
      b_.CreateStore(b_.CreateFAdd(b_.CreateLoad(type, sum), value.at(lane)), sum);
      return nullptr;
    });
    return b_.CreateLoad(type, sum);
  };
  if (old.getPointerAddressSpace() == shared_space) { // one worker runs the block (see change)
    Value *before = b_.CreateAlignedLoad(type, pointer, old.getAlign());
    b_.CreateAlignedStore(added_to(before), pointer, old.getAlign());
    return true;
  }
  LoadInst *first = b_.CreateAlignedLoad(bits, pointer, old.getAlign());
  first->setAtomic(AtomicOrdering::Monotonic, old.getSyncScopeID());
  BasicBlock *before = b_.GetInsertBlock();
  BasicBlock *retry = BasicBlock::Create(new_->getContext(), "add", new_);
  BasicBlock *done = BasicBlock::Create(new_->getContext(), "added", new_);
  b_.CreateBr(retry);
  b_.SetInsertPoint(retry);
  PHINode *expected = b_.CreatePHI(bits, 2, "expected");
  Value *after = b_.CreateBitCast(added_to(b_.CreateBitCast(expected, type)), bits);
  Value *found = b_.CreateAtomicCmpXchg(
      pointer, expected, after, old.getAlign(), old.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(old.getOrdering()), old.getSyncScopeID());
  expected->addIncoming(first, before);
  expected->addIncoming(b_.CreateExtractValue(found, 0), b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateExtractValue(found, 1), done, retry);
  b_.SetInsertPoint(done);
  return true;
}

Value *Widener::atomic(AtomicRMWInst &old) {
  checkAlignment(old.getPointerOperand(), old.getAlign());
  if (combine(old) || addOneByOne(old)) {
    remark(old, Remark::Kind::Scalar, "atomic of all lanes");
    return nullptr;
  }
  if (Value *found = addInOrder(old)) {
    remark(old, Remark::Kind::Scalar, "atomic of all lanes");
    return found;
  }
  if (addToKinds(old))
    return nullptr;
  remark(old, Remark::Kind::LaneByLane, "atomic");
  return atomicOfEachLane(old);
}

Value *Widener::atomicOfEachLane(AtomicRMWInst &old) {
  LaneValue value(*this, old.getValOperand());
  LaneAddress pointer(*this, old.getPointerOperand());
  return forEachLane(old.use_empty() ? nullptr : old.getType(), [&](Value *lane) -> Value * {
    return change(old, pointer.at(lane), value.at(lane));
  });
}

Value *Widener::exchange(AtomicCmpXchgInst &old) {
  checkAlignment(old.getPointerOperand(), old.getAlign());
  remark(old, Remark::Kind::LaneByLane, "atomic");
  LaneValue expected(*this, old.getCompareOperand()), value(*this, old.getNewValOperand()),
      pointer(*this, old.getPointerOperand());
  return forEachLane(old.getType(), [&](Value *lane) -> Value * {
    auto *copy = cast<AtomicCmpXchgInst>(old.clone());
    copy->setOperand(0, pointer.at(lane));
    copy->setOperand(1, expected.at(lane));
    copy->setOperand(2, value.at(lane));
    return b_.Insert(copy);
  });
}

} // namespace heddle::engine::simd
