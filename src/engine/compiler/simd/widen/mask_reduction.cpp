// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle.any and heddle.all: reductions of a condition over the active lanes.
//
// In general the condition becomes a mask, whose bits are tested. But most conditions are bounds
// checks (`i < n && j < m`), and the largest of affine numbers is in the last lane: one scalar
// comparison decides for all lanes.
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/normalize/index_widening.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {

Value *Widener::reduceMask(Value *old_condition, bool any) {
  if (shape(old_condition).isUniform())
    return scalarOf(old_condition);
  if (areFirstInRows())
    if (Value *answer = reduceBounds(old_condition, any, false))
      return answer;
  Value *condition = vectorOf(old_condition);
  if (const auto first = firstLanesOf(*condition); first && allActive())
    return b_.getInt1(any ? *first > 0 : *first == lanes_);
  if (any)
    return b_.CreateIsNotNull(bitsOf(onlyHere(condition)), "any");
  return b_.CreateIsNull(bitsOf(onlyHere(b_.CreateNot(condition))), "all");
}

// The result by scalar comparisons, where the first lanes of each row are active; null if it cannot
// be computed so. `frozen`: poison in a lane counts as an arbitrary value instead of undefined
// behaviour.
Value *Widener::reduceBounds(Value *old, bool any, bool frozen) {
  if (shape(old).isUniform())
    return frozen ? b_.CreateFreeze(scalarOf(old)) : scalarOf(old);
  Value *left = nullptr, *right = nullptr;
  if (match(old, m_Not(m_Value(left)))) {
    Value *answer = reduceBounds(left, !any, frozen);
    return answer ? b_.CreateNot(answer) : nullptr;
  }
  if (auto *freeze = dyn_cast<FreezeInst>(old))
    return reduceBounds(freeze->getOperand(0), any, true);
  if (any ? match(old, m_LogicalOr(m_Value(left), m_Value(right)))
          : match(old, m_LogicalAnd(m_Value(left), m_Value(right)))) {
    Value *of_left = reduceBounds(left, any, frozen);
    Value *of_right = of_left ? reduceBounds(right, any, frozen) : nullptr;
    if (!of_right)
      return nullptr;
    return any ? b_.CreateLogicalOr(of_left, of_right) : b_.CreateLogicalAnd(of_left, of_right);
  }
  auto *compare = dyn_cast<ICmpInst>(old);
  return compare ? reduceBound(*compare, any, frozen) : nullptr;
}

// Whether the number is affine without signed wrapping, given that the program's sums do not wrap.
bool Widener::growsAsPromised(const Value &number, unsigned depth) const {
  const Shape form = shape(&number);
  if (form.hasRowBases() && (form.stride == 0 || isNotNegative(&number)))
    return true;
  const auto *sum = dyn_cast<BinaryOperator>(&number);
  return sum && depth > 0 && form.hasRowBases() && extendsAsSum(*sum, true) &&
         growsAsPromised(*sum->getOperand(0), depth - 1) &&
         growsAsPromised(*sum->getOperand(1), depth - 1);
}

// A comparison such as `index < bound`.
Value *Widener::reduceBound(ICmpInst &compare, bool any, bool frozen) {
  Value *index = compare.getOperand(0), *bound = compare.getOperand(1);
  CmpInst::Predicate predicate = compare.getPredicate();
  if (shape(index).isUniform()) {
    std::swap(index, bound);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const Shape form = shape(index);
  if (!index->getType()->isIntegerTy() || compare.isEquality() || !form.hasRowBases() ||
      !shape(bound).isUniform())
    return nullptr;
  // Numbers that are non-negative in all lanes do not wrap between the first and the last lane: the
  // stride is too small to reach a non-negative number again. Nor do sums with nsw: each row's
  // first lane computes them, too.
  const bool may_wrap =
      !isNotNegative(index) && (frozen || !compare.isSigned() || !growsAsPromised(*index));
  const unsigned bits = index->getType()->getIntegerBitWidth();
  const int64_t most = (int64_t(1) << 30) / rowLength();
  if ((frozen && (any || may_wrap)) || bits < 32 || form.stride > most || form.stride < -most)
    return nullptr;
  const bool wants_small = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  const bool largest = wants_small != any; // decides
  // If numbers with stride 1 wrap, one of them is the largest number, which is below no bound.
  // (This takes a second comparison, which pays for wide masks only.)
  const bool strict = ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate);
  if (may_wrap && (rowLength() <= 32 || form.stride != 1 || !largest || !strict))
    return nullptr;
  const bool last = largest == (form.stride > 0);
  CmpInst::Predicate in_order = form.stride > 0 ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_SGE;
  if (may_wrap && ICmpInst::isUnsigned(predicate))
    in_order = ICmpInst::ICMP_ULE;
  Value *scalar_bound = scalarOf(bound);
  Value *answer = nullptr;
  const Rows firsts = rowsOf(index);
  // If the step from row to row is uniform, only the first and the last row need to be tested.
  const bool corners = allActive() && !frozen && compare.isSigned() && stepOf(index);
  for (unsigned row = 0; row < firsts.size(); ++row) {
    const unsigned here = firstInRow(row).value_or(rowLength());
    if (here == 0 || (corners && row > 0 && row + 1 < firsts.size()))
      continue;
    Value *first = firsts[row];
    const int64_t growth = form.stride * (int64_t(here) - 1);
    Value *other = b_.CreateAdd(first, ConstantInt::get(index->getType(), uint64_t(growth)));
    Value *holds = b_.CreateICmp(predicate, last ? other : first, scalar_bound);
    if (frozen || may_wrap) { // the last lane may have wrapped after all
      Value *ordered = b_.CreateICmp(in_order, first, other);
      holds = any ? b_.CreateOr(holds, b_.CreateNot(ordered)) : b_.CreateAnd(holds, ordered);
    }
    if (frozen)
      holds = b_.CreateFreeze(holds);
    if (answer)
      holds = any ? b_.CreateOr(answer, holds) : b_.CreateAnd(answer, holds);
    answer = holds;
  }
  return answer;
}

} // namespace heddle::engine::simd
