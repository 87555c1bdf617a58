// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of f16, f16x2, bf16 and bf16x2 (PTX ISA, "Half Precision Floating Point
// Instructions"): computed as float and rounded once, which is exact enough for each of them
// except fma (see there).
#include "module/ptx/instructions/instructions.h"
#include "module/ptx/instructions/math.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

struct HalfInstruction {
  explicit HalfInstruction(PtxInstruction &in)
      : in(in), flush(in.take("ftz")), saturate(in.take("sat")), relu(in.take("relu")),
        type(in.takeType()) {
    in.take("rn");
    in.take("approx");
  }

  Value *flushed(Value *bits) const {
    Value *exponent = in.builder.CreateAnd(bits, type.kind == PtxType::Float ? 0x7c00 : 0x7f80);
    Value *zero = in.builder.CreateAnd(bits, 0x8000);
    Value *is_zero = in.builder.CreateICmpEQ(exponent, in.builder.getInt16(0));
    return in.builder.CreateSelect(is_zero, zero, bits);
  }

  // Lane `lane` of operand `i`, as bits.
  Value *readBits(size_t i, unsigned lane) const {
    Value *all = in.read(i, {PtxType::Bits, type.bits});
    Value *bits =
        in.builder.CreateTrunc(in.builder.CreateLShr(all, 16 * lane), in.builder.getInt16Ty());
    return flush ? flushed(bits) : bits;
  }
  Value *read(size_t i, unsigned lane) const {
    return widenHalf(in.builder, type, readBits(i, lane));
  }

  // Writes what `bitsOf` gives for each lane.
  void writeBits(function_ref<Value *(unsigned)> bitsOf) const {
    Type *whole = in.builder.getIntNTy(type.bits);
    Value *result = ConstantInt::get(whole, 0);
    for (unsigned lane = 0; lane < type.lanes; ++lane) {
      Value *bits = bitsOf(lane);
      if (flush)
        bits = flushed(bits);
      result = in.builder.CreateOr(
          result, in.builder.CreateShl(in.builder.CreateZExt(bits, whole), 16 * lane));
    }
    in.write({PtxType::Bits, type.bits}, result);
  }
  void write(function_ref<Value *(unsigned)> valueOf) const {
    writeBits([&](unsigned lane) {
      Value *value = valueOf(lane);
      Value *zero = ConstantFP::get(value->getType(), 0.0);
      if (saturate)
        value = saturateToOne(in.builder, value);
      if (relu) { // -0 becomes +0, NaN stays
        Value *negative = in.builder.CreateFCmpOLE(value, zero);
        value = in.builder.CreateSelect(negative, zero, value);
      }
      return narrowToHalf(in.builder, type, value, "rn");
    });
  }

  PtxInstruction &in;
  bool flush, saturate, relu;
  PtxType type;
};

PtxHandler binary(Instruction::BinaryOps operation) {
  return [operation](PtxInstruction &in) {
    HalfInstruction h(in);
    h.write([&](unsigned lane) {
      return in.builder.CreateBinOp(operation, h.read(1, lane), h.read(2, lane));
    });
  };
}

// The product is exact in double, and the sum of it and the addend is rounded to odd there (its
// error is known exactly: Knuth's TwoSum), so that the only real rounding is the last.
void emitFma(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  HalfInstruction h(in);
  h.write([&](unsigned lane) -> Value * {
    auto wide = [&](size_t i) {
      return builder.CreateFPExt(h.read(i, lane), builder.getDoubleTy());
    };
    Value *product = builder.CreateFMul(wide(1), wide(2)), *addend = wide(3);
    Value *sum = builder.CreateFAdd(product, addend);
    Value *addend_part = builder.CreateFSub(sum, product);
    Value *product_part = builder.CreateFSub(sum, addend_part);
    Value *error = builder.CreateFAdd(builder.CreateFSub(product, product_part),
                                      builder.CreateFSub(addend, addend_part));
    Value *zero = ConstantFP::get(builder.getDoubleTy(), 0.0);
    Value *inexact = builder.CreateFCmpONE(error, zero);
    // Rounding went away from zero where the error has the other sign than the sum.
    Value *opposite =
        builder.CreateXor(builder.CreateFCmpOLT(error, zero), builder.CreateFCmpOLT(sum, zero));
    Value *too_large = builder.CreateAnd(inexact, opposite);
    return narrowToOdd(builder, roundToOdd(builder, sum, inexact, too_large));
  });
}

PtxHandler minimumOrMaximum(bool minimum) {
  return [minimum](PtxInstruction &in) {
    const bool keep_nan = in.take("NaN");
    HalfInstruction h(in);
    h.write([&](unsigned lane) {
      Value *a = h.read(1, lane), *b = h.read(2, lane);
      return minimum ? minimumOf(in.builder, a, b, keep_nan)
                     : maximumOf(in.builder, a, b, keep_nan);
    });
  };
}

PtxHandler approximation(StringRef name) {
  return [name](PtxInstruction &in) {
    HalfInstruction h(in);
    h.write([&](unsigned lane) {
      Value *a = h.read(1, lane);
      return in.emitter.callLibrary(name, a->getType(), {a});
    });
  };
}

} // namespace

void addHalfInstructions(PtxTable &table) {
  StringMap<PtxHandler> &half = table.half;
  half["add"] = binary(Instruction::FAdd);
  half["sub"] = binary(Instruction::FSub);
  half["mul"] = binary(Instruction::FMul);
  half["fma"] = emitFma;
  half["min"] = minimumOrMaximum(true);
  half["max"] = minimumOrMaximum(false);
  half["ex2"] = approximation("__nv_exp2f");
  half["tanh"] = approximation("__nv_tanhf");
  half["abs"] = [](PtxInstruction &in) {
    HalfInstruction h(in);
    h.write([&](unsigned lane) {
      return in.builder.CreateUnaryIntrinsic(Intrinsic::fabs, h.read(1, lane));
    });
  };
  half["neg"] = [](PtxInstruction &in) {
    HalfInstruction h(in);
    h.write([&](unsigned lane) { return in.builder.CreateFNeg(h.read(1, lane)); });
  };
}

} // namespace heddle
