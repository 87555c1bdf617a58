// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logic, shifts and bit fields (PTX ISA, "Logic and Shift Instructions", and the bit operations of
// "Integer Arithmetic Instructions").
#include "module/ptx/instructions/instructions.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

enum class Shift { Left, Right };

// value << amount or value >> amount, where amounts beyond the width shift everything out.
Value *shiftClamped(IRBuilder<> &builder, Value *value, Value *amount, Shift direction,
                    bool is_signed = false) {
  Type *type = value->getType();
  const unsigned width = type->getIntegerBitWidth();
  Value *last = ConstantInt::get(amount->getType(), width - 1);
  Value *inside = builder.CreateICmpULE(amount, last);
  Value *clamped = builder.CreateZExtOrTrunc(builder.CreateSelect(inside, amount, last), type);
  if (is_signed)
    return builder.CreateAShr(value, clamped); // by width - 1 leaves the sign everywhere
  Value *result = direction == Shift::Left ? builder.CreateShl(value, clamped)
                                           : builder.CreateLShr(value, clamped);
  return builder.CreateSelect(inside, result, Constant::getNullValue(type));
}

PtxHandler logic(Instruction::BinaryOps operation) {
  return [operation](PtxInstruction &in) {
    const PtxType type = in.takeType();
    in.write(type, in.builder.CreateBinOp(operation, in.read(1, type), in.read(2, type)));
  };
}

PtxHandler shift(Shift direction) {
  return [direction](PtxInstruction &in) {
    const PtxType type = in.takeType();
    in.write(type, shiftClamped(in.builder, in.read(1, type), in.readU32(2), direction,
                                direction == Shift::Right && type.isSigned()));
  };
}

// shf: the 64 bits b:a shifted left or right; the upper or lower word.
void emitFunnelShift(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const bool left = in.take("l") || !in.take("r");
  const bool wrap = in.take("wrap") || !in.take("clamp");
  const PtxType type = in.takeType();
  Value *a = in.readU32(1), *b = in.readU32(2), *amount = in.readU32(3);
  amount = wrap ? builder.CreateAnd(amount, 31)
                : builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, builder.getInt32(32));
  Type *wide = builder.getInt64Ty();
  Value *both = builder.CreateOr(builder.CreateShl(builder.CreateZExt(b, wide), 32),
                                 builder.CreateZExt(a, wide));
  amount = builder.CreateZExt(amount, wide);
  Value *result = left ? builder.CreateLShr(builder.CreateShl(both, amount), 32)
                       : builder.CreateLShr(both, amount);
  in.write(type, builder.CreateTrunc(result, builder.getInt32Ty()));
}

// lop3: any function of three bits, given as a table of its eight results.
// With .and or .or it also says whether the result is not 0, combined with a predicate.
void emitLop3(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const std::string combine = in.takeOneOf({"and", "or"});
  const PtxType type = in.takeType();
  Value *a = in.read(1, type), *b = in.read(2, type), *c = in.read(3, type);
  const int64_t results = in.emitter.constant(in.operand(4));
  // With a and b fixed, what remains is a function of c.
  auto ofC = [&](unsigned row) -> Value * {
    Value *const choices[] = {builder.getInt32(0), builder.CreateNot(c), c, builder.getInt32(~0u)};
    return choices[results >> (2 * row) & 3];
  };
  auto choose = [&](Value *bits, Value *when_one, Value *when_zero) {
    if (when_one == when_zero)
      return when_one;
    Value *difference = builder.CreateXor(when_one, when_zero);
    return builder.CreateXor(when_zero, builder.CreateAnd(bits, difference));
  };
  Value *with_a = choose(b, ofC(3), ofC(2)), *without_a = choose(b, ofC(1), ofC(0));
  Value *result = choose(a, with_a, without_a);
  if (combine.empty())
    return in.write(type, result);
  const PtxOperand &destination = in.operand(0);
  if (destination.kind != PtxOperand::Pair)
    throw PtxError("without a predicate");
  Value *any = builder.CreateIsNotNull(result), *other = in.readPredicate(5);
  in.emitter.write(destination.elements[0], type, result);
  in.emitter.write(destination.elements[1], {PtxType::Predicate, 1},
                   combine == "and" ? builder.CreateAnd(any, other) : builder.CreateOr(any, other));
}

PtxHandler count(Intrinsic::ID id) {
  return [id](PtxInstruction &in) {
    const PtxType type = in.takeType();
    Value *a = in.read(1, type);
    Value *counted = id == Intrinsic::ctlz
                         ? in.builder.CreateBinaryIntrinsic(id, a, in.builder.getFalse())
                         : in.builder.CreateUnaryIntrinsic(id, a);
    in.write({PtxType::Unsigned, 32},
             in.builder.CreateZExtOrTrunc(counted, in.builder.getInt32Ty()));
  };
}

// bfind: the position of the highest bit that differs from the sign, or all ones.
void emitBfind(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const bool as_shift = in.take("shiftamt");
  const PtxType type = in.takeType();
  Value *a = in.read(1, type);
  if (type.isSigned())
    a = builder.CreateXor(a, builder.CreateAShr(a, type.bits - 1));
  Value *zeros = builder.CreateBinaryIntrinsic(Intrinsic::ctlz, a, builder.getFalse());
  zeros = builder.CreateZExtOrTrunc(zeros, builder.getInt32Ty());
  Value *position = as_shift ? zeros : builder.CreateSub(builder.getInt32(type.bits - 1), zeros);
  Value *none = builder.CreateICmpEQ(a, Constant::getNullValue(a->getType()));
  in.write({PtxType::Unsigned, 32}, builder.CreateSelect(none, builder.getInt32(~0u), position));
}

// As many ones as `length` says, from the lowest bit on.
Value *lowOnes(IRBuilder<> &builder, Type *type, Value *length) {
  Value *above = shiftClamped(builder, Constant::getAllOnesValue(type), length, Shift::Left);
  return builder.CreateNot(above);
}

// The position or length of a bit field. The PTX ISA allows 0 to 255; beyond, an H200 takes the low
// byte for fields of 32 bits and the largest value for those of 64.
Value *readFieldSize(PtxInstruction &in, size_t i, PtxType type) {
  Value *size = in.readU32(i);
  return type.bits == 64
             ? in.builder.CreateBinaryIntrinsic(Intrinsic::umin, size, in.builder.getInt32(255))
             : in.builder.CreateAnd(size, 255);
}

void emitBfe(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const PtxType type = in.takeType();
  Value *a = in.read(1, type), *position = readFieldSize(in, 2, type),
        *length = readFieldSize(in, 3, type);
  Value *mask = lowOnes(builder, a->getType(), length);
  Value *field = builder.CreateAnd(shiftClamped(builder, a, position, Shift::Right), mask);
  if (type.isSigned()) {
    // The field's last bit, or the value's if the field reaches beyond it, fills the rest.
    Value *end = builder.CreateSub(builder.CreateAdd(position, length), builder.getInt32(1));
    Value *last =
        builder.CreateBinaryIntrinsic(Intrinsic::umin, end, builder.getInt32(type.bits - 1));
    Value *bit = builder.CreateTrunc(
        builder.CreateLShr(a, builder.CreateZExtOrTrunc(last, a->getType())), builder.getInt1Ty());
    bit = builder.CreateAnd(bit, builder.CreateICmpNE(length, builder.getInt32(0)));
    Value *room =
        shiftClamped(builder, Constant::getAllOnesValue(a->getType()), position, Shift::Right);
    Value *rest = builder.CreateNot(builder.CreateAnd(mask, room));
    field = builder.CreateSelect(bit, builder.CreateOr(field, rest), field);
  }
  in.write(type, field);
}

void emitBfi(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const PtxType type = in.takeType();
  Value *a = in.read(1, type), *b = in.read(2, type);
  Value *position = readFieldSize(in, 3, type), *length = readFieldSize(in, 4, type);
  Value *mask =
      shiftClamped(builder, lowOnes(builder, a->getType(), length), position, Shift::Left);
  Value *inserted = builder.CreateAnd(shiftClamped(builder, a, position, Shift::Left), mask);
  in.write(type, builder.CreateOr(inserted, builder.CreateAnd(b, builder.CreateNot(mask))));
}

void emitBmsk(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const bool wrap = in.take("wrap") || !in.take("clamp");
  const PtxType type = in.takeType();
  Value *position = in.readU32(1), *length = in.readU32(2);
  if (wrap) {
    position = builder.CreateAnd(position, 31);
    length = builder.CreateAnd(length, 31);
  }
  in.write(type, shiftClamped(builder, lowOnes(builder, builder.getInt32Ty(), length), position,
                              Shift::Left));
}

// szext: the lowest b bits of a, extended with zeros or their highest bit.
void emitSzext(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const bool wrap = in.take("wrap") || !in.take("clamp");
  const PtxType type = in.takeType();
  Value *a = in.readU32(1), *length = in.readU32(2);
  if (wrap)
    length = builder.CreateAnd(length, 31);
  Value *result = builder.CreateAnd(a, lowOnes(builder, a->getType(), length));
  if (type.isSigned()) {
    Value *clamped = builder.CreateBinaryIntrinsic(Intrinsic::umin, length, builder.getInt32(32));
    Value *above = builder.CreateSub(builder.getInt32(32), clamped);
    Value *none = builder.CreateICmpEQ(clamped, builder.getInt32(0));
    above = builder.CreateSelect(none, builder.getInt32(0), above);
    Value *extended = builder.CreateAShr(builder.CreateShl(a, above), above);
    result = builder.CreateSelect(none, builder.getInt32(0), extended);
  }
  in.write(type, result);
}

// Which of the eight bytes b:a goes to byte `i` of prmt's result; bit 3 asks for its sign instead.
Value *permuteSelector(IRBuilder<> &builder, StringRef mode, Value *c, unsigned i) {
  auto number = [&](unsigned value) { return builder.getInt32(value); };
  if (mode.empty())
    return builder.CreateAnd(builder.CreateLShr(c, 4 * i), 15);
  Value *start = builder.CreateAnd(c, 3);
  if (mode == "f4e")
    return builder.CreateAdd(start, number(i));
  if (mode == "b4e")
    return builder.CreateAnd(builder.CreateSub(start, number(i)), 7);
  if (mode == "rc8")
    return start;
  if (mode == "ecl")
    return builder.CreateBinaryIntrinsic(Intrinsic::umax, start, number(i));
  if (mode == "ecr")
    return builder.CreateBinaryIntrinsic(Intrinsic::umin, start, number(i));
  return builder.CreateAdd(builder.CreateShl(builder.CreateAnd(c, 1), 1), number(i & 1)); // rc16
}

void emitPermute(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const std::string mode = in.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  const PtxType type = in.takeType();
  Type *wide = builder.getInt64Ty();
  Value *bytes = builder.CreateOr(builder.CreateShl(builder.CreateZExt(in.readU32(2), wide), 32),
                                  builder.CreateZExt(in.readU32(1), wide));
  Value *c = in.readU32(3), *result = builder.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *selector = permuteSelector(builder, mode, c, i);
    Value *distance = builder.CreateShl(builder.CreateAnd(selector, 7), 3);
    Value *byte = builder.CreateTrunc(builder.CreateLShr(bytes, builder.CreateZExt(distance, wide)),
                                      builder.getInt8Ty());
    Value *sign = builder.CreateAShr(byte, 7);
    Value *wants_sign = builder.CreateICmpNE(builder.CreateAnd(selector, 8), builder.getInt32(0));
    byte = builder.CreateZExt(builder.CreateSelect(wants_sign, sign, byte), builder.getInt32Ty());
    result = builder.CreateOr(result, builder.CreateShl(byte, 8 * i));
  }
  in.write(type, result);
}

// Where the (n+1)-th set bit is, if there are as many: whether it is in the lower half, and so on.
Value *positionOfBit(IRBuilder<> &builder, Value *bits, Value *n) {
  Value *position = builder.getInt32(0);
  for (uint32_t width = 16; width > 0; width /= 2) {
    Value *below = builder.CreateUnaryIntrinsic(
        Intrinsic::ctpop, builder.CreateAnd(bits, (uint32_t(1) << width) - 1));
    Value *above = builder.CreateICmpUGE(n, below);
    n = builder.CreateSelect(above, builder.CreateSub(n, below), n);
    bits = builder.CreateSelect(above, builder.CreateLShr(bits, width), bits);
    position =
        builder.CreateSelect(above, builder.CreateAdd(position, builder.getInt32(width)), position);
  }
  return position;
}

// fns.b32 d, mask, base, offset: the offset-th set bit from bit `base` upwards, or downwards if
// offset is negative; 0 asks for bit `base` itself. All ones if there is none.
void emitFindSet(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  if (!in.take("b32"))
    throw PtxError("");
  Value *mask = in.readU32(1), *base = in.readU32(2);
  Value *offset = in.read(3, {PtxType::Signed, 32}), *zero = builder.getInt32(0);
  // Mirrored, counting down is counting up.
  Value *down = builder.CreateICmpSLT(offset, zero);
  Value *bits =
      builder.CreateSelect(down, builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, mask), mask);
  Value *start = builder.CreateAnd(
      builder.CreateSelect(down, builder.CreateSub(builder.getInt32(31), base), base), 31);
  bits = builder.CreateAnd(bits, builder.CreateShl(builder.getInt32(~0u), start));
  Value *is_base = builder.CreateICmpEQ(offset, zero);
  Value *n = builder.CreateSelect(down, builder.CreateNeg(offset), offset);
  n = builder.CreateSub(builder.CreateSelect(is_base, builder.getInt32(1), n), builder.getInt32(1));
  Value *position = positionOfBit(builder, bits, n);
  Value *is_there = builder.CreateICmpULT(n, builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits));
  is_there = builder.CreateAnd(is_there, builder.CreateICmpULT(base, builder.getInt32(32)));
  is_there = builder.CreateAnd(is_there, builder.CreateOr(builder.CreateNot(is_base),
                                                          builder.CreateICmpEQ(position, start)));
  position =
      builder.CreateSelect(down, builder.CreateSub(builder.getInt32(31), position), position);
  in.write({PtxType::Bits, 32}, builder.CreateSelect(is_there, position, builder.getInt32(~0u)));
}

} // namespace

void addBitInstructions(PtxTable &table) {
  StringMap<PtxHandler> &integer = table.integer;
  integer["and"] = logic(Instruction::And);
  integer["or"] = logic(Instruction::Or);
  integer["xor"] = logic(Instruction::Xor);
  integer["not"] = [](PtxInstruction &in) {
    const PtxType type = in.takeType();
    in.write(type, in.builder.CreateNot(in.read(1, type)));
  };
  integer["cnot"] = [](PtxInstruction &in) {
    const PtxType type = in.takeType();
    Value *a = in.read(1, type);
    Value *zero = in.builder.CreateICmpEQ(a, Constant::getNullValue(a->getType()));
    in.write(type, in.builder.CreateZExt(zero, a->getType()));
  };
  integer["shl"] = shift(Shift::Left);
  integer["shr"] = shift(Shift::Right);
  integer["shf"] = emitFunnelShift;
  integer["lop3"] = emitLop3;
  integer["popc"] = count(Intrinsic::ctpop);
  integer["clz"] = count(Intrinsic::ctlz);
  integer["bfind"] = emitBfind;
  integer["brev"] = [](PtxInstruction &in) {
    const PtxType type = in.takeType();
    in.write(type, in.builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, in.read(1, type)));
  };
  integer["bfe"] = emitBfe;
  integer["bfi"] = emitBfi;
  integer["bmsk"] = emitBmsk;
  integer["szext"] = emitSzext;
  integer["prmt"] = emitPermute;
  integer["fns"] = emitFindSet;
}

} // namespace heddle
