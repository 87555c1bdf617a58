// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/calls/widen_warp.h"
#include "engine/abi_extensions.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/warp_uniformity.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/simd/widen/calls/widen_matrix.h"
#include "engine/compiler/simd/widen/lane_values.h"
#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {

static Value *vote(VectorBuilder &v, CallBase &old, VoteMode mode);
static Value *shuffle(VectorBuilder &v, CallBase &old, const WarpForm &form);
static Value *resolveInRuntime(VectorBuilder &v, CallBase &old, const WarpForm &form);

Value *widenWarpOperation(VectorBuilder &v, CallBase &old, StringRef name) {
  if (name == "llvm.nvvm.activemask")
    return v.mask.laneBits();
  if (name == "llvm.nvvm.bar.warp.sync")
    return nullptr; // lanes are converged, and memory accesses are in order
  if (const auto form = warpForm(name)) {
    if (form->operation == WarpOperation::Shuffle)
      return shuffle(v, old, *form);
    if (form->operation == WarpOperation::Vote)
      return vote(v, old, VoteMode(form->mode));
    return resolveInRuntime(v, old, *form);
  }
  if (const auto code = matrixForm(name))
    return widenMatrixProduct(v, old, *code);
  throw Unsupported("it uses " + name.str());
}

static Value *vote(VectorBuilder &v, CallBase &old, VoteMode mode) {
  Value *old_mask = old.getArgOperand(0);
  Value *ballot = v.mask.bitsOf(v.mask.onlyHere(v.vectorOf(old.getArgOperand(1))));
  Value *here = v.mask.laneBits();
  const bool scalar = v.shape(old_mask).isUniform();
  Value *mask = scalar ? v.scalarOf(old_mask) : v.vectorOf(old_mask);
  if (!scalar) {
    ballot = v.b.CreateVectorSplat(v.lanes, ballot);
    here = v.b.CreateVectorSplat(v.lanes, here);
  }
  Value *set = v.b.CreateAnd(ballot, mask), *taking_part = v.b.CreateAnd(here, mask);
  Value *result = set;
  if (mode == VoteMode::All)
    result = v.b.CreateICmpEQ(set, taking_part);
  else if (mode == VoteMode::Any)
    result = v.b.CreateIsNotNull(set);
  else if (mode == VoteMode::Uniform)
    result = v.b.CreateOr(v.b.CreateICmpEQ(set, taking_part), v.b.CreateIsNull(set));
  if (scalar && v.shape(&old).isVarying())
    return v.b.CreateVectorSplat(v.lanes, result);
  return result;
}

// The source lane of each lane, and whether it lies within the lane's segment. Lanes are numbered
// within their warp; a wide gang has several.
static Value *shuffle(VectorBuilder &v, CallBase &old, const WarpForm &form) {
  const auto mode = ShuffleMode(form.mode);
  Value *value = v.vectorOf(old.getArgOperand(1));
  SmallVector<Constant *> numbers;
  for (unsigned lane = 0; lane < v.lanes; ++lane)
    numbers.push_back(v.b.getInt32(lane % warp_lanes));
  Value *self = ConstantVector::get(numbers);
  Value *clamp = v.vectorOf(old.getArgOperand(3));
  const auto splat = [&](uint32_t n) { return ConstantInt::get(self->getType(), n); };
  Value *segment = v.b.CreateAnd(v.b.CreateLShr(clamp, splat(8)), splat(31));
  clamp = v.b.CreateAnd(clamp, splat(31));
  Value *first = v.b.CreateAnd(self, segment);
  Value *last = v.b.CreateOr(first, v.b.CreateAnd(clamp, v.b.CreateNot(segment)));
  Value *operand = v.b.CreateAnd(v.vectorOf(old.getArgOperand(2)), splat(31));
  Value *source = nullptr, *inside = nullptr;
  if (mode == ShuffleMode::Up) {
    source = v.b.CreateSub(self, operand);
    inside = v.b.CreateICmpSGE(source, last);
  } else {
    if (mode == ShuffleMode::Down)
      source = v.b.CreateAdd(self, operand);
    else if (mode == ShuffleMode::Xor)
      source = v.b.CreateXor(self, operand);
    else
      source = v.b.CreateOr(first, v.b.CreateAnd(operand, v.b.CreateNot(segment)));
    inside = v.b.CreateICmpULE(source, last);
  }
  source = v.b.CreateSelect(inside, source, self);
  Value *moved = nullptr, *present = nullptr;
  const auto warp_of = [](unsigned lane) { return lane - lane % warp_lanes; }; // its first lane
  const bool whole = v.mask.allActive() || v.lanes > warp_lanes;               // warp_uniformity.h
  if (auto *known = dyn_cast<Constant>(source)) {
    SmallVector<int> order;
    for (unsigned lane = 0; lane < v.lanes; ++lane)
      order.push_back(
          int(warp_of(lane) + cast<ConstantInt>(known->getAggregateElement(lane))->getZExtValue()));
    moved = v.b.CreateShuffleVector(value, order);
    present = whole ? nullptr : v.b.CreateShuffleVector(v.mask.vector(), order);
  } else {
    // Through memory, the cheapest way for 32 lanes on all CPUs.
    Value *table = v.temporary(value->getType(), "shuffled");
    v.b.CreateStore(value, table);
    moved = PoisonValue::get(value->getType());
    Type *element = value->getType()->getScalarType();
    for (unsigned lane = 0; lane < v.lanes; ++lane) {
      Value *from = v.b.CreateAnd(v.b.CreateExtractElement(source, lane), v.b.getInt32(31));
      if (const unsigned first_lane = warp_of(lane))
        from = v.b.CreateOr(from, v.b.getInt32(first_lane));
      Value *one = v.b.CreateLoad(element, v.b.CreateInBoundsGEP(element, table, from));
      moved = v.b.CreateInsertElement(moved, one, lane);
    }
    if (!whole) {
      Value *here = v.b.CreateVectorSplat(v.lanes, v.mask.laneBits());
      present = v.b.CreateTrunc(v.b.CreateLShr(here, source), v.wide(v.b.getInt1Ty()));
    }
  }
  // Reading from an inactive lane is undefined in CUDA; the lane keeps its own value.
  if (present)
    moved = v.b.CreateSelect(present, moved, value);
  if (!form.pair)
    return moved;
  Value *pair = PoisonValue::get(v.wide(old.getType()));
  return v.b.CreateInsertValue(v.b.CreateInsertValue(pair, moved, 0), inside, 1);
}

// Rare operations: each lane writes its request, and the runtime computes the results.
static Value *resolveInRuntime(VectorBuilder &v, CallBase &old, const WarpForm &form) {
  LaneValue masks(v, old.getArgOperand(form.mask));
  LaneValue values(v, old.getArgOperand(unsigned(form.value)));
  Value *requests = v.contextField(v.b.getPtrTy(), offsetof(GangContext, requests));
  const auto field = [&](Value *lane, uint64_t offset) {
    Value *start =
        v.b.CreateMul(v.b.CreateZExt(lane, v.b.getInt64Ty()), v.b.getInt64(sizeof(WarpRequest)));
    return v.b.CreateInBoundsGEP(v.b.getInt8Ty(), requests,
                                 v.b.CreateAdd(start, v.b.getInt64(offset)));
  };
  forEachLane(v, nullptr, [&](Value *lane) -> Value * {
    v.b.CreateStore(v.b.CreateZExt(values.at(lane), v.b.getInt64Ty()),
                    field(lane, offsetof(WarpRequest, value)));
    v.b.CreateStore(v.b.getInt32(uint32_t(form.operation)),
                    field(lane, offsetof(WarpRequest, operation)));
    v.b.CreateStore(v.b.getInt32(form.mode), field(lane, offsetof(WarpRequest, mode)));
    v.b.CreateStore(masks.at(lane), field(lane, offsetof(WarpRequest, mask)));
    return nullptr;
  });
  callRuntime(v.b, v.gang, offsetof(RuntimeTable, evaluate), v.b.getVoidTy(), {v.mask.laneBits()});
  const uint64_t result = offsetof(WarpRequest, result);
  Value *answers = forEachLane(v, v.b.getInt32Ty(), [&](Value *lane) -> Value * {
    return v.b.CreateLoad(v.b.getInt32Ty(),
                          field(lane, result + offsetof(ValueAndPredicate, value)));
  });
  if (!form.pair)
    return answers;
  Value *flags = forEachLane(v, v.b.getInt32Ty(), [&](Value *lane) -> Value * {
    return v.b.CreateLoad(v.b.getInt32Ty(),
                          field(lane, result + offsetof(ValueAndPredicate, predicate)));
  });
  Value *pair = PoisonValue::get(v.wide(old.getType()));
  pair = v.b.CreateInsertValue(pair, answers, 0);
  return v.b.CreateInsertValue(pair, v.b.CreateIsNotNull(flags), 1);
}

} // namespace heddle::engine::simd
