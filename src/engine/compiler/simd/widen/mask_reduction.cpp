// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle.any and heddle.all: whether a condition holds for any, or for all, lanes that are here.
//
// The usual way makes the condition a mask and looks at its bits. But most questions are whether
// indices are within bounds (`i < n && j < m`), and of numbers that grow from lane to lane the
// largest is in the last lane: one scalar comparison answers for all.
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
    if (Value *answer = askBounds(old_condition, any, false))
      return answer;
  Value *condition = vectorOf(old_condition);
  if (const auto first = firstLanesOf(*condition); first && allActive())
    return b_.getInt1(any ? *first > 0 : *first == lanes_);
  if (any)
    return b_.CreateIsNotNull(bitsOf(onlyHere(condition)), "any");
  return b_.CreateIsNull(bitsOf(onlyHere(b_.CreateNot(condition))), "all");
}

// The answer by scalars, where the first lanes of each row are here; null if that cannot be.
// `frozen`: a lane whose condition is poison counts as one for which it may hold or not, rather
// than as undefined behaviour.
Value *Widener::askBounds(Value *old, bool any, bool frozen) {
  if (shape(old).isUniform())
    return frozen ? b_.CreateFreeze(scalarOf(old)) : scalarOf(old);
  Value *left = nullptr, *right = nullptr;
  if (match(old, m_Not(m_Value(left)))) {
    Value *answer = askBounds(left, !any, frozen);
    return answer ? b_.CreateNot(answer) : nullptr;
  }
  if (auto *freeze = dyn_cast<FreezeInst>(old))
    return askBounds(freeze->getOperand(0), any, true);
  if (any ? match(old, m_LogicalOr(m_Value(left), m_Value(right)))
          : match(old, m_LogicalAnd(m_Value(left), m_Value(right)))) {
    Value *of_left = askBounds(left, any, frozen);
    Value *of_right = of_left ? askBounds(right, any, frozen) : nullptr;
    if (!of_right)
      return nullptr;
    return any ? b_.CreateLogicalOr(of_left, of_right) : b_.CreateLogicalAnd(of_left, of_right);
  }
  auto *compare = dyn_cast<ICmpInst>(old);
  return compare ? askBound(*compare, any, frozen) : nullptr;
}

// Whether the number grows from lane to lane without wrapping, as a signed one, where the program
// promises that its sums do not.
bool Widener::growsAsPromised(const Value &number, unsigned depth) const {
  const Shape form = shape(&number);
  if (form.hasRowBases() && (form.stride == 0 || isNotNegative(&number)))
    return true;
  const auto *sum = dyn_cast<BinaryOperator>(&number);
  return sum && depth > 0 && form.hasRowBases() && extendsAsSum(*sum, true) &&
         growsAsPromised(*sum->getOperand(0), depth - 1) &&
         growsAsPromised(*sum->getOperand(1), depth - 1);
}

// Of `index < bound` and its like.
Value *Widener::askBound(ICmpInst &compare, bool any, bool frozen) {
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
  // Numbers that are not negative in any lane do not wrap on the way from the first to the last:
  // the step is too small to come back to such a number. Nor do sums of which the program promises
  // that: they are computed by each row's first lane, too.
  const bool may_wrap =
      !isNotNegative(index) && (frozen || !compare.isSigned() || !growsAsPromised(*index));
  const unsigned bits = index->getType()->getIntegerBitWidth();
  const int64_t most = (int64_t(1) << 30) / rowLength();
  if ((frozen && (any || may_wrap)) || bits < 32 || form.stride > most || form.stride < -most)
    return nullptr;
  const bool wants_small = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  const bool largest = wants_small != any; // decides
  // Where others go up one by one and wrap, one of them is the largest number there is, which is
  // below no bound. (That is a second question, which only long masks are worth.)
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
  // Where the same is added from row to row, those between the first and the last need not be
  // asked.
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
