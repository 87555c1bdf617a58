// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/address_sum.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"

#include <map>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

class Terms {
public:
  void add(Value *value, uint64_t factor, unsigned depth = 10) {
    if (const auto *number = dyn_cast<ConstantInt>(value)) {
      constant += uint64_t(number->getSExtValue()) * factor;
      return;
    }
    if (isa<SExtInst, ZExtInst>(value))
      value = cast<CastInst>(value)->getOperand(0);
    const auto *operation = dyn_cast<BinaryOperator>(value);
    const bool sum = operation && depth > 0 && operation->getType()->isIntegerTy();
    if (sum && operation->getOpcode() == Instruction::Add) {
      add(operation->getOperand(0), factor, depth - 1);
      add(operation->getOperand(1), factor, depth - 1);
    } else if (sum && operation->getOpcode() == Instruction::Sub) {
      add(operation->getOperand(0), factor, depth - 1);
      add(operation->getOperand(1), -factor, depth - 1);
    } else if (const auto known = sum ? factorOf(*operation) : std::nullopt) {
      add(operation->getOperand(0), factor * *known, depth - 1);
    } else {
      factors[value] += factor;
    }
  }

  AddressSum sum() const {
    AddressSum result;
    result.constant = constant;
    for (const auto &[value, factor] : factors)
      if (factor != 0)
        result.terms.emplace_back(value, factor);
    return result;
  }

  std::map<Value *, uint64_t> factors;
  uint64_t constant = 0;

private:
  // The factor of the operation's first operand.
  static std::optional<uint64_t> factorOf(const BinaryOperator &operation) {
    const auto *number = dyn_cast<ConstantInt>(operation.getOperand(1));
    if (number && operation.getOpcode() == Instruction::Mul)
      return uint64_t(number->getSExtValue());
    if (number && operation.getOpcode() == Instruction::Shl && number->getValue().ult(64))
      return uint64_t(1) << number->getZExtValue();
    return std::nullopt;
  }
};

} // namespace

AddressSum addressSum(Value *pointer, const DataLayout &data) {
  Terms terms;
  while (auto *gep = dyn_cast<GetElementPtrInst>(pointer)) {
    const auto offset = offsetOf(*gep, data);
    if (!offset)
      break;
    terms.constant += uint64_t(offset->constant.getSExtValue());
    for (const auto &[index, scale] : offset->variable)
      terms.add(index, uint64_t(scale.getSExtValue()));
    pointer = gep->getPointerOperand();
  }
  terms.add(pointer, 1);
  return terms.sum();
}

AddressSum difference(const AddressSum &left, const AddressSum &right) {
  Terms terms;
  terms.constant = left.constant - right.constant;
  for (const auto &[value, factor] : left.terms)
    terms.factors[value] += factor;
  for (const auto &[value, factor] : right.terms)
    terms.factors[value] -= factor;
  return terms.sum();
}

} // namespace heddle::engine::simd
