// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GEP adds to its pointer, as numbers of bytes: a constant, and indices with their scales;
// and what follows for how it grows.
#pragma once

#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace heddle::engine::simd {

struct AddressOffset {
  llvm::MapVector<llvm::Value *, llvm::APInt> variable; // bytes for each step of the index
  llvm::APInt constant;
};

/// Nothing if LLVM cannot say.
inline std::optional<AddressOffset> offsetOf(const llvm::GetElementPtrInst &gep,
                                             const llvm::DataLayout &data) {
  const unsigned width = data.getIndexTypeSizeInBits(gep.getType());
  AddressOffset result{{}, llvm::APInt(width, 0)};
  if (!llvm::cast<llvm::GEPOperator>(gep).collectOffset(data, width, result.variable,
                                                        result.constant))
    return std::nullopt;
  return result;
}

/// By how much the address grows, as an i64 of bytes, if `growth` says by how much each of its
/// parts does; null if that returns null for one of them, or LLVM cannot say.
inline llvm::Value *growthOf(llvm::GetElementPtrInst &gep, const llvm::DataLayout &data,
                             llvm::IRBuilderBase &builder,
                             llvm::function_ref<llvm::Value *(llvm::Value *)> growth) {
  const auto offset = offsetOf(gep, data);
  llvm::Value *result = growth(gep.getPointerOperand());
  if (!offset || !result)
    return nullptr;
  for (const auto &[index, scale] : offset->variable) {
    llvm::Value *part = growth(index);
    if (!part)
      return nullptr;
    result =
        builder.CreateAdd(result, builder.CreateMul(part, builder.getInt64(scale.getSExtValue())));
  }
  return result;
}

/// Whether it is the constant 0; not if there is no value.
inline bool isZero(const llvm::Value *value) {
  const auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  return number && number->isZero();
}

/// Of a pointer that should be aligned so, the value to ask instead, of which it is multiples of
/// the alignment away: often a scalar, the same for a whole loop. Null if it is aligned in any
/// case.
inline llvm::Value *unprovenAlignment(llvm::Value *pointer, llvm::Align align,
                                      const llvm::DataLayout &data) {
  // What a GEP adds to its pointer is such a multiple, whatever its indices are.
  const auto keeps = [&](const llvm::GetElementPtrInst &gep) {
    const auto offset = offsetOf(gep, data);
    return offset && offset->constant.urem(align.value()) == 0 &&
           llvm::all_of(offset->variable,
                        [&](const auto &part) { return part.second.urem(align.value()) == 0; });
  };
  llvm::Value *root = pointer;
  while (true) {
    if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(root); gep && keeps(*gep))
      root = gep->getPointerOperand();
    else if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(root))
      root = cast->getPointerOperand();
    else
      break;
  }
  // Parameters and contexts are where we have put them.
  const bool ours = llvm::isa<llvm::Argument>(root) || calledName(*root).starts_with("heddle.");
  return align.value() == 1 || ours || llvm::getKnownAlignment(root, data) >= align ? nullptr
                                                                                    : root;
}

} // namespace heddle::engine::simd
