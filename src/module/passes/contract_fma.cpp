// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/contract_fma.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {
namespace {

// A multiplication that may be fused into its only use; ptxas, too, fuses only if the product has
// no other use.
BinaryOperator *fusibleProduct(Value *value) {
  auto *product = dyn_cast<BinaryOperator>(value);
  if (!product || product->getOpcode() != Instruction::FMul || !product->hasAllowContract() ||
      !product->hasOneUse())
    return nullptr;
  return product;
}

Value *fuse(BinaryOperator *sum) {
  const unsigned opcode = sum->getOpcode();
  if ((opcode != Instruction::FAdd && opcode != Instruction::FSub) || !sum->hasAllowContract())
    return nullptr;
  Type *scalar = sum->getType()->getScalarType();
  if (!scalar->isFloatTy() && !scalar->isDoubleTy() && !scalar->isHalfTy())
    return nullptr;
  IRBuilder<> builder(sum);
  builder.setFastMathFlags(sum->getFastMathFlags());
  Value *left = sum->getOperand(0), *right = sum->getOperand(1);
  auto emit = [&](BinaryOperator *product, Value *addend, bool negate_product) {
    Value *factor = product->getOperand(0);
    if (negate_product)
      factor = builder.CreateFNeg(factor);
    return builder.CreateIntrinsic(Intrinsic::fma, {sum->getType()},
                                   {factor, product->getOperand(1), addend});
  };
  if (BinaryOperator *product = fusibleProduct(left))
    return emit(product, opcode == Instruction::FSub ? builder.CreateFNeg(right) : right, false);
  if (BinaryOperator *product = fusibleProduct(right))
    return emit(product, left, opcode == Instruction::FSub);
  return nullptr;
}

} // namespace

PreservedAnalyses ContractFmaPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *sum = dyn_cast<BinaryOperator>(&instruction);
    Value *fused = sum ? fuse(sum) : nullptr;
    if (!fused)
      continue;
    Value *operands[] = {sum->getOperand(0), sum->getOperand(1)};
    fused->takeName(sum);
    sum->replaceAllUsesWith(fused);
    sum->eraseFromParent();
    for (Value *operand : operands)
      if (auto *product = dyn_cast<Instruction>(operand); product && product->use_empty())
        product->eraseFromParent();
    changed = true;
  }
  if (!final_)
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  for (Instruction &instruction : instructions(function))
    if (isa<FPMathOperator>(instruction) && instruction.hasAllowContract()) {
      instruction.setHasAllowContract(false);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace heddle
