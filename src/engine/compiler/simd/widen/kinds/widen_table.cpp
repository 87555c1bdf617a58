// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/widen_table.h"
#include "engine/compiler/simd/analysis/access/indexed_address.h"
#include "engine/compiler/simd/widen/kinds/widen_gather.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr uint64_t register_bytes = table_bytes / 2;
constexpr uint64_t page_bytes = 4096; // the smallest page size

} // namespace

static Value *lookUp(VectorBuilder &v, LoadInst &old, const IndexVector &where, unsigned registers);

Value *loadFromTable(VectorBuilder &v, LoadInst &old) {
  const uint64_t element_bytes = v.sizeOf(old.getType());
  const uint64_t size = tableSize(old.getPointerOperand(), element_bytes, v.shapes, v.data);
  const IndexVector where = *indexVector(v, old.getPointerOperand());
  const uint64_t bytes = alignTo(size * element_bytes, register_bytes);
  // At least one lane accesses the table, so the rest of its page is mapped, too.
  Value *in_page = v.b.CreateAnd(v.b.CreatePtrToInt(where.base, v.b.getInt64Ty()), page_bytes - 1);
  return v.either(
      v.b.CreateICmpULE(in_page, v.b.getInt64(page_bytes - bytes)),
      [&] { return lookUp(v, old, where, unsigned(bytes / register_bytes)); },
      [&] { return gather(v, old); });
}

// Permutes the table's elements in one or two registers.
static Value *lookUp(VectorBuilder &v, LoadInst &old, const IndexVector &where,
                     unsigned registers) {
  const unsigned count = v.accesses.gatherLanes(old.getType());
  const bool words = v.sizeOf(old.getType()) == 4;
  auto *part_type = FixedVectorType::get(words ? v.b.getInt32Ty() : v.b.getInt64Ty(), count);
  SmallVector<Value *> table;
  for (unsigned i = 0; i < registers; ++i) {
    LoadInst *part = v.b.CreateAlignedLoad(
        part_type, v.b.CreateConstGEP1_64(part_type, where.base, i), old.getAlign());
    part->copyMetadata(old, kept_of_access);
    table.push_back(part);
  }
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < v.lanes; first += count) {
    Value *indices = v.b.CreateZExt(v.partOf(where.offsets, first, count), part_type);
    if (registers == 1)
      parts.push_back(v.b.CreateIntrinsic(words ? Intrinsic::x86_avx512_permvar_si_512
                                                : Intrinsic::x86_avx512_permvar_di_512,
                                          {}, {table[0], indices}));
    else
      parts.push_back(v.b.CreateIntrinsic(words ? Intrinsic::x86_avx512_vpermi2var_d_512
                                                : Intrinsic::x86_avx512_vpermi2var_q_512,
                                          {}, {table[0], indices, table[1]}));
  }
  return v.b.CreateBitOrPointerCast(concatenateVectors(v.b, parts), v.wide(old.getType()));
}

} // namespace heddle::engine::simd
