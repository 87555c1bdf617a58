// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses as a uniform base and indices that differ between lanes.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::engine::simd {

/// gep(base, index) with a varying index, possibly extended.
struct IndexedAddress {
  llvm::GetElementPtrInst *gep = nullptr;
  llvm::Value *index = nullptr;        // the GEP's operand
  llvm::Value *narrow = nullptr;       // before its extension
  llvm::CastInst *extension = nullptr; // or null
};
std::optional<IndexedAddress> indexedAddress(llvm::Value *pointer, const Shapes &shapes);

/// base + constant + the sums of value * bytes: of `common` indices, which are uniform, and of
/// `differing` ones, which are varying and fit into 32 bits. If `scale` is not 0, there is one of
/// these, and x86 has its scale in addresses; otherwise the address is in shared memory, where
/// their sum fits into 32 bits, too.
struct ScaledIndices {
  struct Index {
    llvm::Value *value = nullptr;
    uint64_t bytes = 0;
    /// The value is a zero extension of 32 bits: as a signed index it is 2^31 less, which
    /// `constant` has more.
    bool is_unsigned = false;
  };
  llvm::Value *base = nullptr;
  llvm::APInt constant = llvm::APInt(64, 0);
  llvm::SmallVector<Index> common, differing;
  unsigned scale = 0;
};
std::optional<ScaledIndices> scaledIndices(llvm::Value *pointer, const Shapes &shapes,
                                           const llvm::DataLayout &data);

/// The largest number of elements that the pointer may select from; 0 if more than `table_bytes`,
/// or unknown.
constexpr uint64_t table_bytes = 128; // two registers of AVX-512, which one instruction permutes
uint64_t tableSize(llvm::Value *pointer, uint64_t element_bytes, const Shapes &shapes,
                   const llvm::DataLayout &data);

} // namespace heddle::engine::simd
