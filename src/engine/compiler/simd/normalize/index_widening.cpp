// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/index_widening.h"

#include "engine/compiler/simd/analysis/access/linear_form.h"
#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::engine::simd {

bool extendsAsSum(const Value &value, bool is_signed) {
  const auto *operation = dyn_cast<BinaryOperator>(&value);
  return operation &&
         (operation->getOpcode() == Instruction::Add ||
          operation->getOpcode() == Instruction::Or) && // of operands without common bits
         cannotWrap(*operation, is_signed);
}

namespace {

class Widening {
public:
  Widening(Function &function, Type *wide, bool is_signed, const Shapes &shapes)
      : function_(function), wide_(wide), is_signed_(is_signed), shapes_(shapes) {}

  // The value in the wide type, inserted after its definition.
  Value *extend(Value *value) {
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
      const APInt &bits = constant->getValue();
      const unsigned width = wide_->getIntegerBitWidth();
      return ConstantInt::get(wide_, is_signed_ ? bits.sext(width) : bits.zext(width));
    }
    auto *instruction = dyn_cast<Instruction>(value);
    // Uniform values are extended as they are; only sums with a varying operand are opened.
    const Shape shape = shapes_.of(value);
    if (instruction && shape.hasRowBases() && shape.stride != 0 &&
        cannotWrap(*instruction, is_signed_)) {
      Value *left = extend(instruction->getOperand(0)), *right = extend(instruction->getOperand(1));
      IRBuilder<> builder(instruction->getNextNode());
      auto opcode = Instruction::BinaryOps(instruction->getOpcode());
      if (opcode == Instruction::Or) // operands without common bits
        opcode = Instruction::Add;
      return builder.CreateBinOp(opcode, left, right, instruction->getName());
    }
    // Arguments are extended in the entry block. Device code has no instruction after which nothing
    // can be inserted (such as an invoke).
    BasicBlock::iterator place = function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    if (instruction)
      place = instruction->getInsertionPointAfterDef().value_or(place);
    IRBuilder<> builder(place->getContext());
    builder.SetInsertPoint(place);
    return is_signed_ ? builder.CreateSExt(value, wide_) : builder.CreateZExt(value, wide_);
  }

private:
  Function &function_;
  Type *wide_;
  bool is_signed_;
  const Shapes &shapes_;
};

} // namespace

void widenIndices(Function &function, const LaneLayout &layout) {
  const ShapedCode code(function, layout);
  const Shapes &shapes = code.shapes;
  SmallVector<CastInst *> extensions;
  for (Instruction &instruction : instructions(function))
    if (isa<SExtInst, ZExtInst>(instruction) && !shapes.of(&instruction).hasRowBases() &&
        shapes.of(instruction.getOperand(0)).hasRowBases())
      extensions.push_back(cast<CastInst>(&instruction));
  for (CastInst *extension : extensions) {
    // Sign and zero extension of a non-negative value are the same.
    const auto *zero = dyn_cast<ZExtInst>(extension);
    auto *operand = dyn_cast<Instruction>(extension->getOperand(0));
    const bool is_signed = !zero || (zero->hasNonNeg() && operand && cannotWrap(*operand, true));
    if (!operand || !cannotWrap(*operand, is_signed))
      continue;
    Widening widening(function, extension->getType(), is_signed, shapes);
    extension->replaceAllUsesWith(widening.extend(operand));
    extension->eraseFromParent();
  }
}

} // namespace heddle::engine::simd
