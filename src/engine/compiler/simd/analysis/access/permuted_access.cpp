// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/permuted_access.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned deepest = 12;      // depth of the expression
constexpr int64_t most = 1 << 20;     // absolute value of its subexpressions: nothing wraps
constexpr unsigned most_shifted = 20; // bits

std::optional<int64_t> compute(unsigned opcode, int64_t left, int64_t right) {
  switch (opcode) {
  case Instruction::Add:
    return left + right;
  case Instruction::Sub:
    return left - right;
  case Instruction::Mul:
    return left * right;
  case Instruction::And:
    return left & right;
  case Instruction::Or:
    return left | right;
  case Instruction::Xor:
    return left ^ right;
  default:
    break;
  }
  // For negative operands the result depends on the width, or on signedness.
  if (left < 0 || right < 0)
    return std::nullopt;
  switch (opcode) {
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    if (right > most_shifted)
      return std::nullopt;
    return opcode == Instruction::Shl ? left << right : left >> right;
  case Instruction::UDiv:
  case Instruction::SDiv:
    return right == 0 ? std::nullopt : std::optional(left / right);
  case Instruction::URem:
  case Instruction::SRem:
    return right == 0 ? std::nullopt : std::optional(left % right);
  default:
    return std::nullopt;
  }
}

// The integer's value in this lane of a row if everything uniform in the row were 0.
std::optional<int64_t> valueIn(unsigned lane, const Value &value, const Shapes &shapes,
                               unsigned depth = 0) {
  if (const auto *number = dyn_cast<ConstantInt>(&value))
    return number->getValue().getSignificantBits() <= most_shifted
               ? std::optional(number->getSExtValue())
               : std::nullopt;
  const Shape shape = shapes.of(&value);
  if (shape.hasRowBases())
    return std::abs(shape.stride) * lane < most ? std::optional(shape.stride * lane) : std::nullopt;
  if (depth == deepest)
    return std::nullopt;
  const auto operand = [&](unsigned i) {
    return valueIn(lane, *cast<Instruction>(value).getOperand(i), shapes, depth + 1);
  };
  if (isa<SExtInst, ZExtInst, TruncInst>(value))
    return operand(0);
  const auto *operation = dyn_cast<BinaryOperator>(&value);
  if (!operation)
    return std::nullopt;
  const auto left = operand(0), right = left ? operand(1) : std::nullopt;
  const auto result = right ? compute(operation->getOpcode(), *left, *right) : std::nullopt;
  return result && std::abs(*result) < most ? result : std::nullopt;
}

} // namespace

std::optional<Pattern> permutationOf(const Value &pointer, uint64_t element_bytes,
                                     const Shapes &shapes, const LaneLayout &layout,
                                     const DataLayout &data) {
  const unsigned lanes = layout.rowLength();
  Pattern result;
  result.steps.assign(lanes, 0);
  const Value *address = &pointer;
  while (!shapes.of(address).hasRowBases()) {
    if (const auto *cast = dyn_cast<AddrSpaceCastInst>(address)) {
      address = cast->getPointerOperand();
      continue;
    }
    const auto *gep = dyn_cast<GetElementPtrInst>(address);
    const auto offset = gep ? offsetOf(*gep, data) : std::nullopt;
    if (!offset)
      return std::nullopt;
    for (const auto &[index, scale] : offset->variable)
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const auto step = valueIn(lane, *index, shapes);
        if (!step)
          return std::nullopt;
        result.steps[lane] += *step * scale.getSExtValue();
      }
    address = gep->getPointerOperand();
  }
  if (const Shape base = shapes.of(address); base.stride != 0)
    return std::nullopt;
  result.lowest = *std::min_element(result.steps.begin(), result.steps.end());
  result.highest = *std::max_element(result.steps.begin(), result.steps.end());
  const auto whole = [&](int64_t step) { return (step - result.lowest) % element_bytes == 0; };
  const auto in_order = [&](const int64_t &step) {
    return step == (&step - result.steps.begin()) * int64_t(element_bytes);
  };
  if (result.lowest == result.highest || !all_of(result.steps, whole) ||
      all_of(result.steps, in_order) ||
      result.highest - result.lowest >= int64_t(lanes * element_bytes))
    return std::nullopt;
  return result;
}

} // namespace heddle::engine::simd
