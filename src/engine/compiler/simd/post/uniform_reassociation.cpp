// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/post/uniform_reassociation.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine {
namespace {

/// `varying op common`, where common is uniform across elements; op is "and" or "or", bitwise or as
/// a select, which does not evaluate its right operand if the left one decides.
struct Joined {
  Value *varying = nullptr, *common = nullptr;
  bool is_and = false, is_choice = false;
};

Joined joinedAt(Value &value) {
  Value *left = nullptr, *right = nullptr;
  Joined result;
  if (!value.getType()->isVectorTy())
    return result;
  if (match(&value, m_LogicalAnd(m_Value(left), m_Value(right))))
    result.is_and = true;
  else if (!match(&value, m_LogicalOr(m_Value(left), m_Value(right))))
    return result;
  result.is_choice = isa<SelectInst>(value);
  if (!result.is_choice && getSplatValue(left))
    std::swap(left, right);
  result.varying = left;
  result.common = isa<Constant>(right) ? nullptr : getSplatValue(right);
  return result;
}

Value *join(IRBuilder<> &b, const Joined &how, Value *left, Value *right) {
  if (how.is_choice)
    return how.is_and ? b.CreateLogicalAnd(left, right) : b.CreateLogicalOr(left, right);
  return how.is_and ? b.CreateAnd(left, right) : b.CreateOr(left, right);
}

} // namespace

void reassociateUniformTerms(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    const Joined outer = joinedAt(instruction);
    if (!outer.common || !outer.varying->hasOneUse())
      continue;
    const Joined inner = joinedAt(*outer.varying);
    if (!inner.common || inner.is_and != outer.is_and)
      continue;
    IRBuilder<> b(&instruction);
    const auto count = cast<VectorType>(instruction.getType())->getElementCount();
    Value *common = b.CreateVectorSplat(count, join(b, outer, inner.common, outer.common));
    instruction.replaceAllUsesWith(join(b, inner, inner.varying, common));
    RecursivelyDeleteTriviallyDeadInstructions(&instruction);
  }
}

} // namespace heddle::engine
