// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, votes and other warp operations whose lanes are all here: PTX ISA, "shfl.sync",
// "vote.sync", "match.sync", "redux.sync". The reference engine's warp.h implements the same in
// scalar code.
#include "engine/abi_extensions.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/widener.h"

#include "engine/compiler/errors.h"
#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {
Value *Widener::warpOperation(CallBase &old, StringRef name) {
  if (name == "llvm.nvvm.activemask")
    return laneBits();
  if (name == "llvm.nvvm.bar.warp.sync")
    return nullptr; // lanes are converged, and memory accesses are in order
  if (const auto form = warpForm(name)) {
    if (form->operation == WarpOperation::Shuffle)
      return shuffle(old, *form);
    if (form->operation == WarpOperation::Vote)
      return vote(old, VoteMode(form->mode));
    return resolveInRuntime(old, *form);
  }
  if (const auto code = matrixForm(name)) {
    // The gang, which is a warp, passes its registers to the runtime.
    if (lanes_ != warp_lanes)
      throw Unsupported("it multiplies matrices in gangs that are no warps");
    const MatrixOperation operation = MatrixOperation::decode(*code);
    const uint32_t inputs = operation.inputWords();
    Type *vector = wide(b_.getInt32Ty());
    Value *words = temporary(ArrayType::get(vector, inputs + operation.wordsOfD()), "matrix");
    const auto place = [&](uint32_t i) { return b_.CreateConstGEP1_64(vector, words, i); };
    for (uint32_t i = 0; i < inputs; ++i)
      b_.CreateStore(vectorOf(old.getArgOperand(i)), place(i));
    callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, multiply_matrices), b_.getVoidTy(),
                {b_.getInt32(*code), words});
    Value *result = PoisonValue::get(wide(old.getType()));
    for (uint32_t i = 0; i < operation.wordsOfD(); ++i)
      result = b_.CreateInsertValue(result, b_.CreateLoad(vector, place(inputs + i)), i);
    return result;
  }
  throw Unsupported("it uses " + name.str());
}

Value *Widener::vote(CallBase &old, VoteMode mode) {
  Value *old_mask = old.getArgOperand(0);
  Value *ballot = bitsOf(onlyHere(vectorOf(old.getArgOperand(1))));
  Value *here = laneBits();
  const bool scalar = shape(old_mask).isUniform();
  Value *mask = scalar ? scalarOf(old_mask) : vectorOf(old_mask);
  if (!scalar) {
    ballot = b_.CreateVectorSplat(lanes_, ballot);
    here = b_.CreateVectorSplat(lanes_, here);
  }
  Value *set = b_.CreateAnd(ballot, mask), *taking_part = b_.CreateAnd(here, mask);
  Value *result = set;
  if (mode == VoteMode::All)
    result = b_.CreateICmpEQ(set, taking_part);
  else if (mode == VoteMode::Any)
    result = b_.CreateIsNotNull(set);
  else if (mode == VoteMode::Uniform)
    result = b_.CreateOr(b_.CreateICmpEQ(set, taking_part), b_.CreateIsNull(set));
  if (scalar && shape(&old).isVarying())
    return b_.CreateVectorSplat(lanes_, result);
  return result;
}

// The source lane of each lane, and whether it lies within the lane's segment. Lanes are numbered
// within their warp; a wide gang has several.
Value *Widener::shuffle(CallBase &old, const WarpForm &form) {
  const auto mode = ShuffleMode(form.mode);
  Value *value = vectorOf(old.getArgOperand(1));
  SmallVector<Constant *> numbers;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    numbers.push_back(b_.getInt32(lane % warp_lanes));
  Value *self = ConstantVector::get(numbers);
  Value *clamp = vectorOf(old.getArgOperand(3));
  const auto splat = [&](uint32_t n) { return ConstantInt::get(self->getType(), n); };
  Value *segment = b_.CreateAnd(b_.CreateLShr(clamp, splat(8)), splat(31));
  clamp = b_.CreateAnd(clamp, splat(31));
  Value *first = b_.CreateAnd(self, segment);
  Value *last = b_.CreateOr(first, b_.CreateAnd(clamp, b_.CreateNot(segment)));
  Value *operand = b_.CreateAnd(vectorOf(old.getArgOperand(2)), splat(31));
  Value *source = nullptr, *inside = nullptr;
  if (mode == ShuffleMode::Up) {
    source = b_.CreateSub(self, operand);
    inside = b_.CreateICmpSGE(source, last);
  } else {
    if (mode == ShuffleMode::Down)
      source = b_.CreateAdd(self, operand);
    else if (mode == ShuffleMode::Xor)
      source = b_.CreateXor(self, operand);
    else
      source = b_.CreateOr(first, b_.CreateAnd(operand, b_.CreateNot(segment)));
    inside = b_.CreateICmpULE(source, last);
  }
  source = b_.CreateSelect(inside, source, self);
  Value *moved = nullptr, *present = nullptr;
  const auto warp_of = [](unsigned lane) { return lane - lane % warp_lanes; }; // its first lane
  const bool whole = allActive() || lanes_ > warp_lanes;                       // warp_uniformity.h
  if (auto *known = dyn_cast<Constant>(source)) {
    SmallVector<int> order;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      order.push_back(
          int(warp_of(lane) + cast<ConstantInt>(known->getAggregateElement(lane))->getZExtValue()));
    moved = b_.CreateShuffleVector(value, order);
    present = whole ? nullptr : b_.CreateShuffleVector(mask_, order);
  } else {
    // Through memory, the cheapest way for 32 lanes on all CPUs.
    Value *table = temporary(value->getType(), "shuffled");
    b_.CreateStore(value, table);
    moved = PoisonValue::get(value->getType());
    Type *element = value->getType()->getScalarType();
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      Value *from = b_.CreateAnd(b_.CreateExtractElement(source, lane), b_.getInt32(31));
      if (const unsigned first_lane = warp_of(lane))
        from = b_.CreateOr(from, b_.getInt32(first_lane));
      Value *one = b_.CreateLoad(element, b_.CreateInBoundsGEP(element, table, from));
      moved = b_.CreateInsertElement(moved, one, lane);
    }
    if (!whole) {
      Value *here = b_.CreateVectorSplat(lanes_, laneBits());
      present = b_.CreateTrunc(b_.CreateLShr(here, source), wide(b_.getInt1Ty()));
    }
  }
  // Reading from an inactive lane is undefined in CUDA; the lane keeps its own value.
  if (present)
    moved = b_.CreateSelect(present, moved, value);
  if (!form.pair)
    return moved;
  Value *pair = PoisonValue::get(wide(old.getType()));
  return b_.CreateInsertValue(b_.CreateInsertValue(pair, moved, 0), inside, 1);
}

// Rare operations: each lane writes its request, and the runtime computes the results.
Value *Widener::resolveInRuntime(CallBase &old, const WarpForm &form) {
  LaneValue masks(*this, old.getArgOperand(form.mask));
  LaneValue values(*this, old.getArgOperand(unsigned(form.value)));
  Value *requests = contextField(b_.getPtrTy(), offsetof(GangContext, requests));
  const auto field = [&](Value *lane, uint64_t offset) {
    Value *start =
        b_.CreateMul(b_.CreateZExt(lane, b_.getInt64Ty()), b_.getInt64(sizeof(WarpRequest)));
    return b_.CreateInBoundsGEP(b_.getInt8Ty(), requests, b_.CreateAdd(start, b_.getInt64(offset)));
  };
  forEachLane(nullptr, [&](Value *lane) -> Value * {
    b_.CreateStore(b_.CreateZExt(values.at(lane), b_.getInt64Ty()),
                   field(lane, offsetof(WarpRequest, value)));
    b_.CreateStore(b_.getInt32(uint32_t(form.operation)),
                   field(lane, offsetof(WarpRequest, operation)));
    b_.CreateStore(b_.getInt32(form.mode), field(lane, offsetof(WarpRequest, mode)));
    b_.CreateStore(masks.at(lane), field(lane, offsetof(WarpRequest, mask)));
    return nullptr;
  });
  callRuntime(b_, context(), offsetof(RuntimeTable, evaluate), b_.getVoidTy(), {laneBits()});
  const uint64_t result = offsetof(WarpRequest, result);
  Value *answers = forEachLane(b_.getInt32Ty(), [&](Value *lane) -> Value * {
    return b_.CreateLoad(b_.getInt32Ty(), field(lane, result + offsetof(ValueAndPredicate, value)));
  });
  if (!form.pair)
    return answers;
  Value *flags = forEachLane(b_.getInt32Ty(), [&](Value *lane) -> Value * {
    return b_.CreateLoad(b_.getInt32Ty(),
                         field(lane, result + offsetof(ValueAndPredicate, predicate)));
  });
  Value *pair = PoisonValue::get(wide(old.getType()));
  pair = b_.CreateInsertValue(pair, answers, 0);
  return b_.CreateInsertValue(pair, b_.CreateIsNotNull(flags), 1);
}

} // namespace heddle::engine::simd
