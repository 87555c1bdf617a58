// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/normalize/legalize_integers.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

bool isOdd(const Type &type) {
  const auto *integer = dyn_cast<IntegerType>(&type);
  const unsigned bits = integer ? integer->getBitWidth() : 1;
  return bits != 1 && bits <= 64 && (bits < 8 || !isPowerOf2_32(bits));
}

Type *wider(const Type &type) {
  return Type::getIntNTy(type.getContext(), bit_ceil(std::max(type.getIntegerBitWidth(), 8u)));
}

class Widening {
public:
  explicit Widening(Function &function) : function_(function), b_(function.getContext()) {}

  void run() {
    const ReversePostOrderTraversal<Function *> order(&function_);
    SmallVector<Instruction *> concerned;
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block)
        if (isOdd(*instruction.getType()) ||
            any_of(instruction.operands(), [](const Use &use) { return isOdd(*use->getType()); }))
          concerned.push_back(&instruction);
    for (Instruction *instruction : concerned)
      if (auto *phi = dyn_cast<PHINode>(instruction)) {
        b_.SetInsertPoint(phi);
        wide_[phi] = b_.CreatePHI(wider(*phi->getType()), phi->getNumIncomingValues());
      }
    for (Instruction *instruction : concerned)
      if (!isa<PHINode>(instruction))
        rewrite(*instruction);
    for (Instruction *instruction : concerned)
      if (auto *phi = dyn_cast<PHINode>(instruction))
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
          b_.SetInsertPoint(phi->getIncomingBlock(i)->getTerminator());
          cast<PHINode>(wide_[phi])
              ->addIncoming(wide(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
        }
    for (Instruction *instruction : reverse(concerned))
      if (done_.contains(instruction) || isa<PHINode>(instruction)) {
        instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
        instruction->eraseFromParent();
      }
  }

private:
  // The value in the legal width; its upper bits are undefined.
  Value *wide(Value *value) {
    if (!isOdd(*value->getType()))
      return value;
    if (const auto *number = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(wider(*value->getType()), number->getZExtValue());
    if (Value *known = wide_.lookup(value))
      return known;
    if (isa<UndefValue>(value))
      return isa<PoisonValue>(value) ? PoisonValue::get(wider(*value->getType()))
                                     : UndefValue::get(wider(*value->getType()));
    return b_.CreateZExt(value, wider(*value->getType()));
  }

  Value *withZeros(Value *value) {
    if (!isOdd(*value->getType()))
      return value;
    Value *number = wide(value);
    return b_.CreateAnd(number, maskTrailingOnes<uint64_t>(value->getType()->getIntegerBitWidth()));
  }

  Value *withSign(Value *value) {
    if (!isOdd(*value->getType()))
      return value;
    Value *number = wide(value);
    const unsigned above =
        number->getType()->getIntegerBitWidth() - value->getType()->getIntegerBitWidth();
    return b_.CreateAShr(b_.CreateShl(number, above), above);
  }

  static bool isSigned(const Instruction &instruction) {
    if (const auto *compare = dyn_cast<ICmpInst>(&instruction))
      return compare->isSigned();
    switch (instruction.getOpcode()) {
    case Instruction::SExt:
    case Instruction::SIToFP:
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::AShr:
      return true;
    default:
      return false;
    }
  }

  // Null if the instruction stays as it is.
  Value *rewritten(Instruction &instruction) {
    const auto operand = [&](unsigned i) { return instruction.getOperand(i); };
    const auto exact = [&](unsigned i) {
      return isSigned(instruction) ? withSign(operand(i)) : withZeros(operand(i));
    };
    const auto *binary = dyn_cast<BinaryOperator>(&instruction);
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return b_.CreateBinOp(binary->getOpcode(), wide(operand(0)), wide(operand(1)));
    case Instruction::Shl:
      return b_.CreateShl(wide(operand(0)), withZeros(operand(1)));
    case Instruction::LShr:
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SDiv:
    case Instruction::SRem:
      return b_.CreateBinOp(binary->getOpcode(), exact(0), exact(1));
    case Instruction::AShr:
      return b_.CreateAShr(withSign(operand(0)), withZeros(operand(1)));
    case Instruction::ICmp:
      return b_.CreateICmp(cast<ICmpInst>(instruction).getPredicate(), exact(0), exact(1));
    case Instruction::Select:
      return b_.CreateSelect(operand(0), wide(operand(1)), wide(operand(2)));
    case Instruction::Freeze:
      return b_.CreateFreeze(wide(operand(0)));
    case Instruction::Trunc:
      return b_.CreateZExtOrTrunc(wide(operand(0)), resultOf(instruction));
    case Instruction::ZExt:
      return b_.CreateZExtOrTrunc(exact(0), resultOf(instruction));
    case Instruction::SExt:
      return b_.CreateSExtOrTrunc(exact(0), resultOf(instruction));
    case Instruction::UIToFP:
      return b_.CreateUIToFP(exact(0), instruction.getType());
    case Instruction::SIToFP:
      return b_.CreateSIToFP(exact(0), instruction.getType());
    default:
      return nullptr;
    }
  }

  static Type *resultOf(const Instruction &instruction) {
    return isOdd(*instruction.getType()) ? wider(*instruction.getType()) : instruction.getType();
  }

  void rewrite(Instruction &instruction) {
    b_.SetInsertPoint(&instruction);
    Value *result = rewritten(instruction);
    if (!result) { // the operands are replaced instead
      for (Use &use : instruction.operands())
        if (isOdd(*use->getType()) && !isa<Constant>(use))
          use.set(b_.CreateTrunc(wide(use), use->getType()));
      return;
    }
    done_.insert(&instruction);
    if (isOdd(*instruction.getType()))
      wide_[&instruction] = result;
    else
      instruction.replaceAllUsesWith(result);
  }

  Function &function_;
  IRBuilder<> b_;
  DenseMap<const Value *, Value *> wide_;
  SmallPtrSet<const Instruction *, 16> done_;
};

} // namespace

void legalizeIntegers(Function &function) { Widening(function).run(); }

} // namespace heddle::engine::simd
