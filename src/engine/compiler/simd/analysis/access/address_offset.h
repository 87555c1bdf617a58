// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decomposes a GEP into bytes: a constant and scaled indices; and derives by how much the address
// grows from the growth of its operands.
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
  llvm::MapVector<llvm::Value *, llvm::APInt> variable; // index -> scale in bytes
  llvm::APInt constant;
};

/// Nothing if LLVM cannot decompose the GEP.
inline std::optional<AddressOffset> offsetOf(const llvm::GetElementPtrInst &gep,
                                             const llvm::DataLayout &data) {
  const unsigned width = data.getIndexTypeSizeInBits(gep.getType());
  AddressOffset result{{}, llvm::APInt(width, 0)};
  if (!llvm::cast<llvm::GEPOperator>(gep).collectOffset(data, width, result.variable,
                                                        result.constant))
    return std::nullopt;
  return result;
}

/// The growth of the address in bytes as an i64, where `growth` gives that of each operand. Null if
/// `growth` returns null for an operand, or if LLVM cannot decompose the GEP.
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

/// Whether it is the constant 0; false for null.
inline bool isZero(const llvm::Value *value) {
  const auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  return number && number->isZero();
}

/// Tests of the pointer's alignment may test the returned value instead, from which the pointer is
/// a multiple of `align` away; it is often a scalar and invariant in a loop. Null if the alignment
/// is known.
inline llvm::Value *unprovenAlignment(llvm::Value *pointer, llvm::Align align,
                                      const llvm::DataLayout &data) {
  // Whether the GEP adds a multiple of `align` for all values of its indices.
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
  // The compiler aligns parameters and contexts itself.
  const bool ours = llvm::isa<llvm::Argument>(root) || calledName(*root).starts_with("heddle.");
  return align.value() == 1 || ours || llvm::getKnownAlignment(root, data) >= align ? nullptr
                                                                                    : root;
}

} // namespace heddle::engine::simd
