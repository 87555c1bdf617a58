// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/address_sides.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/access/linear_form.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned most_sides = 4, deepest_choice = 12;

int64_t wrapped(uint64_t number) { return int64_t(number); }

// The stride of a product, if one factor is uniform, and a constant unless the other is uniform.
std::optional<int64_t> times(int64_t stride, std::optional<int64_t> factor) {
  int64_t result = 0;
  if (stride == 0)
    return 0;
  if (!factor || MulOverflow(stride, *factor, result))
    return std::nullopt;
  return result;
}

std::optional<Side> combined(unsigned opcode, const Side &a, const Side &b) {
  const bool known = a.first && b.first;
  const uint64_t left = uint64_t(a.first.value_or(0)), right = uint64_t(b.first.value_or(0));
  Side result;
  std::optional<int64_t> stride;
  switch (opcode) {
  case Instruction::Add:
    stride = wrapped(uint64_t(a.stride) + uint64_t(b.stride));
    result.first = wrapped(left + right);
    break;
  case Instruction::Sub:
    stride = wrapped(uint64_t(a.stride) - uint64_t(b.stride));
    result.first = wrapped(left - right);
    break;
  case Instruction::Mul:
    stride = b.stride == 0 ? times(a.stride, b.first) : std::nullopt;
    if (a.stride == 0 && b.stride != 0)
      stride = times(b.stride, a.first);
    result.first = wrapped(left * right);
    break;
  default:
    break;
  }
  if (!stride)
    return std::nullopt;
  result.stride = *stride;
  if (!known)
    result.first.reset();
  return result;
}

class SideFinder {
public:
  SideFinder(const Shapes &shapes, const DataLayout &data) : shapes_(shapes), data_(data) {}

  std::optional<Sides> ofAddress(Value &pointer, unsigned depth) {
    if (depth == 0)
      return std::nullopt;
    if (shapes_.of(&pointer).hasBase())
      return Sides{{shapes_.of(&pointer).stride, std::nullopt}};
    if (auto *choice = dyn_cast<SelectInst>(&pointer))
      return ofChoice(*choice, [&](Value &side) { return ofAddress(side, depth - 1); });
    auto *gep = dyn_cast<GetElementPtrInst>(&pointer);
    const auto offset = gep ? offsetOf(*gep, data_) : std::nullopt;
    auto base = offset ? ofAddress(*gep->getPointerOperand(), depth - 1) : std::nullopt;
    if (!base)
      return std::nullopt;
    Sides distances = {{0, offset->constant.getSExtValue()}};
    for (const auto &[index, scale] : offset->variable) {
      const auto places = ofInteger(*index, true, depth - 1);
      const Sides size = {{0, scale.getSExtValue()}};
      const auto bytes = places ? combinedSides(Instruction::Mul, *places, size) : std::nullopt;
      const auto sum = bytes ? combinedSides(Instruction::Add, distances, *bytes) : std::nullopt;
      if (!sum)
        return std::nullopt;
      distances = *sum;
    }
    return combinedSides(Instruction::Add, *base, distances);
  }

private:
  template <typename OfOperand>
  static std::optional<Sides> ofChoice(Instruction &choice, const OfOperand &side) {
    const bool is_select = isa<SelectInst>(choice);
    if (is_select && !choice.getOperand(0)->getType()->isIntegerTy(1))
      return std::nullopt;
    auto left = side(*choice.getOperand(is_select)),
         right = side(*choice.getOperand(is_select + 1));
    if (!left || !right || left->size() + right->size() > most_sides)
      return std::nullopt;
    left->append(*right);
    return left;
  }

  // A sum or product of alternatives, where all but one operand are the same on both sides.
  static std::optional<Sides> combinedSides(unsigned opcode, const Sides &left,
                                            const Sides &right) {
    if (left.size() > 1 && right.size() > 1)
      return std::nullopt;
    Sides result;
    for (const Side &a : left)
      for (const Side &b : right) {
        const auto side = combined(opcode, a, b);
        if (!side)
          return std::nullopt;
        result.push_back(*side);
      }
    return result;
  }

  // Of an integer, extended to 64 bits. The program's nsw or nuw flags hold for the lanes that
  // choose a side, so these do not wrap.
  std::optional<Sides> ofInteger(Value &value, bool is_signed, unsigned depth) {
    const bool whole = value.getType()->isIntegerTy(64);
    if (depth == 0 || value.getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    if (isOneSide(value, is_signed, shapes_)) {
      Side side = {shapes_.of(&value).stride, std::nullopt};
      if (const auto *number = dyn_cast<ConstantInt>(&value))
        side.first = is_signed ? number->getSExtValue() : wrapped(number->getZExtValue());
      return Sides{side};
    }
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
      return std::nullopt;
    const auto side = [&](Value &operand) { return ofInteger(operand, is_signed, depth - 1); };
    if (isa<SelectInst, MinMaxIntrinsic>(instruction))
      return ofChoice(*instruction, side);
    if (isa<SExtInst, ZExtInst>(instruction) && whole)
      return ofInteger(*instruction->getOperand(0),
                       isa<SExtInst>(instruction) || instruction->hasNonNeg(), depth - 1);
    auto *sum = dyn_cast<BinaryOperator>(instruction);
    if (!sum || !(whole || cannotWrap(*sum, is_signed)))
      return std::nullopt;
    const unsigned opcode = opcodeOfSum(*sum);
    const auto *places = dyn_cast<ConstantInt>(sum->getOperand(1));
    const bool shift = opcode == Instruction::Shl;
    if (shift && (!places || places->getValue().uge(63)))
      return std::nullopt;
    const auto left = side(*sum->getOperand(0));
    if (left && shift)
      return combinedSides(Instruction::Mul, *left, {{0, int64_t(1) << places->getZExtValue()}});
    const auto right = left ? side(*sum->getOperand(1)) : std::nullopt;
    return right ? combinedSides(opcode, *left, *right) : std::nullopt;
  }

  const Shapes &shapes_;
  const DataLayout &data_;
};

} // namespace

bool isOneSide(const Value &integer, bool is_signed, const Shapes &shapes) {
  return shapes.of(&integer).hasBase() &&
         (integer.getType()->isIntegerTy(64) || shapes.keepsGrowing(&integer, is_signed));
}

unsigned opcodeOfSum(const BinaryOperator &operation) {
  const auto *bits = dyn_cast<PossiblyDisjointInst>(&operation);
  return bits && bits->isDisjoint() ? unsigned(Instruction::Add) : operation.getOpcode();
}

std::optional<Sides> sidesOfAddress(Value &pointer, const Shapes &shapes, const DataLayout &data) {
  return SideFinder(shapes, data).ofAddress(pointer, deepest_choice);
}

} // namespace heddle::engine::simd
