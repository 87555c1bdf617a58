// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/instructions/math.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

Value *magnitude(IRBuilder<> &builder, Value *value) {
  return builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
}

Value *canonicalNaN(Type *type) {
  const unsigned bits = type->getPrimitiveSizeInBits();
  const APInt pattern = bits == 32 ? APInt(32, 0x7fffffff) : APInt(64, 0xfff8000000000000);
  return ConstantFP::get(type, APFloat(type->getFltSemantics(), pattern));
}

Value *pick(IRBuilder<> &builder, Intrinsic::ID id, Value *a, Value *b, bool keep_nan) {
  Value *result = builder.CreateBinaryIntrinsic(id, a, b);
  Value *a_is_nan = isNaN(builder, a), *b_is_nan = isNaN(builder, b);
  Value *nan = canonicalNaN(a->getType());
  if (keep_nan)
    return builder.CreateSelect(builder.CreateOr(a_is_nan, b_is_nan), nan, result);
  Value *other = builder.CreateSelect(b_is_nan, a, result);
  return builder.CreateSelect(a_is_nan, builder.CreateSelect(b_is_nan, nan, b), other);
}

Value *floatBits(IRBuilder<> &builder, Value *value) {
  return builder.CreateBitCast(value, builder.getInt32Ty());
}

// Rounded toward zero.
Value *truncateToHalf(IRBuilder<> &builder, PtxType type, Value *value) {
  if (type.kind == PtxType::BFloat)
    return builder.CreateTrunc(builder.CreateLShr(floatBits(builder, value), 16),
                               builder.getInt16Ty());
  Value *nearest = builder.CreateBitCast(builder.CreateFPTrunc(value, builder.getHalfTy()),
                                         builder.getInt16Ty());
  Value *back = widenHalf(builder, type, nearest);
  Value *too_large = builder.CreateFCmpOGT(magnitude(builder, back), magnitude(builder, value));
  return builder.CreateSub(nearest, builder.CreateZExt(too_large, builder.getInt16Ty()));
}

Value *nearestHalf(IRBuilder<> &builder, PtxType type, Value *value) {
  if (type.kind == PtxType::Float)
    return builder.CreateBitCast(builder.CreateFPTrunc(value, builder.getHalfTy()),
                                 builder.getInt16Ty());
  Value *bits = floatBits(builder, value);
  Value *last = builder.CreateAnd(builder.CreateLShr(bits, 16), 1);
  bits = builder.CreateAdd(bits, builder.CreateAdd(last, builder.getInt32(0x7fff)));
  return builder.CreateTrunc(builder.CreateLShr(bits, 16), builder.getInt16Ty());
}

} // namespace

Value *isNaN(IRBuilder<> &builder, Value *value) { return builder.CreateFCmpUNO(value, value); }

Value *flushSubnormal(IRBuilder<> &builder, Value *value) {
  if (!value->getType()->isFloatTy())
    return value;
  Value *tiny =
      builder.CreateFCmpOLT(magnitude(builder, value), ConstantFP::get(value->getType(), 0x1p-126));
  Value *zero = builder.CreateBinaryIntrinsic(Intrinsic::copysign,
                                              ConstantFP::get(value->getType(), 0.0), value);
  return builder.CreateSelect(tiny, zero, value);
}

Value *saturateToOne(IRBuilder<> &builder, Value *value) {
  Value *zero = ConstantFP::get(value->getType(), 0.0), *one = ConstantFP::get(value->getType(), 1);
  Value *below_one = builder.CreateSelect(builder.CreateFCmpOLT(value, one), value, one);
  return builder.CreateSelect(builder.CreateFCmpOGT(value, zero), below_one, zero);
}

Value *minimumOf(IRBuilder<> &builder, Value *a, Value *b, bool keep_nan) {
  return pick(builder, Intrinsic::minimum, a, b, keep_nan);
}

Value *maximumOf(IRBuilder<> &builder, Value *a, Value *b, bool keep_nan) {
  return pick(builder, Intrinsic::maximum, a, b, keep_nan);
}

Value *widenHalf(IRBuilder<> &builder, PtxType type, Value *bits) {
  if (type.kind == PtxType::Float)
    return builder.CreateFPExt(builder.CreateBitCast(bits, builder.getHalfTy()),
                               builder.getFloatTy());
  Value *wide = builder.CreateShl(builder.CreateZExt(bits, builder.getInt32Ty()), 16);
  return builder.CreateBitCast(wide, builder.getFloatTy());
}

Value *narrowToHalf(IRBuilder<> &builder, PtxType type, Value *value, StringRef rounding) {
  Value *result = nullptr;
  if (rounding == "rn") {
    result = nearestHalf(builder, type, value);
  } else {
    result = truncateToHalf(builder, type, value);
    if (rounding != "rz") {
      // Away from zero where that is the direction and something was cut off.
      Value *back = widenHalf(builder, type, result);
      Value *step = rounding == "ru" ? builder.CreateFCmpOLT(back, value)
                                     : builder.CreateFCmpOGT(back, value);
      result = builder.CreateAdd(result, builder.CreateZExt(step, builder.getInt16Ty()));
    }
  }
  return builder.CreateSelect(isNaN(builder, value), builder.getInt16(0x7fff), result);
}

Value *roundToOdd(IRBuilder<> &builder, Value *nearest, Value *inexact, Value *too_large) {
  Type *integer = builder.getIntNTy(nearest->getType()->getPrimitiveSizeInBits());
  Value *bits = builder.CreateBitCast(nearest, integer);
  bits = builder.CreateSub(bits, builder.CreateZExt(too_large, integer));
  bits = builder.CreateOr(bits, builder.CreateZExt(inexact, integer));
  return builder.CreateBitCast(bits, nearest->getType());
}

Value *narrowToOdd(IRBuilder<> &builder, Value *value) {
  Value *nearest = builder.CreateFPTrunc(value, builder.getFloatTy());
  Value *back = builder.CreateFPExt(nearest, value->getType());
  Value *inexact = builder.CreateFCmpONE(back, value);
  Value *too_large = builder.CreateFCmpOGT(magnitude(builder, back), magnitude(builder, value));
  return roundToOdd(builder, nearest, inexact, too_large);
}

} // namespace heddle
