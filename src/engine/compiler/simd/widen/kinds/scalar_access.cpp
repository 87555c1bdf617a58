// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/scalar_access.h"

#include "engine/abi.h"
#include "engine/compiler/simd/widen/lane_values.h"

using namespace llvm;

namespace heddle::engine::simd {

// Whether it loads the block's context, which is the same for all gangs of a sweep.
static bool isBlockOfGang(VectorBuilder &v, const LoadInst &load) {
  if (!v.block || !load.getType()->isPointerTy())
    return false;
  APInt offset(v.data.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(v.data, offset, true);
  return base == v.thread.getArg(0) && offset == offsetof(ThreadContext, block);
}

Value *loadForAll(VectorBuilder &v, LoadInst &old) {
  if (isBlockOfGang(v, old))
    return v.block;
  auto *copy = cast<LoadInst>(old.clone());
  copy->setOperand(0, v.scalarOf(old.getPointerOperand()));
  return v.b.Insert(copy);
}

void storeToOnePlace(VectorBuilder &v, StoreInst &old) {
  Value *value = nullptr;
  if (v.shape(old.getValueOperand()).isUniform()) {
    value = v.scalarOf(old.getValueOperand());
  } else if (v.mask.allActive() || v.mask.firstLanes() || v.mask.areFew()) {
    Value *last = v.b.getInt32(v.mask.numbersHere().back());
    value = v.shape(old.getValueOperand()).isAffine()
                ? LaneValue(v, old.getValueOperand()).at(last)
                : v.b.CreateExtractElement(v.vectorOf(old.getValueOperand()), last);
  } else {
    Value *above = v.b.CreateBinaryIntrinsic(Intrinsic::ctlz, v.mask.laneBits(), v.b.getTrue());
    Value *last = v.b.CreateSub(
        ConstantInt::get(v.mask.bitsType(), v.mask.bitsType()->getBitWidth() - 1), above);
    value = v.b.CreateExtractElement(v.vectorOf(old.getValueOperand()), last);
  }
  auto *copy = cast<StoreInst>(old.clone());
  copy->setOperand(0, value);
  copy->setOperand(1, v.scalarOf(old.getPointerOperand()));
  v.b.Insert(copy);
}

} // namespace heddle::engine::simd
