// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/iteration_step.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"

using namespace llvm;

namespace heddle::engine::simd {

Value *Growth::of(Value *value) {
  constexpr unsigned most_values = 64;
  if (const auto found = found_.find(value); found != found_.end())
    return found->second;
  if (found_.size() > most_values)
    return nullptr;
  found_[value] = nullptr; // until it is known
  const auto known = known_(*this, *value);
  Value *result = known ? *known : compute(*cast<Instruction>(value));
  return found_[value] = result;
}

Value *Growth::compute(Instruction &instruction) {
  if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
    return growthOf(*gep, data_, b_, [&](Value *part) { return of(part); });
  switch (instruction.getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return of(instruction.getOperand(0));
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or:
    return sum(cast<BinaryOperator>(instruction));
  case Instruction::Mul:
  case Instruction::Shl:
    return product(cast<BinaryOperator>(instruction));
  default:
    return all_of(instruction.operands(), [&](const Use &operand) { return isZero(of(operand)); })
               ? b_.getInt64(0)
               : nullptr;
  }
}

Value *Growth::sum(BinaryOperator &operation) {
  Value *left = of(operation.getOperand(0)), *right = of(operation.getOperand(1));
  if (!left || !right)
    return nullptr;
  if (isZero(right))
    return left;
  if (isZero(left) && operation.getOpcode() != Instruction::Sub)
    return right;
  return operation.getOpcode() == Instruction::Sub ? b_.CreateSub(left, right)
                                                   : b_.CreateAdd(left, right);
}

// One of two factors may grow; of a shift, the shifted value.
Value *Growth::product(BinaryOperator &operation) {
  const bool shift = operation.getOpcode() == Instruction::Shl;
  for (const unsigned i : {0u, 1u}) {
    Value *factor = operation.getOperand(1 - i);
    if (i == 1 && shift)
      break;
    if (!isZero(of(factor)))
      continue;
    Value *growth = of(operation.getOperand(i));
    if (!growth || isZero(growth)) // then the factor does not matter
      return growth;
    Value *wide = b_.CreateSExtOrTrunc(factor, b_.getInt64Ty());
    return shift ? b_.CreateShl(growth, wide) : b_.CreateMul(growth, wide);
  }
  return nullptr;
}

} // namespace heddle::engine::simd
