// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic without carries (PTX ISA, "Integer Arithmetic Instructions").
#include "module/ptx/instructions/instructions.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

enum class Half { Low, High, Wide };

Half takeHalf(PtxInstruction &in) {
  const std::string half = in.takeOneOf({"lo", "hi", "wide"});
  return half == "hi" ? Half::High : half == "wide" ? Half::Wide : Half::Low;
}

Value *extend(IRBuilder<> &builder, Value *value, unsigned bits, bool is_signed) {
  return builder.CreateIntCast(value, builder.getIntNTy(bits), is_signed);
}

// Half of the double-width product, or all of it.
Value *multiply(IRBuilder<> &builder, PtxType type, Value *a, Value *b, Half half) {
  if (half == Half::Low)
    return builder.CreateMul(a, b);
  Value *wide = builder.CreateMul(extend(builder, a, 2 * type.bits, type.isSigned()),
                                  extend(builder, b, 2 * type.bits, type.isSigned()));
  if (half == Half::Wide)
    return wide;
  return builder.CreateTrunc(builder.CreateLShr(wide, type.bits), a->getType());
}

// The lower 24 bits of each operand count; hi takes bits 16 to 47 of the product.
Value *multiply24(IRBuilder<> &builder, PtxType type, Value *a, Value *b, Half half) {
  auto narrow = [&](Value *value) {
    Value *low = builder.CreateTrunc(value, builder.getIntNTy(24));
    return extend(builder, low, 64, type.isSigned());
  };
  Value *product = builder.CreateMul(narrow(a), narrow(b));
  return builder.CreateTrunc(half == Half::High ? builder.CreateLShr(product, 16) : product,
                             a->getType());
}

// A handler that sees two 16-bit lanes as a vector.
using Binary = Value *(*)(PtxInstruction &, PtxType, Value *, Value *);
PtxHandler binary(Binary compute) {
  return [compute](PtxInstruction &in) {
    const PtxType type = in.takeType();
    Value *a = in.read(1, type), *b = in.read(2, type);
    if (type.lanes == 1) {
      in.write(type, compute(in, type, a, b));
      return;
    }
    Type *lanes = FixedVectorType::get(in.builder.getInt16Ty(), type.lanes);
    Value *result =
        compute(in, type, in.builder.CreateBitCast(a, lanes), in.builder.CreateBitCast(b, lanes));
    in.write(type, in.builder.CreateBitCast(result, a->getType()));
  };
}

Value *addOrSubtract(PtxInstruction &in, PtxType type, Value *a, Value *b, bool add) {
  if (!in.take("sat"))
    return add ? in.builder.CreateAdd(a, b) : in.builder.CreateSub(a, b);
  if (!type.isSigned())
    throw PtxError("modifier '.sat'");
  return in.builder.CreateBinaryIntrinsic(add ? Intrinsic::sadd_sat : Intrinsic::ssub_sat, a, b);
}

Value *minimumOrMaximum(PtxInstruction &in, PtxType type, Value *a, Value *b, bool minimum) {
  const Intrinsic::ID id = type.isSigned() ? (minimum ? Intrinsic::smin : Intrinsic::smax)
                                           : (minimum ? Intrinsic::umin : Intrinsic::umax);
  Value *result = in.builder.CreateBinaryIntrinsic(id, a, b);
  if (in.take("relu")) // for signed types only
    result = in.builder.CreateBinaryIntrinsic(Intrinsic::smax, result,
                                              Constant::getNullValue(result->getType()));
  return result;
}

Value *divide(PtxInstruction &in, PtxType type, Value *a, Value *b) {
  return type.isSigned() ? in.builder.CreateSDiv(a, b) : in.builder.CreateUDiv(a, b);
}

Value *remainder(PtxInstruction &in, PtxType type, Value *a, Value *b) {
  Value *rest = type.isSigned() ? in.builder.CreateSRem(a, b) : in.builder.CreateURem(a, b);
  // Measured on an H200: x rem 0 is all ones.
  Value *none = in.builder.CreateICmpEQ(b, Constant::getNullValue(b->getType()));
  return in.builder.CreateSelect(none, Constant::getAllOnesValue(b->getType()), rest);
}

void emitMul(PtxInstruction &in) {
  const Half half = takeHalf(in);
  const PtxType type = in.takeType();
  Value *product = multiply(in.builder, type, in.read(1, type), in.read(2, type), half);
  in.write({type.kind, half == Half::Wide ? 2 * type.bits : type.bits}, product);
}

void emitMul24(PtxInstruction &in) {
  const Half half = takeHalf(in);
  const PtxType type = in.takeType();
  in.write(type, multiply24(in.builder, type, in.read(1, type), in.read(2, type), half));
}

void emitMad24(PtxInstruction &in) {
  const Half half = takeHalf(in);
  const bool saturate = in.take("sat");
  const PtxType type = in.takeType();
  Value *product = multiply24(in.builder, type, in.read(1, type), in.read(2, type), half);
  Value *addend = in.read(3, type);
  in.write(type, saturate ? in.builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, product, addend)
                          : in.builder.CreateAdd(product, addend));
}

void emitSad(PtxInstruction &in) {
  const PtxType type = in.takeType();
  Value *a = in.read(1, type), *b = in.read(2, type);
  IRBuilder<> &builder = in.builder;
  Value *less = type.isSigned() ? builder.CreateICmpSLT(a, b) : builder.CreateICmpULT(a, b);
  Value *difference = builder.CreateSelect(less, builder.CreateSub(b, a), builder.CreateSub(a, b));
  in.write(type, builder.CreateAdd(in.read(3, type), difference));
}

void emitAbs(PtxInstruction &in) {
  const PtxType type = in.takeType();
  in.write(type, in.builder.CreateBinaryIntrinsic(Intrinsic::abs, in.read(1, type),
                                                  in.builder.getFalse()));
}

// d = c + the sum of the products of four bytes, or of two 16-bit halves with two bytes.
void emitDotProduct(PtxInstruction &in, unsigned a_bits) {
  IRBuilder<> &builder = in.builder;
  const bool high_bytes = a_bits == 16 && in.takeOneOf({"lo", "hi"}) == "hi";
  const PtxType a_type = in.takeType(), b_type = in.takeType();
  Value *a = in.readU32(1), *b = in.readU32(2), *sum = in.readU32(3);
  auto part = [&](Value *from, unsigned bits, unsigned number, PtxType type) {
    Value *low =
        builder.CreateTrunc(builder.CreateLShr(from, bits * number), builder.getIntNTy(bits));
    return extend(builder, low, 32, type.isSigned());
  };
  for (unsigned i = 0; i < 32 / a_bits; ++i)
    sum = builder.CreateAdd(sum, builder.CreateMul(part(a, a_bits, i, a_type),
                                                   part(b, 8, i + (high_bytes ? 2 : 0), b_type)));
  in.write({PtxType::Bits, 32}, sum);
}

} // namespace

void addIntegerInstructions(PtxTable &table) {
  table.integer["min"] = binary([](PtxInstruction &in, PtxType type, Value *a, Value *b) {
    return minimumOrMaximum(in, type, a, b, true);
  });
  table.integer["max"] = binary([](PtxInstruction &in, PtxType type, Value *a, Value *b) {
    return minimumOrMaximum(in, type, a, b, false);
  });
  table.integer["div"] = binary(divide);
  table.integer["rem"] = binary(remainder);
  table.integer["mul"] = emitMul;
  table.integer["mul24"] = emitMul24;
  table.integer["mad24"] = emitMad24;
  table.integer["sad"] = emitSad;
  table.integer["abs"] = emitAbs;
  table.integer["neg"] = [](PtxInstruction &in) {
    const PtxType type = in.takeType();
    in.write(type, in.builder.CreateNeg(in.read(1, type)));
  };
  table.integer["dp4a"] = [](PtxInstruction &in) { emitDotProduct(in, 8); };
  table.integer["dp2a"] = [](PtxInstruction &in) { emitDotProduct(in, 16); };
  // With a carry, ptx_carry.cpp.
  const PtxHandler add = binary([](PtxInstruction &in, PtxType type, Value *a, Value *b) {
    return addOrSubtract(in, type, a, b, true);
  });
  const PtxHandler subtract = binary([](PtxInstruction &in, PtxType type, Value *a, Value *b) {
    return addOrSubtract(in, type, a, b, false);
  });
  table.integer["add"] = add;
  table.integer["sub"] = subtract;
  table.integer["mad"] = [](PtxInstruction &in) {
    const Half half = takeHalf(in);
    const bool saturate = in.take("sat");
    const PtxType type = in.takeType();
    const PtxType result{type.kind, half == Half::Wide ? 2 * type.bits : type.bits};
    Value *product = multiply(in.builder, type, in.read(1, type), in.read(2, type), half);
    Value *addend = in.read(3, result);
    in.write(result, saturate
                         ? in.builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, product, addend)
                         : in.builder.CreateAdd(product, addend));
  };
}

} // namespace heddle
