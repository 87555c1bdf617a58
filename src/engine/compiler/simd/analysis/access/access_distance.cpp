// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/access_distance.h"

#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/access/linear_form.h"
#include "engine/compiler/simd/analysis/bounds_checks.h"
#include "engine/compiler/simd/analysis/grid_stride_loops.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Accesses closer than this share cache lines or touch neighbouring ones.
constexpr int64_t shortest_piece = 128; // bytes

// The address, if the access is to global memory and contiguous across lanes.
std::optional<LinearForm> place(Instruction &access, const ShapedCode &code) {
  Value *pointer = getLoadStorePointerOperand(&access);
  if (!pointer || pointer->getType()->getPointerAddressSpace() == shared_space)
    return std::nullopt;
  const Shape shape = code.shapes.of(pointer);
  const DataLayout &data = access.getModule()->getDataLayout();
  const auto size = int64_t(data.getTypeStoreSize(getLoadStoreType(&access)));
  if (shape.hasRowBases() ? shape.stride != size : !isUsuallyAffine(*pointer, code.shapes))
    return std::nullopt;
  return linearForm(*pointer, data);
}

void compare(const LinearForm &left, const LinearForm &right, const ShapedCode &code,
             Places &result) {
  const LinearForm apart = left - right;
  if (apart.terms.empty())
    result.pieces |= std::abs(int64_t(apart.constant)) >= shortest_piece;
  else if (apart.terms.size() == 1 && isBlockWidth(*apart.terms.front().value))
    result.pieces = true;
  else
    result.rows |= all_of(apart.terms, [&](const LinearForm::Term &term) {
      return term.value->getType()->isIntegerTy() && code.shapes.of(term.value).isUniform();
    });
}

} // namespace

Places accessDistances(Function &function, const ShapedCode &code) {
  constexpr size_t most = 64; // compared pairwise
  SmallVector<LinearForm> places;
  for (Instruction &instruction : instructions(function))
    if (auto found = place(instruction, code); found && places.size() < most)
      places.push_back(std::move(*found));
  Places result;
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      compare(places[i], places[j], code, result);
  return result;
}

} // namespace heddle::engine::simd
