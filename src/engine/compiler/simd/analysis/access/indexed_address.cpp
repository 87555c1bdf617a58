// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/indexed_address.h"

#include "engine/compiler/simd/analysis/access/address_offset.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace heddle::engine::simd {

std::optional<IndexedAddress> indexedAddress(Value *pointer, const Shapes &shapes) {
  IndexedAddress result;
  result.gep = dyn_cast<GetElementPtrInst>(pointer);
  if (!result.gep || !shapes.of(result.gep->getPointerOperand()).isUniform())
    return std::nullopt;
  for (Value *index : result.gep->indices())
    if (!shapes.of(index).isUniform()) {
      if (result.index)
        return std::nullopt;
      result.index = index;
    }
  if (!result.index)
    return std::nullopt;
  result.narrow = result.index;
  if (isa<SExtInst, ZExtInst>(result.index)) {
    result.extension = cast<CastInst>(result.index);
    result.narrow = result.extension->getOperand(0);
  }
  return result;
}

namespace {

bool isExtendedWord(const Value &index) {
  const auto *extension = dyn_cast<ZExtInst>(&index);
  return extension && extension->getSrcTy()->isIntegerTy(32);
}

} // namespace

std::optional<ScaledIndices> scaledIndices(Value *pointer, const Shapes &shapes,
                                           const DataLayout &data) {
  // Offsets in shared memory fit 32 bits.
  const bool shared = pointer->getType()->getPointerAddressSpace() == shared_space;
  ScaledIndices result;
  while (!shapes.of(pointer).isUniform()) {
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(pointer)) {
      pointer = cast->getPointerOperand();
      continue;
    }
    auto *gep = dyn_cast<GetElementPtrInst>(pointer);
    const auto offset = gep ? offsetOf(*gep, data) : std::nullopt;
    if (!offset)
      return std::nullopt;
    result.constant += offset->constant.sextOrTrunc(64);
    for (const auto &[index, scale] : offset->variable)
      (shapes.of(index).isUniform() ? result.common : result.differing)
          .push_back({index, scale.getZExtValue()});
    pointer = gep->getPointerOperand();
  }
  result.base = pointer;
  const bool one_scaled = result.differing.size() == 1 &&
                          isPowerOf2_64(result.differing[0].bytes) &&
                          result.differing[0].bytes <= 8;
  if (result.differing.empty() || (!one_scaled && !shared))
    return std::nullopt;
  for (ScaledIndices::Index &index : result.differing) {
    if (index.value->getType()->getIntegerBitWidth() <= 32 || shared ||
        ComputeNumSignBits(index.value, data) > 32)
      continue;
    if (!one_scaled || !isExtendedWord(*index.value))
      return std::nullopt;
    index.is_unsigned = true;
    result.constant += (uint64_t(1) << 31) * index.bytes;
  }
  result.scale = one_scaled ? unsigned(result.differing[0].bytes) : 0;
  return result;
}

uint64_t tableSize(Value *pointer, uint64_t element_bytes, const Shapes &shapes,
                   const DataLayout &data) {
  while (auto *cast = dyn_cast<AddrSpaceCastInst>(pointer))
    pointer = cast->getPointerOperand();
  auto *gep = dyn_cast<GetElementPtrInst>(pointer);
  const auto offset = gep ? offsetOf(*gep, data) : std::nullopt;
  if (!offset || !shapes.of(gep->getPointerOperand()).isUniform())
    return 0;
  Value *index = nullptr;
  for (const auto &[part, scale] : offset->variable) {
    if (shapes.of(part).isUniform())
      continue;
    if (index || scale != element_bytes)
      return 0;
    index = part;
  }
  if (!index)
    return 0;
  const APInt last = computeKnownBits(index, data).getMaxValue();
  return last.ult(table_bytes / element_bytes) ? last.getZExtValue() + 1 : 0;
}

} // namespace heddle::engine::simd
