// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One operation on a byte, half or word of each operand, and a second one with c (PTX ISA, "Scalar
// Video Instructions"). simd_video.cpp has those on two halves or four bytes.
#include "module/ptx/instructions/video.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

// A part of a register: ".h1" is 16 bits from bit 16.
struct Part {
  unsigned first = 0;
  unsigned bits = 32;
};

Part partOf(StringRef selector) {
  if (selector.empty())
    return {};
  const char digit = selector.size() == 2 ? selector[1] : '9';
  if (selector[0] == 'b' && digit <= '3')
    return {8 * unsigned(digit - '0'), 8};
  if (selector[0] == 'h' && digit <= '1')
    return {16 * unsigned(digit - '0'), 16};
  throw PtxError(("no such part of an operand: '." + selector + "'").str());
}

// The part of `operand` that its selector names, as a number of 64 bits, in which no sum,
// difference or (up to 31 bits) shift overflows.
Value *readPart(PtxInstruction &in, const PtxOperand &operand, PtxType type) {
  const Part part = partOf(operand.selector);
  IRBuilder<> &builder = in.builder;
  Value *word = in.emitter.read(wholeOf(operand), type);
  Value *value =
      builder.CreateTrunc(builder.CreateLShr(word, part.first), builder.getIntNTy(part.bits));
  return builder.CreateIntCast(value, builder.getInt64Ty(), type.isSigned());
}

// Second operations are on words: what does not fit has wrapped.
Value *secondOperation(PtxInstruction &in, const std::string &name, Value *value, Value *c,
                       bool is_signed) {
  if (name == "add")
    return in.builder.CreateAdd(value, c);
  const Intrinsic::ID minimum = is_signed ? Intrinsic::smin : Intrinsic::umin;
  const Intrinsic::ID maximum = is_signed ? Intrinsic::smax : Intrinsic::umax;
  return in.builder.CreateBinaryIntrinsic(name == "min" ? minimum : maximum, value, c);
}

// `value`, of 64 bits, goes to a part of d beside the rest of c, or through an operation with c, or
// to d as it is.
void finishScalar(PtxInstruction &in, Value *value, bool is_signed) {
  IRBuilder<> &builder = in.builder;
  const std::string second = in.takeOneOf({"add", "min", "max"});
  const Part part = partOf(in.operand(0).selector);
  const bool merges = !in.operand(0).selector.empty();
  if (merges && !second.empty())
    throw PtxError("both a second operation and a part of the result");
  if (in.take("sat"))
    value = clampTo(builder, value, part.bits, is_signed);
  Value *word = builder.CreateTrunc(value, builder.getInt32Ty());
  requireOperands(in, merges || !second.empty() ? 4 : 3);
  if (!second.empty())
    word = secondOperation(in, second, word, in.readU32(3), is_signed);
  if (merges) {
    const uint32_t mask = ((1u << part.bits) - 1) << part.first;
    Value *moved = builder.CreateAnd(builder.CreateShl(word, part.first), mask);
    word = builder.CreateOr(moved, builder.CreateAnd(in.readU32(3), ~mask));
  }
  in.emitter.write(wholeOf(in.operand(0)), {PtxType::Bits, 32}, word);
}

PtxHandler arithmetic(VideoOperation compute) {
  return [compute](PtxInstruction &in) {
    const VideoTypes types = takeVideoTypes(in);
    Value *a = readPart(in, in.operand(1), types.a), *b = readPart(in, in.operand(2), types.b);
    finishScalar(in, compute(in.builder, a, b), types.result.isSigned());
  };
}

void emitSet(PtxInstruction &in) {
  const CmpInst::Predicate predicate = takeComparison(in);
  const PtxType a = takeVideoType(in), b = takeVideoType(in);
  Value *holds = in.builder.CreateICmp(predicate, readPart(in, in.operand(1), a),
                                       readPart(in, in.operand(2), b));
  finishScalar(in, in.builder.CreateZExt(holds, in.builder.getInt64Ty()), false);
}

void emitShift(PtxInstruction &in, bool left) {
  IRBuilder<> &builder = in.builder;
  const VideoTypes types = takeVideoTypes(in);
  if (types.b.isSigned())
    throw PtxError("a signed distance");
  Value *a = readPart(in, in.operand(1), types.a), *distance = readPart(in, in.operand(2), types.b);
  const std::string mode = in.takeOneOf({"clamp", "wrap"});
  if (mode.empty())
    throw PtxError("neither .clamp nor .wrap");
  distance = mode == "wrap"
                 ? builder.CreateAnd(distance, 31)
                 : builder.CreateBinaryIntrinsic(Intrinsic::umin, distance, builder.getInt64(32));
  if (!left) {
    finishScalar(in, builder.CreateAShr(a, distance), types.result.isSigned());
    return;
  }
  // A word shifted by 32 may need more than 64 bits. What is far out of range stays so if it is
  // clamped before the last step, and then .sat sees which way it went.
  Value *last = builder.CreateLShr(distance, 5);
  Value *shifted = builder.CreateShl(a, builder.CreateSub(distance, last));
  // Without .sat the low 32 bits count, which clamping would lose.
  if (is_contained(in.statement.modifiers, "sat"))
    shifted = clampTo(builder, shifted, 40, true);
  finishScalar(in, builder.CreateShl(shifted, last), types.result.isSigned());
}

// a * b + c, where one of the product and c may be negated, or 1 is added, then shifted. The
// product of two unsigned words and c take more than 64 bits, which .sat asks for.
void emitMultiplyAdd(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const VideoTypes types = takeVideoTypes(in);
  const bool plus_one = in.take("po"), saturate = in.take("sat");
  const std::string scale = in.takeOneOf({"shr7", "shr15"});
  requireOperands(in, 4);
  const PtxOperand &a = in.operand(1), &b = in.operand(2), &c = in.operand(3);
  const bool negates = a.minus != b.minus;
  if (plus_one && (a.minus || b.minus || c.minus))
    throw PtxError("'-' with .po");
  if (negates && c.minus)
    throw PtxError("both the product and c are negated");
  const bool is_signed = types.a.isSigned() || types.b.isSigned() || negates || c.minus;
  Type *wide = saturate ? builder.getInt128Ty() : builder.getInt64Ty();
  auto read = [&](PtxOperand operand, PtxType type) {
    operand.minus = false;
    return builder.CreateSExt(readPart(in, operand, type), wide);
  };
  Value *product = builder.CreateMul(read(a, types.a), read(b, types.b));
  Value *addend = read(c, {is_signed ? PtxType::Signed : PtxType::Unsigned, 32});
  if (negates)
    product = builder.CreateNeg(product);
  Value *sum = c.minus ? builder.CreateSub(product, addend) : builder.CreateAdd(product, addend);
  if (plus_one)
    sum = builder.CreateAdd(sum, ConstantInt::get(wide, 1));
  if (!scale.empty())
    sum = builder.CreateAShr(sum, scale == "shr7" ? 7 : 15);
  if (saturate)
    sum = clampTo(builder, sum, 32, is_signed);
  in.write({PtxType::Bits, 32}, builder.CreateTrunc(sum, builder.getInt32Ty()));
}

} // namespace

PtxOperand wholeOf(PtxOperand operand) {
  operand.selector.clear();
  return operand;
}

PtxType takeVideoType(PtxInstruction &in) {
  const PtxType type = in.takeType();
  if (type.bits != 32 || type.lanes != 1 || type.kind == PtxType::Bits || !type.isInteger())
    throw PtxError("types other than .u32 and .s32");
  return type;
}

VideoTypes takeVideoTypes(PtxInstruction &in) {
  VideoTypes types;
  types.result = takeVideoType(in);
  types.a = takeVideoType(in);
  types.b = takeVideoType(in);
  return types;
}

CmpInst::Predicate takeComparison(PtxInstruction &in) {
  const std::string name = in.takeOneOf({"eq", "ne", "lt", "le", "gt", "ge"});
  if (name.empty())
    throw PtxError("no comparison");
  return name == "eq"   ? CmpInst::ICMP_EQ
         : name == "ne" ? CmpInst::ICMP_NE
         : name == "lt" ? CmpInst::ICMP_SLT
         : name == "le" ? CmpInst::ICMP_SLE
         : name == "gt" ? CmpInst::ICMP_SGT
                        : CmpInst::ICMP_SGE;
}

void requireOperands(const PtxInstruction &in, size_t count) {
  if (in.count() != count)
    throw PtxError("it takes " + std::to_string(count) + " operands in this form");
}

Value *clampTo(IRBuilder<> &builder, Value *value, unsigned bits, bool is_signed) {
  const unsigned width = value->getType()->getIntegerBitWidth();
  auto limit = [&](const APInt &number) {
    return builder.getInt(is_signed ? number.sext(width) : number.zext(width));
  };
  const APInt low = is_signed ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits);
  const APInt high = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  value = builder.CreateBinaryIntrinsic(Intrinsic::smax, value, limit(low));
  return builder.CreateBinaryIntrinsic(Intrinsic::smin, value, limit(high));
}

StringMap<VideoOperation> videoOperations() {
  auto choose = [](Intrinsic::ID id) {
    return [id](IRBuilder<> &builder, Value *a, Value *b) {
      return builder.CreateBinaryIntrinsic(id, a, b);
    };
  };
  StringMap<VideoOperation> all;
  all["vadd"] = [](IRBuilder<> &builder, Value *a, Value *b) { return builder.CreateAdd(a, b); };
  all["vsub"] = [](IRBuilder<> &builder, Value *a, Value *b) { return builder.CreateSub(a, b); };
  all["vabsdiff"] = [](IRBuilder<> &builder, Value *a, Value *b) {
    return builder.CreateBinaryIntrinsic(Intrinsic::abs, builder.CreateSub(a, b),
                                         builder.getFalse());
  };
  all["vmin"] = choose(Intrinsic::smin);
  all["vmax"] = choose(Intrinsic::smax);
  return all;
}

void addVideoInstructions(PtxTable &table) {
  for (const auto &entry : videoOperations())
    table.integer[entry.getKey()] = arithmetic(entry.getValue());
  table.integer["vset"] = emitSet;
  table.integer["vshl"] = [](PtxInstruction &in) { emitShift(in, true); };
  table.integer["vshr"] = [](PtxInstruction &in) { emitShift(in, false); };
  table.integer["vmad"] = emitMultiplyAdd;
}

} // namespace heddle
