// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/alignment_analysis.h"

#include "engine/compiler/simd/analysis/access/linear_form.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// The low bits of a term, in the first lane or in the first lane of each row.
LowBits ofTerm(const LinearForm::Term &term, const Shapes &shapes, const DataLayout &data) {
  unsigned count = unsigned(countr_zero(term.coefficient));
  const auto *load = dyn_cast<LoadInst>(term.value);
  if (load && load->getType()->isPointerTy())
    count += std::max(Log2(load->getPointerAlignment(data)), unsigned(shapes.of(load).zeros));
  else
    count += shapes.of(term.value).zeros;
  return {0, count};
}

} // namespace

LowBits knownAlignmentOf(const Value &value, const Shapes &shapes, const DataLayout &data) {
  const Shape shape = shapes.of(&value);
  if (!shape.hasRowBases() && !isa<ConstantInt>(value))
    return {};
  const LinearForm form = linearForm(value, data);
  LowBits result{form.constant, form.bits};
  for (const LinearForm::Term &term : form.terms)
    result.count = std::min(result.count, ofTerm(term, shapes, data).count);
  return result.count < shape.zeros ? LowBits{0, shape.zeros} : result;
}

} // namespace heddle::engine::simd
