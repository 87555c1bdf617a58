// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt: every pair of integer, floating-point and half types (PTX ISA, "cvt").
#include "module/ptx/instructions/instructions.h"
#include "module/ptx/instructions/math.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

class Conversion {
public:
  explicit Conversion(PtxInstruction &in)
      : in_(in), builder_(in.builder), integral_(in.takeOneOf({"rni", "rzi", "rmi", "rpi"})),
        away_(in.take("rna")), rounding_(in.takeRounding()), relu_(in.take("relu")),
        saturate_(in.take("sat")), flush_(in.take("ftz")), to_(in.takeType()),
        from_(in.takeType()) {
    if (rounding_.empty())
      rounding_ = "rn";
  }

  void emit() {
    if (to_.isFloat8())
      return emitToFloat8();
    if (from_.isFloat8())
      return emitFromFloat8();
    if (to_.lanes == 2)
      return emitPacked();
    if (from_.lanes != 1)
      throw PtxError("conversion from a packed type");
    if (to_.kind == PtxType::TFloat)
      return emitTensorFloat();
    if (to_.isInteger())
      return in_.write(to_, from_.isInteger() ? integerToInteger() : floatToInteger());
    Value *source = from_.isInteger() ? nullptr : readFloat(1);
    if (to_.isHalf())
      return in_.write({PtxType::Bits, 16}, toHalf(source));
    in_.write(to_, finish(source ? floatToFloat(source) : integerToFloat(to_.bits, rounding_)));
  }

private:
  Type *floatType(unsigned bits) {
    return bits == 64 ? builder_.getDoubleTy() : builder_.getFloatTy();
  }

  // Operand `i` as float or double.
  Value *readFloat(size_t i) {
    Value *value = in_.read(i, from_);
    if (from_.isHalf())
      return widenHalf(builder_, from_, value);
    return flush_ ? flushSubnormal(builder_, value) : value;
  }

  Value *finish(Value *value) {
    if (flush_)
      value = flushSubnormal(builder_, value);
    return saturate_ ? saturateToOne(builder_, value) : value;
  }

  // Clamped to what `to_` holds, from an integer of which `is_signed` says how to read it.
  Value *clampInteger(Value *value, bool is_signed) {
    const unsigned width = std::max(value->getType()->getIntegerBitWidth(), to_.bits) + 1;
    Value *wide = builder_.CreateIntCast(value, builder_.getIntNTy(width), is_signed);
    const APInt low =
        to_.isSigned() ? APInt::getSignedMinValue(to_.bits).sext(width) : APInt(width, 0);
    const APInt high = to_.isSigned() ? APInt::getSignedMaxValue(to_.bits).zext(width)
                                      : APInt::getMaxValue(to_.bits).zext(width);
    wide = builder_.CreateBinaryIntrinsic(Intrinsic::smax, wide, builder_.getInt(low));
    wide = builder_.CreateBinaryIntrinsic(Intrinsic::smin, wide, builder_.getInt(high));
    return builder_.CreateTrunc(wide, builder_.getIntNTy(to_.bits));
  }

  // Whether some integers of `from_` are none of `to_`: otherwise .sat is illegal (PTX ISA, "cvt").
  bool canSaturate() const {
    if (from_.isSigned() == to_.isSigned())
      return to_.bits < from_.bits;
    return from_.isSigned() || to_.bits <= from_.bits;
  }

  Value *integerToInteger() {
    if (saturate_ && !canSaturate())
      throw PtxError("illegal modifier '.sat'");
    Value *value = in_.read(1, from_);
    return saturate_
               ? clampInteger(value, from_.isSigned())
               : builder_.CreateIntCast(value, builder_.getIntNTy(to_.bits), from_.isSigned());
  }

  // Results out of range saturate. The device library knows what NaN gives in each case.
  Value *floatToInteger() {
    Value *value = readFloat(1);
    const unsigned bits = std::max(to_.bits, 32u);
    const StringRef direction = StringRef("rzrnrdru")
                                    .substr(2 * (integral_ == "rni"   ? 1
                                                 : integral_ == "rmi" ? 2
                                                 : integral_ == "rpi" ? 3
                                                                      : 0),
                                            2);
    const std::string name =
        (Twine("__nv_") + (value->getType()->isFloatTy() ? "float" : "double") + "2" +
         (to_.isSigned() ? "" : "u") + (bits == 64 ? "ll" : "int") + "_" + direction)
            .str();
    Value *result = in_.emitter.callLibrary(name, builder_.getIntNTy(bits), {value});
    if (to_.bits >= 32)
      return result;
    result = clampInteger(result, to_.isSigned());
    if (!value->getType()->isDoubleTy())
      return result;
    const APInt top = APInt::getSignedMinValue(to_.bits);
    return builder_.CreateSelect(isNaN(builder_, value), builder_.getInt(top), result);
  }

  Value *integerToFloat(unsigned bits, StringRef rounding) {
    const unsigned width = std::max(from_.bits, 32u);
    Value *value =
        builder_.CreateIntCast(in_.read(1, from_), builder_.getIntNTy(width), from_.isSigned());
    if (bits == 64 && width == 32) // exact
      rounding = "rn";
    const std::string name =
        (Twine("__nv_") + (from_.isSigned() ? "" : "u") + (width == 64 ? "ll" : "int") + "2" +
         (bits == 64 ? "double" : "float") + "_" + rounding)
            .str();
    return in_.emitter.callLibrary(name, floatType(bits), {value});
  }

  Value *roundToIntegral(Value *value) {
    const Intrinsic::ID id = integral_ == "rni"   ? Intrinsic::roundeven
                             : integral_ == "rzi" ? Intrinsic::trunc
                             : integral_ == "rmi" ? Intrinsic::floor
                                                  : Intrinsic::ceil;
    return integral_.empty() ? value : builder_.CreateUnaryIntrinsic(id, value);
  }

  Value *floatToFloat(Value *value) {
    value = roundToIntegral(value);
    if (value->getType()->isFloatTy())
      return builder_.CreateFPExt(value, floatType(to_.bits));
    if (to_.bits == 64)
      return value;
    return rounding_ == "rn"
               ? builder_.CreateFPTrunc(value, floatType(32))
               : in_.emitter.callLibrary("__nv_double2float_" + rounding_, floatType(32), {value});
  }

  // `source` is null for an integer. Through a float that was rounded to odd, so that nothing is
  // rounded twice.
  Value *toHalf(Value *source) {
    if (!source) {
      source = integerToFloat(64, "rz");
      if (from_.bits == 64) {
        Value *back = from_.isSigned() ? builder_.CreateFPToSI(source, builder_.getInt64Ty())
                                       : builder_.CreateFPToUI(source, builder_.getInt64Ty());
        Value *inexact = builder_.CreateICmpNE(back, in_.read(1, from_));
        source = roundToOdd(builder_, source, inexact, builder_.getFalse());
      }
    }
    source = roundToIntegral(source);
    if (!source->getType()->isDoubleTy())
      return narrow(source);
    Value *result = narrow(narrowToOdd(builder_, source));
    if (from_.isInteger() || saturate_)
      return result;
    // Measured on an H200: from a double, unlike from a float, NaN keeps its sign.
    Value *bits = builder_.CreateBitCast(source, builder_.getInt64Ty());
    Value *sign = builder_.CreateAnd(builder_.CreateLShr(bits, 48), 0x8000);
    Value *nan = builder_.CreateOr(builder_.CreateTrunc(sign, builder_.getInt16Ty()),
                                   builder_.getInt16(0x7fff));
    return builder_.CreateSelect(isNaN(builder_, source), nan, result);
  }

  Value *narrow(Value *value) {
    if (saturate_)
      value = saturateToOne(builder_, value);
    if (relu_) { // -0 becomes +0, NaN stays
      Value *zero = ConstantFP::get(value->getType(), 0.0);
      value = builder_.CreateSelect(builder_.CreateFCmpOLE(value, zero), zero, value);
    }
    return narrowToHalf(builder_, to_.lane(), value, rounding_);
  }

  // Two floats into one register, the first one into its upper half.
  void emitPacked() {
    if (!to_.isHalf() || from_.bits != 32 || !from_.isFloat())
      throw PtxError("conversion to a packed type");
    Value *high = narrow(readFloat(1)), *low = narrow(readFloat(2));
    Type *whole = builder_.getInt32Ty();
    Value *packed = builder_.CreateOr(builder_.CreateShl(builder_.CreateZExt(high, whole), 16),
                                      builder_.CreateZExt(low, whole));
    in_.write({PtxType::Bits, 32}, packed);
  }

  // Two floats, or two halves in one register, to bytes; the first one is the upper.
  void emitToFloat8() {
    if (!in_.take("satfinite"))
      throw PtxError("without '.satfinite'");
    Value *high = nullptr, *low = nullptr;
    if (from_.isHalf() && from_.lanes == 2) {
      Value *both = in_.read(1, {PtxType::Bits, 32});
      auto half = [&](unsigned shift) {
        return widenHalf(
            builder_, from_.lane(),
            builder_.CreateTrunc(builder_.CreateLShr(both, shift), builder_.getInt16Ty()));
      };
      high = half(16);
      low = half(0);
    } else {
      high = readFloat(1);
      low = readFloat(2);
    }
    auto byte = [&](Value *value) {
      if (relu_) {
        Value *zero = ConstantFP::get(value->getType(), 0.0);
        value = builder_.CreateSelect(builder_.CreateFCmpOLE(value, zero), zero, value);
      }
      return in_.emitter.callLibrary(to_.kind == PtxType::E4M3 ? "__heddle_float_to_e4m3"
                                                               : "__heddle_float_to_e5m2",
                                     builder_.getInt32Ty(), {value});
    };
    Value *packed = builder_.CreateOr(builder_.CreateShl(byte(high), 8), byte(low));
    in_.write({PtxType::Bits, 16}, builder_.CreateTrunc(packed, builder_.getInt16Ty()));
  }

  void emitFromFloat8() {
    if (!to_.isHalf() || to_.kind != PtxType::Float || to_.lanes != 2)
      throw PtxError("conversion from 8-bit numbers to this type");
    Type *word = builder_.getInt32Ty();
    Value *both = builder_.CreateZExt(in_.read(1, {PtxType::Bits, 16}), word), *result = nullptr;
    for (unsigned i = 0; i < 2; ++i) {
      Value *byte = builder_.CreateAnd(builder_.CreateLShr(both, 8 * i), 0xff);
      Value *half = nullptr;
      if (from_.kind == PtxType::E5M2) {
        // The upper byte of a half; NaN has one form.
        Value *is_nan =
            builder_.CreateICmpUGT(builder_.CreateAnd(byte, 0x7f), builder_.getInt32(0x7c));
        half =
            builder_.CreateSelect(is_nan, builder_.getInt32(0x7fff), builder_.CreateShl(byte, 8));
      } else {
        Value *value =
            in_.emitter.callLibrary("__heddle_e4m3_to_float", builder_.getFloatTy(), {byte});
        half = builder_.CreateZExt(narrowToHalf(builder_, to_.lane(), value, "rn"), word);
      }
      if (relu_) { // negative numbers become zero, NaN stays
        Value *negative = builder_.CreateICmpSLT(builder_.CreateTrunc(half, builder_.getInt16Ty()),
                                                 builder_.getInt16(0));
        half = builder_.CreateSelect(negative, builder_.getInt32(0), half);
      }
      result = i == 0 ? half : builder_.CreateOr(result, builder_.CreateShl(half, 16));
    }
    in_.write({PtxType::Bits, 32}, result);
  }

  // tf32 is a float with 10 bits of mantissa.
  void emitTensorFloat() {
    if (from_.bits != 32 || !from_.isFloat())
      throw PtxError("conversion to '.tf32' from this type");
    Value *value = readFloat(1);
    if (relu_)
      value = builder_.CreateSelect(
          builder_.CreateFCmpOLT(value, ConstantFP::get(value->getType(), 0.0)),
          ConstantFP::get(value->getType(), 0.0), value);
    Value *bits = builder_.CreateBitCast(value, builder_.getInt32Ty()), *const before = bits;
    if (away_) {
      bits = builder_.CreateAdd(bits, builder_.getInt32(0x1000));
    } else if (rounding_ == "rn") {
      Value *last = builder_.CreateAnd(builder_.CreateLShr(bits, 13), 1);
      bits = builder_.CreateAdd(bits, builder_.CreateAdd(last, builder_.getInt32(0xfff)));
    } else if (rounding_ != "rz") {
      throw PtxError("this rounding to '.tf32'");
    }
    // A NaN is not rounded.
    bits = builder_.CreateSelect(isNaN(builder_, value), before, bits);
    in_.write({PtxType::Bits, 32}, builder_.CreateAnd(bits, ~uint64_t(0x1fff) & 0xffffffff));
  }

  PtxInstruction &in_;
  IRBuilder<> &builder_;
  const std::string integral_;
  const bool away_;
  std::string rounding_;
  const bool relu_, saturate_, flush_;
  const PtxType to_, from_;
};

// cvt.pack: two integers, each clamped to few bits, below what the fourth operand holds.
void emitPack(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const std::string name = in.takeOneOf({"u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16"});
  if (name.empty() || !in.take("sat") || !in.take("s32"))
    throw PtxError("");
  unsigned bits = 0;
  StringRef(name).drop_front().getAsInteger(10, bits);
  const bool is_signed = name[0] == 's';
  in.take("b32");
  const int64_t low = is_signed ? -(int64_t(1) << (bits - 1)) : 0;
  const int64_t high = low + (int64_t(1) << bits) - 1;
  auto clamped = [&](size_t i) {
    Value *value = in.read(i, {PtxType::Signed, 32});
    value = builder.CreateBinaryIntrinsic(Intrinsic::smax, value, builder.getInt32(uint32_t(low)));
    value = builder.CreateBinaryIntrinsic(Intrinsic::smin, value, builder.getInt32(uint32_t(high)));
    return builder.CreateAnd(value, (uint64_t(1) << bits) - 1);
  };
  Value *result = builder.CreateOr(builder.CreateShl(clamped(1), bits), clamped(2));
  if (in.count() == 4)
    result = builder.CreateOr(result, builder.CreateShl(in.readU32(3), 2 * bits));
  in.write({PtxType::Bits, 32}, result);
}

} // namespace

void addConvertInstructions(PtxTable &table) {
  table.any["cvt"] = [](PtxInstruction &in) {
    if (in.take("pack"))
      return emitPack(in);
    Conversion(in).emit();
  };
}

} // namespace heddle
