// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/linear_form.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"

#include <functional>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned deepest = 12; // of the expression, GEPs not counted

bool precedes(const LinearForm::Term &left, const LinearForm::Term &right) {
  if (left.value != right.value)
    return std::less<>()(left.value, right.value);
  return left.factors < right.factors;
}

// left + right * scale.
LinearForm sum(const LinearForm &left, const LinearForm &right, uint64_t scale = 1) {
  LinearForm result;
  result.constant = left.constant + right.constant * scale;
  result.bits = std::min(left.bits, right.bits);
  SmallVector<LinearForm::Term> all = left.terms;
  for (LinearForm::Term term : right.terms) {
    term.coefficient *= scale;
    all.push_back(std::move(term));
  }
  sort(all, precedes);
  for (LinearForm::Term &term : all)
    if (!result.terms.empty() && !precedes(result.terms.back(), term))
      result.terms.back().coefficient += term.coefficient;
    else
      result.terms.push_back(std::move(term));
  erase_if(result.terms, [](const LinearForm::Term &term) { return term.coefficient == 0; });
  return result;
}

class Finder {
public:
  Finder(const DataLayout &data, function_ref<bool(const Value &)> is_factor)
      : data_(data), is_factor_(is_factor) {}

  LinearForm of(const Value &value, unsigned depth) {
    if (const auto *number = dyn_cast<ConstantInt>(&value); number && number->getBitWidth() <= 64)
      return ofConstant(uint64_t(number->getSExtValue()));
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (instruction && depth > 0)
      if (auto found = ofInstruction(*instruction, depth))
        return *found;
    LinearForm result;
    result.terms.push_back({&value, {}, 1});
    return result;
  }

private:
  static LinearForm ofConstant(uint64_t number) {
    LinearForm result;
    result.constant = number;
    return result;
  }

  // Nothing if the instruction is a term.
  std::optional<LinearForm> ofInstruction(const Instruction &instruction, unsigned depth) {
    const auto operand = [&](unsigned i) { return of(*instruction.getOperand(i), depth - 1); };
    switch (instruction.getOpcode()) {
    case Instruction::SExt:
    case Instruction::ZExt:
      return inBits(operand(0), instruction.getOperand(0)->getType());
    case Instruction::Trunc:
      return inBits(operand(0), instruction.getType());
    case Instruction::Freeze:
    case Instruction::AddrSpaceCast:
      return operand(0);
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(instruction).isDisjoint())
        return std::nullopt;
      [[fallthrough]];
    case Instruction::Add:
      return sum(operand(0), operand(1));
    case Instruction::Sub:
      return sum(operand(0), operand(1), ~uint64_t(0));
    case Instruction::Mul:
      return product(instruction, depth);
    case Instruction::Shl:
      if (const auto *places = dyn_cast<ConstantInt>(instruction.getOperand(1));
          places && places->getValue().ult(64))
        return sum({}, operand(0), uint64_t(1) << places->getZExtValue());
      return std::nullopt;
    case Instruction::GetElementPtr:
      return address(cast<GetElementPtrInst>(instruction), depth);
    default:
      return std::nullopt;
    }
  }

  static LinearForm inBits(LinearForm form, const Type *type) {
    if (type->isIntegerTy())
      form.bits = std::min(form.bits, type->getIntegerBitWidth());
    return form;
  }

  std::optional<LinearForm> product(const Instruction &instruction, unsigned depth) {
    for (const unsigned i : {1u, 0u}) {
      const Value *factor = instruction.getOperand(i);
      const auto *number = dyn_cast<ConstantInt>(factor);
      if (!number && !is_factor_(*factor))
        continue;
      LinearForm other = of(*instruction.getOperand(1 - i), depth - 1);
      if (number)
        return number->getBitWidth() <= 64
                   ? std::optional(sum({}, other, uint64_t(number->getSExtValue())))
                   : std::nullopt;
      return times(std::move(other), *factor);
    }
    return std::nullopt;
  }

  static LinearForm times(LinearForm form, const Value &factor) {
    for (LinearForm::Term &term : form.terms) {
      term.factors.push_back(&factor);
      sort(term.factors);
    }
    if (form.constant)
      form.terms.push_back({&factor, {}, std::exchange(form.constant, 0)});
    return sum({}, form);
  }

  std::optional<LinearForm> address(const GetElementPtrInst &gep, unsigned depth) {
    const auto offset = offsetOf(gep, data_);
    if (!offset)
      return std::nullopt;
    LinearForm result = of(*gep.getPointerOperand(), depth);
    for (const auto &[index, scale] : offset->variable)
      result = sum(result, of(*index, depth - 1), uint64_t(scale.getSExtValue()));
    return sum(result, ofConstant(uint64_t(offset->constant.getSExtValue())));
  }

  const DataLayout &data_;
  const function_ref<bool(const Value &)> is_factor_;
};

} // namespace

LinearForm linearForm(const Value &value, const DataLayout &data,
                      function_ref<bool(const Value &)> is_factor) {
  return Finder(data, is_factor).of(value, deepest);
}

LinearForm linearForm(const Value &value, const DataLayout &data) {
  return linearForm(value, data, [](const Value &) { return false; });
}

LinearForm operator-(const LinearForm &left, const LinearForm &right) {
  return sum(left, right, ~uint64_t(0));
}

bool cannotWrap(const Instruction &instruction, bool is_signed) {
  if (const auto *disjoint = dyn_cast<PossiblyDisjointInst>(&instruction))
    return disjoint->isDisjoint();
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    return is_signed ? instruction.hasNoSignedWrap() : instruction.hasNoUnsignedWrap();
  default:
    return false;
  }
}

} // namespace heddle::engine::simd
