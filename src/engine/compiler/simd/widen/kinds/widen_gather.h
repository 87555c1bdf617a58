// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters with 32-bit indices, of which AVX-512 handles 16 per instruction. With
// 64-bit addresses, which LLVM would use, they take two instructions and vectors of addresses.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

struct IndexVector {
  llvm::Value *base = nullptr, *offsets = nullptr; // a pointer; a vector of i32
  unsigned scale = 1;
};

/// The address as base + offsets * scale, with a uniform base and varying offsets.
std::optional<IndexVector> indexVector(VectorBuilder &v, llvm::Value *old_pointer);

/// An access for each active lane, by the CPU's instruction for it or one by one.
llvm::Value *gather(VectorBuilder &v, llvm::LoadInst &old);
void scatter(VectorBuilder &v, llvm::StoreInst &old);

} // namespace heddle::engine::simd
