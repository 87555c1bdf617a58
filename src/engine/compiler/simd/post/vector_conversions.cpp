// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/post/vector_conversions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cmath>

using namespace llvm;

namespace heddle::engine {
namespace {

bool saturates(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getType()->isVectorTy() &&
         (call->getIntrinsicID() == Intrinsic::fptosi_sat ||
          call->getIntrinsicID() == Intrinsic::fptoui_sat);
}

// LLVM's conversion of an out-of-range number is poison, which no select may choose.
Value *expanded(IntrinsicInst &conversion) {
  const bool is_signed = conversion.getIntrinsicID() == Intrinsic::fptosi_sat;
  IRBuilder<> b(&conversion);
  Value *source = conversion.getArgOperand(0);
  Type *type = conversion.getType();
  if (source->getType()->getScalarType()->isHalfTy()) // all halves are floats, too
    source = b.CreateFPExt(source, source->getType()->getWithNewType(b.getFloatTy()));
  const unsigned width = type->getScalarSizeInBits();
  // The smallest integer is exactly a float. The largest is one less than a float, at which the
  // range ends.
  const APInt largest = is_signed ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  const double end = std::ldexp(1.0, int(is_signed ? width - 1 : width));
  Constant *low = ConstantFP::get(source->getType(), is_signed ? -end : 0.0);
  // A NaN becomes the smallest number, as with x86's maximum.
  Value *from = b.CreateSelect(b.CreateFCmpOGT(source, low), source, low);
  Value *inside = is_signed ? b.CreateFPToSI(from, type) : b.CreateFPToUI(from, type);
  Value *beyond = b.CreateFCmpOGE(source, ConstantFP::get(source->getType(), end));
  Value *result = b.CreateSelect(beyond, ConstantInt::get(type, largest), inside);
  if (!is_signed)
    return result;
  return b.CreateSelect(b.CreateFCmpUNO(source, source), Constant::getNullValue(type), result);
}

} // namespace

void expandVectorConversions(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (saturates(instruction)) {
      instruction.replaceAllUsesWith(expanded(cast<IntrinsicInst>(instruction)));
      instruction.eraseFromParent();
    }
}

} // namespace heddle::engine
