// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/likely_contiguous.h"

#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/kinds/widen_gather.h"
#include "engine/compiler/simd/widen/lane_values.h"

#include "llvm/Analysis/VectorUtils.h"

#include <numeric>
#include <tuple>

using namespace llvm;

namespace heddle::engine::simd {

std::pair<Rows, Value *> inSteps(VectorBuilder &v, Value *values, ArrayRef<int64_t> steps_of_row) {
  Type *integer = values->getType()->getScalarType();
  SmallVector<Constant *> steps;
  for (unsigned lane = 0; lane < v.lanes; ++lane)
    steps.push_back(ConstantInt::getSigned(integer, steps_of_row[lane % v.rowLength()]));
  Value *starts = v.b.CreateSub(values, ConstantVector::get(steps));
  Rows firsts;
  SmallVector<Value *> expected;
  for (unsigned row = 0; row < v.rowCount(); ++row) {
    firsts.push_back(v.b.CreateExtractElement(
        starts, v.rowCount() == 1 ? v.mask.firstLane() : v.b.getInt32(row * v.rowLength())));
    expected.push_back(v.b.CreateVectorSplat(v.rowLength(), firsts.back()));
  }
  Value *differs = v.b.CreateICmpNE(starts, concatenateVectors(v.b, expected));
  return {firsts, v.b.CreateIsNull(v.mask.bitsOf(v.mask.onlyHere(differs)))};
}

// The address as if lanes were contiguous, with a condition for that: a 32-bit index may wrap, and
// `min(x + 1, width - 1)` is x + 1 except at the border. The test is one comparison.
static Neighbours neighboursAt(VectorBuilder &v, Value *old_pointer) {
  const auto where = indexedAddress(old_pointer, v.shapes);
  const Shape form = v.shape(where->narrow);
  Type *integer = where->narrow->getType();
  Rows firsts;
  Value *in_order = v.b.getTrue();
  if (form.hasRowBases()) {
    firsts = v.rowsOf(where->narrow);
  } else {
    SmallVector<int64_t> steps(v.rowLength());
    std::iota(steps.begin(), steps.end(), 0);
    std::tie(firsts, in_order) = inSteps(v, v.vectorOf(where->narrow), steps);
  }
  const bool is_signed = !where->extension || isa<SExtInst>(where->extension);
  Neighbours result;
  result.known = in_order;
  for (Value *first : firsts) {
    Value *last = v.b.CreateAdd(first, ConstantInt::get(integer, v.rowLength() - 1));
    Value *no_wrap = v.b.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first, last);
    result.known = v.b.CreateAnd(result.known, no_wrap);
    Value *index = first;
    if (where->extension)
      index = v.b.CreateCast(where->extension->getOpcode(), index, where->extension->getType());
    result.pointers.push_back(v.b.CreateGEP(where->gep->getSourceElementType(),
                                            v.scalarOf(where->gep->getPointerOperand()), index));
  }
  return result;
}

Value *loadIfContiguous(VectorBuilder &v, LoadInst &old) {
  const Neighbours found = neighboursAt(v, old.getPointerOperand());
  return v.either(
      found.known, [&] { return loadNeighbours(v, old, found.pointers); },
      [&] { return gather(v, old); });
}

void storeIfContiguous(VectorBuilder &v, StoreInst &old) {
  const Neighbours found = neighboursAt(v, old.getPointerOperand());
  v.either(
      found.known,
      [&]() -> Value * {
        storeNeighbours(v, old, found.pointers);
        return nullptr;
      },
      [&]() -> Value * {
        scatter(v, old);
        return nullptr;
      });
}

} // namespace heddle::engine::simd
