// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/mask_reduction.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/normalize/index_widening.h"
#include "engine/compiler/simd/widen/tiled_values.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {

namespace {

struct Reduction {
  Quantifier over;
  bool frozen = false; // poison in a lane is an arbitrary value instead of undefined behaviour

  bool any() const { return over == Quantifier::Any; }
  Reduction negated() const { return {any() ? Quantifier::All : Quantifier::Any, frozen}; }
};

} // namespace

static Value *reduceBounds(VectorBuilder &v, Value *old, Reduction reduction);
static Value *reduceBound(VectorBuilder &v, ICmpInst &compare, Reduction reduction);

Value *reduceMask(VectorBuilder &v, Value *old_condition, Quantifier over) {
  const bool any = over == Quantifier::Any;
  if (v.shape(old_condition).isUniform())
    return v.scalarOf(old_condition);
  if (v.mask.areFirstInRows())
    if (Value *answer = reduceBounds(v, old_condition, {over}))
      return answer;
  Value *condition = v.vectorOf(old_condition);
  if (const auto first = firstLanesOf(*condition); first && v.mask.allActive())
    return v.b.getInt1(any ? *first > 0 : *first == v.lanes);
  if (any)
    return v.b.CreateIsNotNull(v.mask.bitsOf(v.mask.onlyHere(condition)), "any");
  return v.b.CreateIsNull(v.mask.bitsOf(v.mask.onlyHere(v.b.CreateNot(condition))), "all");
}

// The result by scalar comparisons, where the first lanes of each row are active; null if it cannot
// be computed so.
static Value *reduceBounds(VectorBuilder &v, Value *old, Reduction reduction) {
  const bool any = reduction.any();
  if (v.shape(old).isUniform())
    return reduction.frozen ? v.b.CreateFreeze(v.scalarOf(old)) : v.scalarOf(old);
  Value *left = nullptr, *right = nullptr;
  if (match(old, m_Not(m_Value(left)))) {
    Value *answer = reduceBounds(v, left, reduction.negated());
    return answer ? v.b.CreateNot(answer) : nullptr;
  }
  if (auto *freeze = dyn_cast<FreezeInst>(old))
    return reduceBounds(v, freeze->getOperand(0), {reduction.over, /*frozen=*/true});
  if (any ? match(old, m_LogicalOr(m_Value(left), m_Value(right)))
          : match(old, m_LogicalAnd(m_Value(left), m_Value(right)))) {
    Value *of_left = reduceBounds(v, left, reduction);
    Value *of_right = of_left ? reduceBounds(v, right, reduction) : nullptr;
    if (!of_right)
      return nullptr;
    return any ? v.b.CreateLogicalOr(of_left, of_right) : v.b.CreateLogicalAnd(of_left, of_right);
  }
  auto *compare = dyn_cast<ICmpInst>(old);
  return compare ? reduceBound(v, *compare, reduction) : nullptr;
}

// Whether the number is affine without signed wrapping, given that the program's sums do not wrap.
static bool growsAsPromised(VectorBuilder &v, const Value &number, unsigned depth = 4) {
  const Shape form = v.shape(&number);
  if (form.hasRowBases() && (form.stride == 0 || isNotNegative(v, &number)))
    return true;
  const auto *sum = dyn_cast<BinaryOperator>(&number);
  return sum && depth > 0 && form.hasRowBases() && extendsAsSum(*sum, true) &&
         growsAsPromised(v, *sum->getOperand(0), depth - 1) &&
         growsAsPromised(v, *sum->getOperand(1), depth - 1);
}

// A comparison such as `index < bound`.
static Value *reduceBound(VectorBuilder &v, ICmpInst &compare, Reduction reduction) {
  const bool any = reduction.any(), frozen = reduction.frozen;
  Value *index = compare.getOperand(0), *bound = compare.getOperand(1);
  CmpInst::Predicate predicate = compare.getPredicate();
  if (v.shape(index).isUniform()) {
    std::swap(index, bound);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const Shape form = v.shape(index);
  if (!index->getType()->isIntegerTy() || compare.isEquality() || !form.hasRowBases() ||
      !v.shape(bound).isUniform())
    return nullptr;
  // Numbers that are non-negative in all lanes do not wrap between the first and the last lane: the
  // stride is too small to reach a non-negative number again. Nor do sums with nsw: each row's
  // first lane computes them, too.
  const bool may_wrap =
      !isNotNegative(v, index) && (frozen || !compare.isSigned() || !growsAsPromised(v, *index));
  const unsigned bits = index->getType()->getIntegerBitWidth();
  const int64_t most = (int64_t(1) << 30) / v.rowLength();
  if ((frozen && (any || may_wrap)) || bits < 32 || form.stride > most || form.stride < -most)
    return nullptr;
  const bool wants_small = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  const bool largest = wants_small != any; // decides
  // If numbers with stride 1 wrap, one of them is the largest number, which is below no bound.
  // (This takes a second comparison, which pays for wide masks only.)
  const bool strict = ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate);
  if (may_wrap && (v.rowLength() <= 32 || form.stride != 1 || !largest || !strict))
    return nullptr;
  const bool last = largest == (form.stride > 0);
  CmpInst::Predicate in_order = form.stride > 0 ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_SGE;
  if (may_wrap && ICmpInst::isUnsigned(predicate))
    in_order = ICmpInst::ICMP_ULE;
  Value *scalar_bound = v.scalarOf(bound);
  Value *answer = nullptr;
  const Rows firsts = v.rowsOf(index);
  // If the step from row to row is uniform, only the first and the last row need to be tested.
  const bool corners = v.mask.allActive() && !frozen && compare.isSigned() && stepOf(v, index);
  for (unsigned row = 0; row < firsts.size(); ++row) {
    const unsigned here = v.mask.firstInRow(row).value_or(v.rowLength());
    if (here == 0 || (corners && row > 0 && row + 1 < firsts.size()))
      continue;
    Value *first = firsts[row];
    const int64_t growth = form.stride * (int64_t(here) - 1);
    Value *other = v.b.CreateAdd(first, ConstantInt::get(index->getType(), uint64_t(growth)));
    Value *holds = v.b.CreateICmp(predicate, last ? other : first, scalar_bound);
    if (frozen || may_wrap) { // the last lane may have wrapped after all
      Value *ordered = v.b.CreateICmp(in_order, first, other);
      holds = any ? v.b.CreateOr(holds, v.b.CreateNot(ordered)) : v.b.CreateAnd(holds, ordered);
    }
    if (frozen)
      holds = v.b.CreateFreeze(holds);
    if (answer)
      holds = any ? v.b.CreateOr(answer, holds) : v.b.CreateAnd(answer, holds);
    answer = holds;
  }
  return answer;
}

} // namespace heddle::engine::simd
