// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of at most sixteen counters in shared memory: atomicAdd(&counts[key & 15], 1), as in a
// radix sort by four bits. Lane by lane, these are a store each, and wait for each other where keys
// are equal.
//
// Sixteen 4-bit counters fit a 64-bit number. So each lane makes a number in which one counter is
// 1, and these are added, eight per register. Before counters overflow, they are widened to bytes,
// and the sums over all lanes to sixteen 32-bit numbers, the form of the counters in memory.
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/widen/widener.h"

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

bool Widener::countsFewKinds(const AtomicRMWInst &old) const {
  const bool adds =
      old.getOperation() == AtomicRMWInst::Add || old.getOperation() == AtomicRMWInst::Sub;
  const uint64_t size = adds && old.getType()->isIntegerTy(32)
                            ? tableSize(const_cast<Value *>(old.getPointerOperand()), 4)
                            : 0;
  return size > 0 && size <= kinds && old.use_empty() && !old.isVolatile() && !areFew() &&
         old.getPointerAddressSpace() == shared_space && shape(old.getValOperand()).isUniform() &&
         options_.native_gather && lanes_ >= 2 * part_lanes;
}

// Adds the numbers of these lanes in one register, at most as many as a counter can count.
Value *Widener::addUp(Value *numbers, unsigned first, unsigned count) {
  Value *sum = partOf(numbers, first, part_lanes);
  for (unsigned next = part_lanes; next < count; next += part_lanes)
    sum = b_.CreateAdd(sum, partOf(numbers, first + next, part_lanes));
  return sum;
}

// The counts of each key in these lanes, at most as many as a byte can count.
Value *Widener::countKinds(Value *numbers, unsigned first, unsigned count) {
  Constant *halves =
      ConstantInt::get(FixedVectorType::get(b_.getInt64Ty(), part_lanes), low_halves);
  Value *even = nullptr, *odd = nullptr;
  for (unsigned next = 0; next < count; next += most_in_counter) {
    Value *sum = addUp(numbers, first + next, std::min(count - next, most_in_counter));
    Value *low = b_.CreateAnd(sum, halves);
    Value *high = b_.CreateAnd(b_.CreateLShr(sum, counter_bits), halves);
    even = even ? b_.CreateAdd(even, low) : low;
    odd = odd ? b_.CreateAdd(odd, high) : high;
  }
  Value *both = PoisonValue::get(FixedVectorType::get(b_.getInt64Ty(), 2));
  both = b_.CreateInsertElement(both, b_.CreateAddReduce(even), uint64_t(0));
  both = b_.CreateInsertElement(both, b_.CreateAddReduce(odd), uint64_t(1));
  Value *counts = b_.CreateBitCast(both, FixedVectorType::get(b_.getInt8Ty(), kinds));
  counts = b_.CreateShuffleVector(counts, createInterleaveMask(kinds / 2, 2));
  return b_.CreateZExt(counts, FixedVectorType::get(b_.getInt32Ty(), kinds));
}

// The counts of each key in the gang.
Value *Widener::countKinds(Value *kind) {
  auto *wide_type = wide(b_.getInt64Ty());
  Value *place = b_.CreateShl(b_.CreateZExt(kind, wide_type), Log2_32(counter_bits));
  Value *numbers = b_.CreateShl(ConstantInt::get(wide_type, 1), place);
  if (!allActive())
    numbers = b_.CreateSelect(mask_, numbers, Constant::getNullValue(wide_type));
  Value *counts = nullptr;
  for (unsigned first = 0; first < lanes_; first += most_in_byte) {
    Value *some = countKinds(numbers, first, std::min(lanes_ - first, most_in_byte));
    counts = counts ? b_.CreateAdd(counts, some) : some;
  }
  return counts;
}

// Updates all sixteen elements, even if there are fewer: the rest of the page is mapped, and
// belongs to this block (engine/schedule/shared_memory.h).
bool Widener::addToKinds(AtomicRMWInst &old) {
  const auto where = countsFewKinds(old) ? indexVector(old.getPointerOperand()) : std::nullopt;
  if (!where)
    return false;
  remark(old, Remark::Kind::Table, "atomic");
  Value *in_page = b_.CreateAnd(b_.CreatePtrToInt(where->base, b_.getInt64Ty()), page_bytes - 1);
  either(
      b_.CreateICmpULE(in_page, b_.getInt64(page_bytes - bytes)),
      [&]() -> Value * {
        Value *counts = countKinds(where->offsets);
        Type *type = counts->getType();
        counts = b_.CreateMul(counts, b_.CreateVectorSplat(kinds, scalarOf(old.getValOperand())));
        Value *before = b_.CreateAlignedLoad(type, where->base, old.getAlign());
        b_.CreateAlignedStore(buildAtomicRMWValue(old.getOperation(), b_, before, counts),
                              where->base, old.getAlign());
        return nullptr;
      },
      [&] { return atomicOfEachLane(old); });
  return true;
}

} // namespace heddle::engine::simd
