// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/bounds_checks.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

// Search depth through operands.
constexpr unsigned index_steps = 8, condition_steps = 4;

bool grows(const Value &value, const Shapes &shapes, unsigned depth) {
  if (shapes.of(&value).hasRowBases())
    return true;
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || depth == 0)
    return false;
  const auto operand_grows = [&](unsigned i) {
    return grows(*instruction->getOperand(i), shapes, depth - 1);
  };
  switch (instruction->getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::AddrSpaceCast:
    return operand_grows(0);
  case Instruction::Select:
    return operand_grows(1) && operand_grows(2);
  case Instruction::Add:
  case Instruction::Sub:
    return operand_grows(0) && operand_grows(1);
  case Instruction::UDiv: // usually uniform: neighbours have the same quotient
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return operand_grows(0) && shapes.of(instruction->getOperand(1)).isUniform();
  case Instruction::GetElementPtr:
    return all_of(instruction->operands(),
                  [&](const Use &operand) { return grows(*operand, shapes, depth - 1); });
  case Instruction::Call:
    return isa<MinMaxIntrinsic>(instruction) && operand_grows(0) && operand_grows(1);
  default:
    return false;
  }
}

bool testsBound(const Value &condition, const Shapes &shapes, unsigned depth) {
  if (shapes.of(&condition).isUniform())
    return true;
  const Value *left = nullptr, *right = nullptr;
  if (depth > 0 && match(&condition, m_Not(m_Value(left))))
    return testsBound(*left, shapes, depth - 1);
  if (depth > 0 && match(&condition, m_CombineOr(m_LogicalAnd(m_Value(left), m_Value(right)),
                                                 m_LogicalOr(m_Value(left), m_Value(right)))))
    return testsBound(*left, shapes, depth - 1) && testsBound(*right, shapes, depth - 1);
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  return compare && compare->isRelational() && all_of(compare->operands(), [&](const Value *side) {
           return isUsuallyAffine(*side, shapes);
         });
}

} // namespace

bool isUsuallyAffine(const Value &value, const Shapes &shapes) {
  return grows(value, shapes, index_steps);
}

bool isBound(const Value &condition, const Shapes &shapes) {
  return testsBound(condition, shapes, condition_steps);
}

} // namespace heddle::engine::simd
