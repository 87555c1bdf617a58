// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/widen_patterns.h"
#include "engine/compiler/simd/analysis/access/permuted_access.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/kinds/likely_contiguous.h"
#include "engine/compiler/simd/widen/kinds/widen_gather.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {

// Each row's elements from the lowest to the highest, and whether the lanes' offsets match the
// pattern and all these elements may be read.
static Neighbours neighboursOf(VectorBuilder &v, const Pattern &pattern, uint64_t element_bytes,
                               Value *old_pointer) {
  const IndexVector where = *indexVector(v, old_pointer);
  const int64_t scale = where.scale;
  SmallVector<int64_t> steps;
  for (const int64_t step : pattern.steps)
    steps.push_back(step / scale);
  const auto [starts, as_expected] = inSteps(v, where.offsets, steps);
  Neighbours result;
  result.known = as_expected;
  for (Value *start : starts) {
    Value *first = v.b.CreateAdd(start, v.b.getInt32(uint32_t(pattern.lowest / scale)));
    Value *last = v.b.CreateAdd(start, v.b.getInt32(uint32_t(pattern.highest / scale)));
    Value *pointer =
        v.b.CreateGEP(v.b.getInt8Ty(), where.base,
                      v.b.CreateMul(v.b.CreateSExt(first, v.b.getInt64Ty()), v.b.getInt64(scale)));
    result.known = v.b.CreateAnd(result.known, v.b.CreateICmpSLE(first, last));
    // If all lanes are active, the first and last element are accessed anyway.
    if (!v.mask.allActive()) {
      constexpr uint64_t page_bytes = 4096; // the smallest page size
      Value *in_page = v.b.CreateAnd(v.b.CreatePtrToInt(pointer, v.b.getInt64Ty()), page_bytes - 1);
      const uint64_t bytes = uint64_t(pattern.highest - pattern.lowest) + element_bytes;
      result.known =
          v.b.CreateAnd(result.known, v.b.CreateICmpULE(in_page, v.b.getInt64(page_bytes - bytes)));
    }
    result.pointers.push_back(pointer);
  }
  return result;
}

Value *loadPattern(VectorBuilder &v, LoadInst &old) {
  const uint64_t element_bytes = v.sizeOf(old.getType());
  const Pattern pattern = *permutationOf(*old.getPointerOperand(), element_bytes, v.code.shapes,
                                         v.options.layout, v.data);
  const Neighbours found = neighboursOf(v, pattern, element_bytes, old.getPointerOperand());
  SmallVector<int> order;
  for (const int64_t step : pattern.steps)
    order.push_back(int((step - pattern.lowest) / int64_t(element_bytes)));
  auto *type = FixedVectorType::get(old.getType(), unsigned(*max_element(order)) + 1);
  return v.either(
      found.known,
      [&] {
        SmallVector<Value *> rows;
        for (Value *pointer : found.pointers)
          rows.push_back(
              v.b.CreateShuffleVector(loadVector(v, old, type, pointer, nullptr), order));
        return concatenateVectors(v.b, rows);
      },
      [&] { return gather(v, old); });
}

} // namespace heddle::engine::simd
