// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GEP adds to its pointer, as numbers of bytes: a constant, and indices with their scales;
// and what follows for how it grows.
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <optional>

namespace heddle::engine::simd {

/// NVPTX's number of the address space of shared memory. Nothing outside its block can see it, and
/// a block has 227 KiB of it at most.
inline constexpr unsigned shared_space = 3;

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

} // namespace heddle::engine::simd
