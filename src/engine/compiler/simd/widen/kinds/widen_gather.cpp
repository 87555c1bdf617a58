// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/widen_gather.h"
#include "engine/compiler/simd/analysis/access/indexed_address.h"
#include "engine/compiler/simd/widen/lane_values.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace heddle::engine::simd {

// The index as a vector of i32.
static Value *narrowIndex(VectorBuilder &v, const ScaledIndices::Index &index) {
  auto *narrow = v.wide(v.b.getInt32Ty());
  if (index.value->getType()->getIntegerBitWidth() <= 32)
    return v.b.CreateSExt(v.vectorOf(index.value), narrow);
  auto *extension = dyn_cast<CastInst>(index.value);
  if (!extension || !extension->getSrcTy()->isIntegerTy(32) || !isa<SExtInst, ZExtInst>(extension))
    return v.b.CreateTrunc(v.vectorOf(index.value), narrow);
  Value *vector = v.vectorOf(extension->getOperand(0));
  const uint64_t half = uint64_t(1) << 31;
  return index.is_unsigned ? v.b.CreateXor(vector, ConstantInt::get(narrow, half)) : vector;
}

std::optional<IndexVector> indexVector(VectorBuilder &v, Value *old_pointer) {
  const auto indices = scaledIndices(old_pointer, v.shapes, v.data);
  if (!indices)
    return std::nullopt;
  IndexVector result;
  for (const ScaledIndices::Index &index : indices->differing) {
    Value *part = narrowIndex(v, index);
    if (!indices->scale)
      part = v.b.CreateMul(part, ConstantInt::get(part->getType(), index.bytes));
    result.offsets = result.offsets ? v.b.CreateAdd(result.offsets, part) : part;
  }
  result.scale = std::max(indices->scale, 1u);
  result.base =
      v.b.CreateGEP(v.b.getInt8Ty(), v.scalarOf(indices->base), v.b.getInt(indices->constant));
  for (const ScaledIndices::Index &index : indices->common)
    result.base = v.b.CreateGEP(
        v.b.getInt8Ty(), result.base,
        v.b.CreateMul(v.b.CreateSExtOrTrunc(v.scalarOf(index.value), v.b.getInt64Ty()),
                      v.b.getInt64(index.bytes)));
  result.base = v.b.CreateAddrSpaceCast(result.base, v.b.getPtrTy());
  return result;
}

static Value *gatherByIndex(VectorBuilder &v, LoadInst &old) {
  Type *type = old.getType();
  const unsigned count = v.accesses.gatherLanes(type);
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
  const unsigned count = v.accesses.gatherLanes(type);
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

void scatter(VectorBuilder &v, StoreInst &old) {
  if (v.fitsNativeGather(old.getValueOperand()->getType()) && !old.isVolatile() &&
      !old.isAtomic() && !v.mask.areFew()) {
    // If lanes store to one address, the highest lane's value remains.
    if (!scatterByIndex(v, old))
      v.b.CreateMaskedScatter(v.vectorOf(old.getValueOperand()),
                              v.vectorOf(old.getPointerOperand()), old.getAlign(), v.mask.vector());
    return;
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
}

} // namespace heddle::engine::simd
