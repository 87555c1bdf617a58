// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of f32 and f64 (PTX ISA, "Floating Point Instructions"). What rounds in a direction,
// and the fast approximations, are the device library's.
#include "module/ptx/instructions/instructions.h"
#include "module/ptx/instructions/math.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

// One instruction's modifiers, as most of them have them.
struct FloatInstruction {
  explicit FloatInstruction(PtxInstruction &in)
      : in(in), rounding(in.takeRounding()), flush(in.take("ftz")), saturate(in.take("sat")),
        type(in.takeType()) {}

  Value *read(size_t i) const {
    Value *value = in.read(i, type);
    return flush ? flushSubnormal(in.builder, value) : value;
  }
  void write(Value *value) const {
    if (flush)
      value = flushSubnormal(in.builder, value);
    in.write(type, saturate ? saturateToOne(in.builder, value) : value);
  }
  // For products: with .ftz a GPU looks at the exact result, so that one just below the smallest
  // normal number becomes zero even where rounding would reach that number.
  void writeProduct(Value *value, Value *a, Value *b, Value *addend = nullptr) const {
    if (flush) {
      IRBuilder<> &builder = in.builder;
      Type *wide = builder.getDoubleTy();
      auto widen = [&](Value *x) { return builder.CreateFPExt(x, wide); };
      Value *exact = addend ? builder.CreateIntrinsic(Intrinsic::fma, {wide},
                                                      {widen(a), widen(b), widen(addend)})
                            : builder.CreateFMul(widen(a), widen(b));
      Value *tiny = builder.CreateFCmpOLT(builder.CreateUnaryIntrinsic(Intrinsic::fabs, exact),
                                          ConstantFP::get(wide, 0x1p-126));
      Value *zero = builder.CreateBinaryIntrinsic(Intrinsic::copysign,
                                                  ConstantFP::get(value->getType(), 0.0), value);
      value = builder.CreateSelect(tiny, zero, value);
    }
    in.write(type, saturate ? saturateToOne(in.builder, value) : value);
  }
  bool isSingle() const { return type.bits == 32; }
  bool isDirected() const { return !rounding.empty() && rounding != "rn"; }
  Value *call(const Twine &name, ArrayRef<Value *> arguments) const {
    return in.emitter.callLibrary(name.str(), type.inIR(in.builder.getContext()), arguments);
  }
  // __nv_fadd_rz, __nv_dadd_rz
  Value *callDirected(StringRef name, ArrayRef<Value *> arguments) const {
    return call(Twine("__nv_") + (isSingle() ? "f" : "d") + name + "_" + rounding, arguments);
  }

  PtxInstruction &in;
  std::string rounding;
  bool flush, saturate;
  PtxType type;
};

PtxHandler binary(Instruction::BinaryOps operation, StringRef name) {
  return [operation, name](PtxInstruction &in) {
    FloatInstruction f(in);
    Value *a = f.read(1), *b = f.read(2);
    Value *result =
        f.isDirected() ? f.callDirected(name, {a, b}) : in.builder.CreateBinOp(operation, a, b);
    // Without a rounding, products and sums may be fused (PTX ISA, "add", "mul"), and ptxas does
    // so. In an asm statement it does, too, but there each statement stands for itself.
    if (auto *plain = dyn_cast<Instruction>(result); plain && isa<BinaryOperator>(plain) &&
                                                     f.rounding.empty() && !in.emitter.isInline() &&
                                                     in.emitter.symbols().mayFuse())
      plain->setHasAllowContract(true);
    if (operation == Instruction::FMul)
      f.writeProduct(result, a, b);
    else
      f.write(result);
  };
}

// mad.f32 is fma: no GPU since 2010 rounds the product.
void emitFma(PtxInstruction &in) {
  FloatInstruction f(in);
  Value *const operands[] = {f.read(1), f.read(2), f.read(3)};
  Value *result =
      f.isDirected()
          ? f.call((f.isSingle() ? "__nv_fmaf_" : "__nv_fma_") + f.rounding, operands)
          : in.builder.CreateIntrinsic(Intrinsic::fma, {operands[0]->getType()}, operands);
  f.writeProduct(result, operands[0], operands[1], operands[2]);
}

void emitDiv(PtxInstruction &in) {
  const bool approximate = in.take("approx");
  in.take("full");
  FloatInstruction f(in);
  Value *a = f.read(1), *b = f.read(2);
  if (approximate)
    f.write(f.call("__nv_fast_fdividef", {a, b}));
  else
    f.write(f.isDirected() ? f.callDirected("div", {a, b}) : in.builder.CreateFDiv(a, b));
}

void emitRcp(PtxInstruction &in) {
  const bool approximate = in.take("approx");
  FloatInstruction f(in);
  Value *a = f.read(1);
  if (approximate && !f.isSingle())
    f.write(f.call("__nv_rcp64h", {a}));
  else
    f.write(f.isDirected() ? f.callDirected("rcp", {a})
                           : in.builder.CreateFDiv(ConstantFP::get(a->getType(), 1.0), a));
}

void emitSqrt(PtxInstruction &in) {
  in.take("approx");
  FloatInstruction f(in);
  Value *a = f.read(1);
  f.write(f.isDirected() ? f.callDirected("sqrt", {a})
                         : in.builder.CreateUnaryIntrinsic(Intrinsic::sqrt, a));
}

void emitRsqrt(PtxInstruction &in) {
  in.take("approx");
  FloatInstruction f(in);
  const bool coarse = f.flush && !f.isSingle(); // an approximation of its own
  f.write(f.call(f.isSingle() ? "__nv_rsqrtf"
                 : coarse     ? "__nv_rsqrt64h"
                              : "__nv_rsqrt",
                 {f.read(1)}));
}

// sin, cos, lg2, ex2, tanh: single precision, approximate.
PtxHandler approximation(StringRef name) {
  return [name](PtxInstruction &in) {
    if (!in.take("approx"))
      throw PtxError("without '.approx'");
    FloatInstruction f(in);
    if (!f.isSingle())
      throw PtxError("type '.f64'");
    f.write(f.call(name, {f.read(1)}));
  };
}

PtxHandler minimumOrMaximum(bool minimum) {
  return [minimum](PtxInstruction &in) {
    IRBuilder<> &builder = in.builder;
    const bool keep_nan = in.take("NaN"), of_magnitudes = in.take("xorsign");
    FloatInstruction f(in);
    in.take("abs");
    Value *a = f.read(1), *b = f.read(2), *signs = nullptr;
    Type *integer = builder.getIntNTy(f.type.bits);
    if (of_magnitudes) {
      signs =
          builder.CreateXor(builder.CreateBitCast(a, integer), builder.CreateBitCast(b, integer));
      a = builder.CreateUnaryIntrinsic(Intrinsic::fabs, a);
      b = builder.CreateUnaryIntrinsic(Intrinsic::fabs, b);
    }
    auto choose = [&](Value *x, Value *y) {
      return minimum ? minimumOf(builder, x, y, keep_nan) : maximumOf(builder, x, y, keep_nan);
    };
    Value *result = choose(a, b);
    if (in.count() == 4)
      result = choose(result, f.read(3));
    if (signs)
      result = builder.CreateBinaryIntrinsic(Intrinsic::copysign, result,
                                             builder.CreateBitCast(signs, result->getType()));
    f.write(result);
  };
}

void emitCopysign(PtxInstruction &in) {
  const PtxType type = in.takeType();
  in.write(type, in.builder.CreateBinaryIntrinsic(Intrinsic::copysign, in.read(2, type),
                                                  in.read(1, type)));
}

void emitTestp(PtxInstruction &in) {
  const std::pair<StringRef, FPClassTest> tests[] = {
      {"finite", fcFinite},  {"infinite", fcInf},           {"number", ~fcNan},
      {"notanumber", fcNan}, {"normal", fcNormal | fcZero}, {"subnormal", fcSubnormal}};
  for (auto [name, test] : tests)
    if (in.take(name)) {
      Value *a = in.read(1, in.takeType());
      in.write({PtxType::Predicate, 1}, in.builder.createIsFPClass(a, test & fcAllFlags));
      return;
    }
  throw PtxError("no test that is known");
}

} // namespace

void addFloatInstructions(PtxTable &table) {
  StringMap<PtxHandler> &floating = table.floating;
  floating["add"] = binary(Instruction::FAdd, "add");
  floating["sub"] = binary(Instruction::FSub, "sub");
  floating["mul"] = binary(Instruction::FMul, "mul");
  floating["fma"] = floating["mad"] = emitFma;
  floating["div"] = emitDiv;
  floating["rcp"] = emitRcp;
  floating["sqrt"] = emitSqrt;
  floating["rsqrt"] = emitRsqrt;
  floating["sin"] = approximation("__nv_fast_sinf");
  floating["cos"] = approximation("__nv_fast_cosf");
  floating["lg2"] = approximation("__nv_fast_log2f");
  floating["ex2"] = approximation("__nv_exp2f");
  floating["tanh"] = approximation("__nv_tanhf");
  floating["min"] = minimumOrMaximum(true);
  floating["max"] = minimumOrMaximum(false);
  floating["abs"] = [](PtxInstruction &in) {
    FloatInstruction f(in);
    f.write(in.builder.CreateUnaryIntrinsic(Intrinsic::fabs, f.read(1)));
  };
  floating["neg"] = [](PtxInstruction &in) {
    FloatInstruction f(in);
    f.write(in.builder.CreateFNeg(f.read(1)));
  };
  floating["copysign"] = emitCopysign;
  floating["testp"] = emitTestp;
}

} // namespace heddle
