// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/define_arithmetic.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace heddle {
namespace {

// A divisor known to be neither 0 nor -1 needs no special case.
bool isHarmlessDivisor(const Value *divisor) {
  const APInt *constant = nullptr;
  return PatternMatch::match(divisor, PatternMatch::m_APInt(constant)) && !constant->isZero() &&
         !constant->isAllOnes();
}

// x / 0 and x % 0 are all ones (measured on an H200, where both are defined by how ptxas expands
// them); INT_MIN / -1 is INT_MIN with remainder 0.
Value *defineDivision(BinaryOperator *division) {
  Value *dividend = division->getOperand(0), *divisor = division->getOperand(1);
  if (isHarmlessDivisor(divisor))
    return nullptr;
  const unsigned opcode = division->getOpcode();
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  IRBuilder<> builder(division);
  Type *type = division->getType();
  Value *one = ConstantInt::get(type, 1), *all_ones = Constant::getAllOnesValue(type);
  Value *is_zero = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  Value *avoid = is_zero;
  if (is_signed) {
    Value *minimum = ConstantInt::get(type, APInt::getSignedMinValue(type->getScalarSizeInBits()));
    Value *overflows = builder.CreateAnd(builder.CreateICmpEQ(divisor, all_ones),
                                         builder.CreateICmpEQ(dividend, minimum));
    avoid = builder.CreateOr(is_zero, overflows);
  }
  // With a divisor of 1, INT_MIN / 1 and INT_MIN % 1 are what INT_MIN / -1 should give.
  Value *safe = builder.CreateSelect(avoid, one, divisor);
  Value *result = builder.CreateBinOp(Instruction::BinaryOps(opcode), dividend, safe);
  return builder.CreateSelect(is_zero, all_ones, result);
}

// Out-of-range values saturate. NaN becomes 0 for conversions of float to 32 bits; from double or
// to 64 bits only the highest bit is set. GPUs have no conversion to fewer bits: they convert to 32
// and take the lowest (measured on an H200 and an H100; PTX ISA, "cvt").
Value *defineConversion(CastInst *conversion) {
  IRBuilder<> builder(conversion);
  Value *source = conversion->getOperand(0);
  Type *type = conversion->getType();
  Type *whole =
      type->getScalarSizeInBits() < 32 ? type->getWithNewType(builder.getInt32Ty()) : type;
  const Intrinsic::ID id = conversion->getOpcode() == Instruction::FPToSI ? Intrinsic::fptosi_sat
                                                                          : Intrinsic::fptoui_sat;
  Value *result = builder.CreateIntrinsic(id, {whole, conversion->getSrcTy()}, {source});
  const unsigned width = whole->getScalarSizeInBits();
  if (width > 32 || source->getType()->getScalarType()->isDoubleTy()) {
    Value *highest = ConstantInt::get(whole, APInt::getSignMask(width));
    result = builder.CreateSelect(builder.CreateFCmpUNO(source, source), highest, result);
  }
  return builder.CreateTrunc(result, type);
}

Value *defineShift(BinaryOperator *shift) {
  Value *value = shift->getOperand(0), *amount = shift->getOperand(1);
  Type *type = shift->getType();
  const unsigned width = type->getScalarSizeInBits();
  const APInt *constant = nullptr;
  if (PatternMatch::match(amount, PatternMatch::m_APInt(constant)) && constant->ult(width))
    return nullptr;
  IRBuilder<> builder(shift);
  Value *last = ConstantInt::get(type, width - 1);
  Value *inside = builder.CreateICmpULE(amount, last);
  Value *clamped = builder.CreateSelect(inside, amount, last);
  Value *result = builder.CreateBinOp(shift->getOpcode(), value, clamped);
  if (shift->getOpcode() == Instruction::AShr)
    return result; // shifting by width - 1 leaves the sign everywhere
  return builder.CreateSelect(inside, result, Constant::getNullValue(type));
}

// -0 is less than 0 (PTX ISA, "min"); LLVM leaves the order open, and CPUs take the second operand.
// Other equal numbers have the same bits, which `or` and `and` do not change.
Value *defineMinimum(IntrinsicInst *minimum) {
  Value *left = minimum->getArgOperand(0), *right = minimum->getArgOperand(1);
  const auto is_other = [](const Value *value) { // than zero
    const APFloat *constant = nullptr;
    return PatternMatch::match(value, PatternMatch::m_APFloat(constant)) && !constant->isZero();
  };
  if (is_other(left) || is_other(right))
    return nullptr;
  IRBuilder<> builder(minimum);
  Type *type = minimum->getType();
  Type *bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  const Intrinsic::ID id = minimum->getIntrinsicID();
  const auto opcode = id == Intrinsic::minnum ? Instruction::Or : Instruction::And;
  Value *both = builder.CreateBinOp(opcode, builder.CreateBitCast(left, bits),
                                    builder.CreateBitCast(right, bits));
  Value *result = builder.CreateBinaryIntrinsic(id, left, right, minimum);
  return builder.CreateSelect(builder.CreateFCmpOEQ(left, right), builder.CreateBitCast(both, type),
                              result);
}

Value *define(Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return defineDivision(cast<BinaryOperator>(&instruction));
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return defineShift(cast<BinaryOperator>(&instruction));
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return defineConversion(cast<CastInst>(&instruction));
  case Instruction::Call:
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && (call->getIntrinsicID() == Intrinsic::minnum ||
                 call->getIntrinsicID() == Intrinsic::maxnum))
      return defineMinimum(call);
    return nullptr;
  default:
    return nullptr;
  }
}

} // namespace

PreservedAnalyses DefineArithmeticPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  if (function.hasFnAttribute(arithmetic_defined))
    return PreservedAnalyses::all();
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (Value *replacement = define(instruction)) {
      replacement->takeName(&instruction);
      instruction.replaceAllUsesWith(replacement);
      instruction.eraseFromParent();
      changed = true;
    }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace heddle
