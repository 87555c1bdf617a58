// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of permuted contiguous elements (permuted_access.h).
#include "engine/compiler/simd/analysis/access/permuted_access.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {

// Each row's elements from the lowest to the highest, and whether the lanes' offsets match the
// pattern and all these elements may be read.
std::optional<Widener::Neighbours>
Widener::neighboursOf(const Pattern &pattern, uint64_t element_bytes, Value *old_pointer) {
  const auto where = indexVector(old_pointer);
  const int64_t scale = where ? where->scale : 0;
  if (!where || any_of(pattern.steps, [&](int64_t step) { return step % scale != 0; }))
    return std::nullopt;
  SmallVector<int64_t> steps;
  for (const int64_t step : pattern.steps)
    steps.push_back(step / scale);
  const auto [starts, as_expected] = inSteps(where->offsets, steps);
  Neighbours result;
  result.known = as_expected;
  for (Value *start : starts) {
    Value *first = b_.CreateAdd(start, b_.getInt32(uint32_t(pattern.lowest / scale)));
    Value *last = b_.CreateAdd(start, b_.getInt32(uint32_t(pattern.highest / scale)));
    Value *pointer =
        b_.CreateGEP(b_.getInt8Ty(), where->base,
                     b_.CreateMul(b_.CreateSExt(first, b_.getInt64Ty()), b_.getInt64(scale)));
    result.known = b_.CreateAnd(result.known, b_.CreateICmpSLE(first, last));
    // If all lanes are active, the first and last element are accessed anyway.
    if (!allActive()) {
      constexpr uint64_t page_bytes = 4096; // the smallest page size
      Value *in_page = b_.CreateAnd(b_.CreatePtrToInt(pointer, b_.getInt64Ty()), page_bytes - 1);
      const uint64_t bytes = uint64_t(pattern.highest - pattern.lowest) + element_bytes;
      result.known =
          b_.CreateAnd(result.known, b_.CreateICmpULE(in_page, b_.getInt64(page_bytes - bytes)));
    }
    result.pointers.push_back(pointer);
  }
  return result;
}

Value *Widener::loadPattern(LoadInst &old) {
  const uint64_t element_bytes = sizeOf(old.getType());
  // Rows without active lanes have arbitrary addresses.
  if (!old.isSimple() || !isPlain(old.getType()) || areFew() || (!allActive() && rowCount() > 1))
    return nullptr;
  const auto pattern =
      permutationOf(*old.getPointerOperand(), element_bytes, code_.shapes, options_.layout, data_);
  const auto found =
      pattern ? neighboursOf(*pattern, element_bytes, old.getPointerOperand()) : std::nullopt;
  if (!found)
    return nullptr;
  remark(old, Remark::Kind::Pattern, "load");
  SmallVector<int> order;
  for (const int64_t step : pattern->steps)
    order.push_back(int((step - pattern->lowest) / int64_t(element_bytes)));
  auto *type = FixedVectorType::get(old.getType(), unsigned(*max_element(order)) + 1);
  return either(
      found->known,
      [&] {
        SmallVector<Value *> rows;
        for (Value *pointer : found->pointers)
          rows.push_back(b_.CreateShuffleVector(loadVector(old, type, pointer, nullptr), order));
        return concatenateVectors(b_, rows);
      },
      [&] { return gather(old); });
}

} // namespace heddle::engine::simd
