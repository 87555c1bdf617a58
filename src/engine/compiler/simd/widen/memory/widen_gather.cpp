// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters with 32-bit indices, of which AVX-512 handles 16 per instruction. With
// 64-bit addresses, which LLVM would use, they take two instructions and vectors of addresses.
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace heddle::engine::simd {
// The index as a vector of i32, if all its values fit.
Value *Widener::narrowIndex(Value *index, bool low_bits_do) {
  auto *narrow = wide(b_.getInt32Ty());
  if (index->getType()->getIntegerBitWidth() <= 32)
    return b_.CreateSExt(vectorOf(index), narrow);
  if (!low_bits_do && ComputeNumSignBits(index, data_) <= 32)
    return nullptr;
  if (auto *extension = dyn_cast<CastInst>(index);
      extension && extension->getSrcTy()->isIntegerTy(32) && isa<SExtInst, ZExtInst>(extension))
    return vectorOf(extension->getOperand(0));
  return b_.CreateTrunc(vectorOf(index), narrow);
}

// An unsigned 32-bit index minus 2^31, as a signed one; `constant`, the byte offset of the base,
// grows by as many elements.
Value *Widener::unsignedIndex(Value *index, uint64_t scale, APInt &constant) {
  auto *extension = dyn_cast<ZExtInst>(index);
  if (!extension || !extension->getSrcTy()->isIntegerTy(32))
    return nullptr;
  const uint64_t half = uint64_t(1) << 31;
  constant += half * scale;
  auto *narrow = wide(b_.getInt32Ty());
  return b_.CreateXor(vectorOf(extension->getOperand(0)), ConstantInt::get(narrow, half));
}

// The address as base + offsets * scale, with a uniform base and varying offsets.
std::optional<Widener::IndexVector> Widener::indexVector(Value *old_pointer) {
  // Offsets in shared memory fit 32 bits.
  const bool shared = old_pointer->getType()->getPointerAddressSpace() == shared_space;
  IndexVector result;
  APInt constant(64, 0);
  SmallVector<std::pair<Value *, uint64_t>> common, differing;
  Value *pointer = old_pointer;
  while (!shape(pointer).isUniform()) {
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(pointer)) {
      pointer = cast->getPointerOperand();
      continue;
    }
    auto *gep = dyn_cast<GetElementPtrInst>(pointer);
    const auto offset = gep ? offsetOf(*gep, data_) : std::nullopt;
    if (!offset)
      return std::nullopt;
    constant += offset->constant.sextOrTrunc(64);
    for (const auto &[index, scale] : offset->variable)
      (shape(index).isUniform() ? common : differing).emplace_back(index, scale.getZExtValue());
    pointer = gep->getPointerOperand();
  }
  const bool one_scaled =
      differing.size() == 1 && isPowerOf2_64(differing[0].second) && differing[0].second <= 8;
  if (differing.empty() || (!one_scaled && !shared))
    return std::nullopt;
  for (const auto &[index, scale] : differing) {
    Value *part = narrowIndex(index, shared);
    if (!part && one_scaled)
      part = unsignedIndex(index, scale, constant);
    if (!part)
      return std::nullopt;
    if (!one_scaled)
      part = b_.CreateMul(part, ConstantInt::get(part->getType(), scale));
    result.offsets = result.offsets ? b_.CreateAdd(result.offsets, part) : part;
  }
  result.scale = one_scaled ? unsigned(differing[0].second) : 1;
  result.base = b_.CreateGEP(b_.getInt8Ty(), scalarOf(pointer), b_.getInt(constant));
  for (const auto &[index, scale] : common)
    result.base = b_.CreateGEP(
        b_.getInt8Ty(), result.base,
        b_.CreateMul(b_.CreateSExtOrTrunc(scalarOf(index), b_.getInt64Ty()), b_.getInt64(scale)));
  result.base = b_.CreateAddrSpaceCast(result.base, b_.getPtrTy());
  return result;
}

// The number of lanes of one instruction.
unsigned Widener::gatherLanes(Type *type) const {
  return std::min(lanes_, sizeOf(type) == 4 ? 16u : 8u);
}

Value *Widener::partOf(Value *vector, unsigned first, unsigned count) {
  const unsigned all = cast<FixedVectorType>(vector->getType())->getNumElements();
  if (count == all)
    return vector;
  if (vector->getType()->getScalarType()->isIntegerTy(1)) { // LLVM would shuffle bit by bit
    Value *bits = b_.CreateLShr(b_.CreateBitCast(vector, b_.getIntNTy(all)), first);
    return b_.CreateBitCast(b_.CreateTrunc(bits, b_.getIntNTy(count)),
                            FixedVectorType::get(b_.getInt1Ty(), count));
  }
  return b_.CreateShuffleVector(vector, createSequentialMask(first, count, 0));
}

Value *Widener::gatherByIndex(LoadInst &old) {
  Type *type = old.getType();
  const unsigned count = gatherLanes(type);
  const bool words = sizeOf(type) == 4;
  if (count * sizeOf(type) != 64) // 256-bit forms are separate instructions
    return nullptr;
  const auto where = indexVector(old.getPointerOperand());
  if (!where)
    return nullptr;
  Type *element = words ? b_.getInt32Ty() : b_.getInt64Ty();
  auto *part_type = FixedVectorType::get(element, count);
  Value *here = laneMask();
  SmallVector<Value *> parts(lanes_ / count, PoisonValue::get(part_type)); // no active lanes
  for (unsigned first = 0; first < lanesHere(); first += count)
    parts[first / count] = b_.CreateIntrinsic(
        words ? Intrinsic::x86_avx512_mask_gather_dpi_512
              : Intrinsic::x86_avx512_mask_gather_dpq_512,
        {},
        {Constant::getNullValue(part_type), where->base, partOf(where->offsets, first, count),
         partOf(here, first, count), b_.getInt32(where->scale)});
  return b_.CreateBitOrPointerCast(concatenateVectors(b_, parts), wide(type));
}

bool Widener::scatterByIndex(StoreInst &old) {
  Type *type = old.getValueOperand()->getType();
  const unsigned count = gatherLanes(type);
  const bool words = sizeOf(type) == 4;
  if (count * sizeOf(type) != 64)
    return false;
  const auto where = indexVector(old.getPointerOperand());
  if (!where)
    return false;
  Value *here = laneMask();
  Type *bits = wide(words ? b_.getInt32Ty() : b_.getInt64Ty());
  Value *value = b_.CreateBitOrPointerCast(vectorOf(old.getValueOperand()), bits);
  // In ascending order: if lanes store to one address, the highest lane's value remains.
  for (unsigned first = 0; first < lanesHere(); first += count)
    b_.CreateIntrinsic(words ? Intrinsic::x86_avx512_mask_scatter_dpi_512
                             : Intrinsic::x86_avx512_mask_scatter_dpq_512,
                       {},
                       {where->base, partOf(here, first, count),
                        partOf(where->offsets, first, count), partOf(value, first, count),
                        b_.getInt32(where->scale)});
  return true;
}

} // namespace heddle::engine::simd
