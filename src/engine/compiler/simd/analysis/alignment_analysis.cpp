// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/alignment_analysis.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned all_bits = 64;
constexpr unsigned deepest = 10; // depth of the expression

LowBits sum(const LowBits &a, const LowBits &b) {
  return {a.value + b.value, std::min(a.count, b.count)};
}

LowBits product(const LowBits &a, uint64_t factor) {
  if (factor == 0)
    return {0, all_bits};
  return {a.value * factor, std::min(a.count + unsigned(countr_zero(factor)), all_bits)};
}

class LowBitsFinder {
public:
  LowBitsFinder(const Shapes &shapes, const DataLayout &data) : shapes_(shapes), data_(data) {}

  LowBits of(const Value &value, unsigned depth = deepest) {
    if (const auto *number = dyn_cast<ConstantInt>(&value); number && number->getBitWidth() <= 64)
      return {uint64_t(number->getSExtValue()), all_bits};
    const Shape shape = shapes_.of(&value);
    if (!shape.hasRowBases())
      return {};
    LowBits result{0, shape.zeros};
    if (const auto *instruction = dyn_cast<Instruction>(&value); instruction && depth > 0)
      if (const LowBits found = ofInstruction(*instruction, depth - 1); found.count > result.count)
        result = found;
    if (value.getType()->isIntegerTy())
      result.count = std::min(result.count, value.getType()->getIntegerBitWidth());
    return result;
  }

private:
  LowBits ofInstruction(const Instruction &instruction, unsigned depth) {
    const auto operand = [&](unsigned i) { return of(*instruction.getOperand(i), depth); };
    const auto *number = instruction.getNumOperands() == 2
                             ? dyn_cast<ConstantInt>(instruction.getOperand(1))
                             : nullptr;
    switch (instruction.getOpcode()) {
    case Instruction::Or: // if it is not a sum in every lane, its shape has no base
      if (!cast<PossiblyDisjointInst>(instruction).isDisjoint())
        return {};
      [[fallthrough]];
    case Instruction::Add:
      return sum(operand(0), operand(1));
    case Instruction::Sub:
      return sum(operand(0), product(operand(1), ~uint64_t(0)));
    case Instruction::Mul:
      return number ? product(operand(0), number->getZExtValue()) : LowBits();
    case Instruction::Shl:
      return number && number->getValue().ult(all_bits)
                 ? product(operand(0), uint64_t(1) << number->getZExtValue())
                 : LowBits();
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::AddrSpaceCast:
      return operand(0);
    case Instruction::GetElementPtr:
      return ofAddress(cast<GetElementPtrInst>(instruction), depth);
    case Instruction::Load:
      return instruction.getType()->isPointerTy()
                 ? LowBits{0, Log2(instruction.getPointerAlignment(data_))}
                 : LowBits();
    default:
      return {};
    }
  }

  LowBits ofAddress(const GetElementPtrInst &gep, unsigned depth) {
    const auto offset = offsetOf(gep, data_);
    if (!offset)
      return {};
    LowBits result = of(*gep.getPointerOperand(), depth);
    for (const auto &[index, scale] : offset->variable)
      result = sum(result, product(of(*index, depth), uint64_t(scale.getSExtValue())));
    return sum(result, {uint64_t(offset->constant.getSExtValue()), all_bits});
  }

  const Shapes &shapes_;
  const DataLayout &data_;
};

} // namespace

LowBits knownAlignmentOf(const Value &value, const Shapes &shapes, const DataLayout &data) {
  return LowBitsFinder(shapes, data).of(value);
}

} // namespace heddle::engine::simd
