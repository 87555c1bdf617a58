// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-up tables, such as `starts[key & 15]`: if all lanes load from the same few elements, these
// are loaded as one or two vectors, and each lane selects its element by a permutation of
// registers. A gather would access memory for each lane.
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr uint64_t register_bytes = 64;
constexpr uint64_t most_registers = 2; // that one instruction permutes
constexpr uint64_t page_bytes = 4096;  // the smallest page size

} // namespace

// The largest number of elements that the pointer may select from; 0 if too many, or unknown.
uint64_t Widener::tableSize(Value *old_pointer, uint64_t element_bytes) const {
  Value *pointer = old_pointer;
  while (auto *cast = dyn_cast<AddrSpaceCastInst>(pointer))
    pointer = cast->getPointerOperand();
  auto *gep = dyn_cast<GetElementPtrInst>(pointer);
  const auto offset = gep ? offsetOf(*gep, data_) : std::nullopt;
  if (!offset || !shape(gep->getPointerOperand()).isUniform())
    return 0;
  Value *index = nullptr;
  for (const auto &[part, scale] : offset->variable) {
    if (shape(part).isUniform())
      continue;
    if (index || scale != element_bytes)
      return 0;
    index = part;
  }
  if (!index)
    return 0;
  const APInt last = computeKnownBits(index, data_).getMaxValue();
  const uint64_t most = most_registers * register_bytes / element_bytes;
  return last.ult(most) ? last.getZExtValue() + 1 : 0;
}

Value *Widener::loadFromTable(LoadInst &old) {
  const uint64_t element_bytes = sizeOf(old.getType());
  if (!fitsNativeGather(old.getType()) || !old.isSimple() || areFew() ||
      gatherLanes(old.getType()) * element_bytes != register_bytes)
    return nullptr;
  const uint64_t size = tableSize(old.getPointerOperand(), element_bytes);
  const auto where = size ? indexVector(old.getPointerOperand()) : std::nullopt;
  if (!where)
    return nullptr;
  remark(old, Remark::Kind::Table, "load");
  const uint64_t bytes = alignTo(size * element_bytes, register_bytes);
  // At least one lane accesses the table, so the rest of its page is mapped, too.
  Value *in_page = b_.CreateAnd(b_.CreatePtrToInt(where->base, b_.getInt64Ty()), page_bytes - 1);
  return either(
      b_.CreateICmpULE(in_page, b_.getInt64(page_bytes - bytes)),
      [&] { return lookUp(old, *where, unsigned(bytes / register_bytes)); },
      [&] { return gather(old); });
}

// Permutes the table's elements in one or two registers.
Value *Widener::lookUp(LoadInst &old, const IndexVector &where, unsigned registers) {
  const unsigned count = gatherLanes(old.getType());
  const bool words = sizeOf(old.getType()) == 4;
  auto *part_type = FixedVectorType::get(words ? b_.getInt32Ty() : b_.getInt64Ty(), count);
  SmallVector<Value *> table;
  for (unsigned i = 0; i < registers; ++i) {
    LoadInst *part = b_.CreateAlignedLoad(
        part_type, b_.CreateConstGEP1_64(part_type, where.base, i), old.getAlign());
    part->copyMetadata(old, kept_of_access);
    table.push_back(part);
  }
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < lanes_; first += count) {
    Value *indices = b_.CreateZExt(partOf(where.offsets, first, count), part_type);
    if (registers == 1)
      parts.push_back(b_.CreateIntrinsic(words ? Intrinsic::x86_avx512_permvar_si_512
                                               : Intrinsic::x86_avx512_permvar_di_512,
                                         {}, {table[0], indices}));
    else
      parts.push_back(b_.CreateIntrinsic(words ? Intrinsic::x86_avx512_vpermi2var_d_512
                                               : Intrinsic::x86_avx512_vpermi2var_q_512,
                                         {}, {table[0], indices, table[1]}));
  }
  return b_.CreateBitOrPointerCast(concatenateVectors(b_, parts), wide(old.getType()));
}

} // namespace heddle::engine::simd
