// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/memory/widen_histogram.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/access/indexed_address.h"
#include "engine/compiler/simd/widen/kinds/access_kinds.h"
#include "engine/compiler/simd/widen/kinds/widen_gather.h"
#include "engine/compiler/simd/widen/memory/widen_atomics.h"
#include "engine/compiler/skipped.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

constexpr unsigned kinds = 16, counter_bits = 4;
constexpr unsigned part_lanes = 8;       // 64-bit numbers in a register
constexpr unsigned most_in_counter = 64; // lanes; eight of them share a counter
constexpr unsigned most_in_byte = 128;
constexpr uint64_t bytes = kinds * 4;               // of the counters in memory
constexpr uint64_t page_bytes = 4096;               // the smallest page size
constexpr uint64_t low_halves = 0x0F0F0F0F0F0F0F0F; // of bytes

} // namespace

static bool countsFewKinds(VectorBuilder &v, const AtomicRMWInst &old) {
  const bool adds =
      old.getOperation() == AtomicRMWInst::Add || old.getOperation() == AtomicRMWInst::Sub;
  const uint64_t size =
      adds && old.getType()->isIntegerTy(32)
          ? tableSize(const_cast<Value *>(old.getPointerOperand()), 4, v.shapes, v.data)
          : 0;
  return size > 0 && size <= kinds && old.use_empty() && !old.isVolatile() && !v.mask.areFew() &&
         old.getPointerAddressSpace() == shared_space && v.shape(old.getValOperand()).isUniform() &&
         v.options.native_gather && v.lanes >= 2 * part_lanes;
}

// Adds the numbers of these lanes in one register, at most as many as a counter can count.
static Value *addUp(VectorBuilder &v, Value *numbers, unsigned first, unsigned count) {
  Value *sum = v.partOf(numbers, first, part_lanes);
  for (unsigned next = part_lanes; next < count; next += part_lanes)
    sum = v.b.CreateAdd(sum, v.partOf(numbers, first + next, part_lanes));
  return sum;
}

// The counts of each key in these lanes, at most as many as a byte can count.
static Value *countKinds(VectorBuilder &v, Value *numbers, unsigned first, unsigned count) {
  Constant *halves =
      ConstantInt::get(FixedVectorType::get(v.b.getInt64Ty(), part_lanes), low_halves);
  Value *even = nullptr, *odd = nullptr;
  for (unsigned next = 0; next < count; next += most_in_counter) {
    Value *sum = addUp(v, numbers, first + next, std::min(count - next, most_in_counter));
    Value *low = v.b.CreateAnd(sum, halves);
    Value *high = v.b.CreateAnd(v.b.CreateLShr(sum, counter_bits), halves);
    even = even ? v.b.CreateAdd(even, low) : low;
    odd = odd ? v.b.CreateAdd(odd, high) : high;
  }
  Value *both = PoisonValue::get(FixedVectorType::get(v.b.getInt64Ty(), 2));
  both = v.b.CreateInsertElement(both, v.b.CreateAddReduce(even), uint64_t(0));
  both = v.b.CreateInsertElement(both, v.b.CreateAddReduce(odd), uint64_t(1));
  Value *counts = v.b.CreateBitCast(both, FixedVectorType::get(v.b.getInt8Ty(), kinds));
  counts = v.b.CreateShuffleVector(counts, createInterleaveMask(kinds / 2, 2));
  return v.b.CreateZExt(counts, FixedVectorType::get(v.b.getInt32Ty(), kinds));
}

// The counts of each key in the gang.
static Value *countKinds(VectorBuilder &v, Value *kind) {
  auto *wide_type = v.wide(v.b.getInt64Ty());
  Value *place = v.b.CreateShl(v.b.CreateZExt(kind, wide_type), Log2_32(counter_bits));
  Value *numbers = v.b.CreateShl(ConstantInt::get(wide_type, 1), place);
  if (!v.mask.allActive())
    numbers = v.b.CreateSelect(v.mask.vector(), numbers, Constant::getNullValue(wide_type));
  Value *counts = nullptr;
  for (unsigned first = 0; first < v.lanes; first += most_in_byte) {
    Value *some = countKinds(v, numbers, first, std::min(v.lanes - first, most_in_byte));
    counts = counts ? v.b.CreateAdd(counts, some) : some;
  }
  return counts;
}

bool addToKinds(VectorBuilder &v, AtomicRMWInst &old) {
  if (isSkipped(update_counters))
    return false;
  const auto where =
      countsFewKinds(v, old) ? indexVector(v, old.getPointerOperand()) : std::nullopt;
  if (!where)
    return false;
  v.remark(old, Remark::Kind::Table, "atomic");
  Value *in_page = v.b.CreateAnd(v.b.CreatePtrToInt(where->base, v.b.getInt64Ty()), page_bytes - 1);
  v.either(
      v.b.CreateICmpULE(in_page, v.b.getInt64(page_bytes - bytes)),
      [&]() -> Value * {
        Value *counts = countKinds(v, where->offsets);
        Type *type = counts->getType();
        counts =
            v.b.CreateMul(counts, v.b.CreateVectorSplat(kinds, v.scalarOf(old.getValOperand())));
        Value *before = v.b.CreateAlignedLoad(type, where->base, old.getAlign());
        v.b.CreateAlignedStore(buildAtomicRMWValue(old.getOperation(), v.b, before, counts),
                               where->base, old.getAlign());
        return nullptr;
      },
      [&] { return atomicOfEachLane(v, old); });
  return true;
}

} // namespace heddle::engine::simd
