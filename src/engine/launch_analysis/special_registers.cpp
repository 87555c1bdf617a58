// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch_analysis/special_registers.h"

#include "module/description/describe.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {

StringRef registerOf(const Value &value) {
  const auto *call = dyn_cast<CallInst>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : "";
  return name.consume_front("llvm.nvvm.read.ptx.sreg.") ? name : "";
}

bool tiesThreads(const Instruction &instruction) {
  if (instruction.isVolatile() || instruction.isAtomic())
    return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  if (const StringRef name = registerOf(*call); !name.empty())
    return !name.starts_with("tid.") && !name.starts_with("ntid.") && !name.starts_with("ctaid.") &&
           !name.starts_with("nctaid.");
  return call->isConvergent() || !isa<IntrinsicInst>(call) ||
         (call->mayHaveSideEffects() && !isPlainIntrinsic(*call));
}

const Value &withoutExtensions(const Value &value) {
  return isa<SExtInst, ZExtInst>(value) ? withoutExtensions(*cast<CastInst>(value).getOperand(0))
                                        : value;
}

bool isRegister(const Value &value, StringRef name, char axis) {
  StringRef found = registerOf(withoutExtensions(value));
  return found.consume_front(name) && found.size() == 2 && found[0] == '.' && found[1] == axis;
}

std::optional<uint32_t> blockDimIn(const Value &product, char axis) {
  const Value &value = withoutExtensions(product);
  Value *left = nullptr, *factor = nullptr;
  const APInt *number = nullptr;
  if (match(&value, m_Shl(m_Value(left), m_APInt(number))) && isRegister(*left, "ctaid", axis))
    return number->ult(10) ? std::optional(1u << number->getZExtValue()) : std::nullopt;
  if (!match(&value, m_Mul(m_Value(left), m_Value(factor))))
    return std::nullopt;
  if (!isRegister(*left, "ctaid", axis))
    std::swap(left, factor);
  if (!isRegister(*left, "ctaid", axis))
    return std::nullopt;
  if (isRegister(*factor, "ntid", axis))
    return any_block_dim;
  const auto *constant = dyn_cast<ConstantInt>(factor);
  return constant && constant->getValue().ult(1025)
             ? std::optional(uint32_t(constant->getZExtValue()))
             : std::nullopt;
}

std::optional<uint32_t> blockDimOfPlace(const Value &sum, char axis) {
  Value *left = nullptr, *right = nullptr;
  if (!match(&withoutExtensions(sum), m_Add(m_Value(left), m_Value(right))))
    return std::nullopt;
  if (isRegister(*left, "tid", axis))
    std::swap(left, right);
  return isRegister(*right, "tid", axis) ? blockDimIn(*left, axis) : std::nullopt;
}

} // namespace heddle::engine::simd
