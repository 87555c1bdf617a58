// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/strided_2d_access.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

// Columns up to this many elements apart are loaded as whole vectors of the row
// (widen_strided.cpp).
constexpr int64_t most_covered = 8;

// How a value grows from thread to thread: linearly, by amounts that are uniform in the gang.
struct Steps {
  std::optional<int64_t> along = 0, down = 0; // a row, a column; nothing: by an unknown amount

  bool none() const { return along == 0 && down == 0; }
};

std::optional<int64_t> scaled(std::optional<int64_t> step, std::optional<int64_t> factor) {
  if (step == 0)
    return 0;
  if (!step || !factor)
    return std::nullopt;
  return int64_t(uint64_t(*step) * uint64_t(*factor));
}

std::optional<int64_t> sum(std::optional<int64_t> left, std::optional<int64_t> right) {
  if (!left || !right)
    return std::nullopt;
  return int64_t(uint64_t(*left) + uint64_t(*right));
}

Steps sum(const Steps &left, const Steps &right) {
  return {sum(left.along, right.along), sum(left.down, right.down)};
}

Steps scaled(const Steps &steps, std::optional<int64_t> factor) {
  return {scaled(steps.along, factor), scaled(steps.down, factor)};
}

class Analysis {
public:
  Analysis(const ShapedCode &code, const DataLayout &data) : code_(code), data_(data) {}

  // Nothing if the value does not grow linearly.
  std::optional<Steps> of(const Value &value, unsigned depth = 12) const {
    if (code_.shapes.of(&value).isUniform())
      return Steps{};
    const StringRef name = calledName(value);
    if (name.ends_with(".sreg.tid.x"))
      return Steps{1, 0};
    if (name.ends_with(".sreg.tid.y"))
      return Steps{0, 1};
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || depth == 0)
      return std::nullopt;
    const auto operand = [&](unsigned i) { return of(*instruction->getOperand(i), depth - 1); };
    switch (instruction->getOpcode()) {
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
    case Instruction::AddrSpaceCast:
      return operand(0);
    case Instruction::Add:
      return both(operand(0), operand(1), 1);
    case Instruction::Sub:
      return both(operand(0), operand(1), -1);
    case Instruction::Mul:
      return product(*instruction, operand(0), operand(1));
    case Instruction::GetElementPtr:
      return address(cast<GetElementPtrInst>(*instruction), depth);
    default:
      return std::nullopt;
    }
  }

private:
  static std::optional<Steps> both(const std::optional<Steps> &left,
                                   const std::optional<Steps> &right, int64_t factor) {
    if (!left || !right)
      return std::nullopt;
    return sum(*left, scaled(*right, factor));
  }

  static std::optional<Steps> product(const Instruction &product, const std::optional<Steps> &left,
                                      const std::optional<Steps> &right) {
    if (!left || !right || (!left->none() && !right->none()))
      return std::nullopt;
    const APInt *constant = nullptr;
    const bool known = match(&product, m_c_Mul(m_Value(), m_APInt(constant)));
    const auto factor = known ? std::optional(constant->getSExtValue()) : std::nullopt;
    return scaled(left->none() ? *right : *left, factor);
  }

  std::optional<Steps> address(const GetElementPtrInst &gep, unsigned depth) const {
    const auto offset = offsetOf(gep, data_);
    std::optional<Steps> result = of(*gep.getPointerOperand(), depth - 1);
    if (!offset || !result)
      return std::nullopt;
    for (const auto &[index, scale] : offset->variable)
      if (result = both(result, of(*index, depth - 1), scale.getSExtValue()); !result)
        return std::nullopt;
    return result;
  }

  const ShapedCode &code_;
  const DataLayout &data_;
};

} // namespace

bool isLikelyStrided2d(const Instruction &instruction, const ShapedCode &code) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer || instruction.isVolatile() || instruction.isAtomic())
    return false;
  const DataLayout &data = instruction.getModule()->getDataLayout();
  const auto steps = Analysis(code, data).of(*pointer);
  const auto size = int64_t(
      data.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&instruction)))); // NOLINT
  return steps && steps->down == size &&
         (!steps->along || std::abs(*steps->along) > most_covered * size);
}

bool hasStrided2dAccess(const Function &function, const ShapedCode &code) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    return isLikelyStrided2d(instruction, code);
  });
}

bool looksLikePlane(const Value &value, const ShapedCode &code) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  return instruction &&
         Analysis(code, instruction->getModule()->getDataLayout()).of(value).has_value();
}

} // namespace heddle::engine::simd
