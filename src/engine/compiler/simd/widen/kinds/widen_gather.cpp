// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/widen_gather.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/widen/lane_values.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace heddle::engine::simd {
// The index as a vector of i32, if all its values fit.
static Value *narrowIndex(VectorBuilder &v, Value *index, bool low_bits_do) {
  auto *narrow = v.wide(v.b.getInt32Ty());
  if (index->getType()->getIntegerBitWidth() <= 32)
    return v.b.CreateSExt(v.vectorOf(index), narrow);
  if (!low_bits_do && ComputeNumSignBits(index, v.data) <= 32)
    return nullptr;
  if (auto *extension = dyn_cast<CastInst>(index);
      extension && extension->getSrcTy()->isIntegerTy(32) && isa<SExtInst, ZExtInst>(extension))
    return v.vectorOf(extension->getOperand(0));
  return v.b.CreateTrunc(v.vectorOf(index), narrow);
}

// An unsigned 32-bit index minus 2^31, as a signed one; `constant`, the byte offset of the base,
// grows by as many elements.
static Value *unsignedIndex(VectorBuilder &v, Value *index, uint64_t scale, APInt &constant) {
  auto *extension = dyn_cast<ZExtInst>(index);
  if (!extension || !extension->getSrcTy()->isIntegerTy(32))
    return nullptr;
  const uint64_t half = uint64_t(1) << 31;
  constant += half * scale;
  auto *narrow = v.wide(v.b.getInt32Ty());
  return v.b.CreateXor(v.vectorOf(extension->getOperand(0)), ConstantInt::get(narrow, half));
}

std::optional<IndexVector> indexVector(VectorBuilder &v, Value *old_pointer) {
  // Offsets in shared memory fit 32 bits.
  const bool shared = old_pointer->getType()->getPointerAddressSpace() == shared_space;
  IndexVector result;
  APInt constant(64, 0);
  SmallVector<std::pair<Value *, uint64_t>> common, differing;
  Value *pointer = old_pointer;
  while (!v.shape(pointer).isUniform()) {
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(pointer)) {
      pointer = cast->getPointerOperand();
      continue;
    }
    auto *gep = dyn_cast<GetElementPtrInst>(pointer);
    const auto offset = gep ? offsetOf(*gep, v.data) : std::nullopt;
    if (!offset)
      return std::nullopt;
    constant += offset->constant.sextOrTrunc(64);
    for (const auto &[index, scale] : offset->variable)
      (v.shape(index).isUniform() ? common : differing).emplace_back(index, scale.getZExtValue());
    pointer = gep->getPointerOperand();
  }
  const bool one_scaled =
      differing.size() == 1 && isPowerOf2_64(differing[0].second) && differing[0].second <= 8;
  if (differing.empty() || (!one_scaled && !shared))
    return std::nullopt;
  for (const auto &[index, scale] : differing) {
    Value *part = narrowIndex(v, index, shared);
    if (!part && one_scaled)
      part = unsignedIndex(v, index, scale, constant);
    if (!part)
      return std::nullopt;
    if (!one_scaled)
      part = v.b.CreateMul(part, ConstantInt::get(part->getType(), scale));
    result.offsets = result.offsets ? v.b.CreateAdd(result.offsets, part) : part;
  }
  result.scale = one_scaled ? unsigned(differing[0].second) : 1;
  result.base = v.b.CreateGEP(v.b.getInt8Ty(), v.scalarOf(pointer), v.b.getInt(constant));
  for (const auto &[index, scale] : common)
    result.base =
        v.b.CreateGEP(v.b.getInt8Ty(), result.base,
                      v.b.CreateMul(v.b.CreateSExtOrTrunc(v.scalarOf(index), v.b.getInt64Ty()),
                                    v.b.getInt64(scale)));
  result.base = v.b.CreateAddrSpaceCast(result.base, v.b.getPtrTy());
  return result;
}

unsigned gatherLanes(VectorBuilder &v, Type *type) {
  return std::min(v.lanes, v.sizeOf(type) == 4 ? 16u : 8u);
}

static Value *gatherByIndex(VectorBuilder &v, LoadInst &old) {
  Type *type = old.getType();
  const unsigned count = gatherLanes(v, type);
  const bool words = v.sizeOf(type) == 4;
  if (count * v.sizeOf(type) != 64) // 256-bit forms are separate instructions
    return nullptr;
  const auto where = indexVector(v, old.getPointerOperand());
  if (!where)
    return nullptr;
  Type *element = words ? v.b.getInt32Ty() : v.b.getInt64Ty();
  auto *part_type = FixedVectorType::get(element, count);
  Value *here = v.mask.laneMask();
  SmallVector<Value *> parts(v.lanes / count, PoisonValue::get(part_type)); // no active lanes
  for (unsigned first = 0; first < v.mask.lanesHere(); first += count)
    parts[first / count] = v.b.CreateIntrinsic(
        words ? Intrinsic::x86_avx512_mask_gather_dpi_512
              : Intrinsic::x86_avx512_mask_gather_dpq_512,
        {},
        {Constant::getNullValue(part_type), where->base, v.partOf(where->offsets, first, count),
         v.partOf(here, first, count), v.b.getInt32(where->scale)});
  return v.b.CreateBitOrPointerCast(concatenateVectors(v.b, parts), v.wide(type));
}

static bool scatterByIndex(VectorBuilder &v, StoreInst &old) {
  Type *type = old.getValueOperand()->getType();
  const unsigned count = gatherLanes(v, type);
  const bool words = v.sizeOf(type) == 4;
  if (count * v.sizeOf(type) != 64)
    return false;
  const auto where = indexVector(v, old.getPointerOperand());
  if (!where)
    return false;
  Value *here = v.mask.laneMask();
  Type *bits = v.wide(words ? v.b.getInt32Ty() : v.b.getInt64Ty());
  Value *value = v.b.CreateBitOrPointerCast(v.vectorOf(old.getValueOperand()), bits);
  // In ascending order: if lanes store to one address, the highest lane's value remains.
  for (unsigned first = 0; first < v.mask.lanesHere(); first += count)
    v.b.CreateIntrinsic(words ? Intrinsic::x86_avx512_mask_scatter_dpi_512
                              : Intrinsic::x86_avx512_mask_scatter_dpq_512,
                        {},
                        {where->base, v.partOf(here, first, count),
                         v.partOf(where->offsets, first, count), v.partOf(value, first, count),
                         v.b.getInt32(where->scale)});
  return true;
}

// ---- Any address ----

Value *gather(VectorBuilder &v, LoadInst &old) {
  Type *type = old.getType();
  const auto one = [&](Value *address) {
    auto *copy = cast<LoadInst>(old.clone());
    copy->setOperand(0, address);
    return v.b.Insert(copy);
  };
  // For active lanes only (volatile, atomic), or of a type that is no vector element.
  if (old.isVolatile() || old.isAtomic() || type->isAggregateType()) {
    LaneValue pointer(v, old.getPointerOperand());
    return forEachLane(v, type, [&](Value *lane) { return one(pointer.at(lane)); });
  }
  if (v.fitsNativeGather(type) && !v.mask.areFew()) {
    if (Value *gathered = gatherByIndex(v, old))
      return gathered;
    return v.b.CreateMaskedGather(v.wide(type), v.vectorOf(old.getPointerOperand()), old.getAlign(),
                                  v.mask.vector());
  }
  Value *result = PoisonValue::get(v.wide(type));
  LaneAddresses addresses(v, old.getPointerOperand(), /*stores=*/false);
  for (const unsigned lane : v.mask.numbersHere())
    result = v.b.CreateInsertElement(result, one(addresses.at(lane)), lane);
  return result;
}

bool scatter(VectorBuilder &v, StoreInst &old) {
  if (v.fitsNativeGather(old.getValueOperand()->getType()) && !old.isVolatile() &&
      !old.isAtomic() && !v.mask.areFew()) {
    // If lanes store to one address, the highest lane's value remains.
    if (!scatterByIndex(v, old))
      v.b.CreateMaskedScatter(v.vectorOf(old.getValueOperand()),
                              v.vectorOf(old.getPointerOperand()), old.getAlign(), v.mask.vector());
    return true;
  }
  LaneValue value(v, old.getValueOperand());
  LaneAddress pointer(v, old.getPointerOperand());
  forEachLane(v, nullptr, [&](Value *lane) -> Value * {
    auto *copy = cast<StoreInst>(old.clone());
    copy->setOperand(0, value.at(lane));
    copy->setOperand(1, pointer.at(lane));
    v.b.Insert(copy);
    return nullptr;
  });
  return true;
}

Value *loadFewLanes(VectorBuilder &v, LoadInst &old) {
  return v.mask.areFew() && old.isSimple() ? gather(v, old) : nullptr;
}

bool storeFewLanes(VectorBuilder &v, StoreInst &old) {
  return v.mask.areFew() && old.isSimple() && scatter(v, old);
}

} // namespace heddle::engine::simd
