// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of contiguous elements, ascending or descending: one vector for each row of the gang,
// masked if not all lanes are active. Where the first lanes of each row are the active ones, the
// vector is shorter instead (gang_mask.h).
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The alignment of a vector that starts at any element.
llvm::Align alignOfNeighbours(VectorBuilder &v, llvm::Type *type, llvm::Align align);

/// A masked store of the vector's elements.
void storeUnderMask(VectorBuilder &v, llvm::Value *vector, llvm::Value *pointer, llvm::Align align,
                    llvm::Value *mask);

/// A vector of `type` from `pointer` on, with what is known of the scalar load; masked if `mask` is
/// given.
llvm::Value *loadVector(VectorBuilder &v, llvm::LoadInst &old, llvm::Type *type,
                        llvm::Value *pointer, llvm::Value *mask);

/// One vector for each row; one in all if the gang is not tiled. `pointers`: of each row's first
/// lane.
llvm::Value *loadNeighbours(VectorBuilder &v, llvm::LoadInst &old, const Rows &pointers);

/// Whether to use non-temporal stores: whole lines, and the launch enables it
/// (nontemporal_stores.h).
llvm::Value *mayStream(VectorBuilder &v, const llvm::StoreInst &old, const Rows &pointers,
                       unsigned length);

void storeNeighbours(VectorBuilder &v, llvm::StoreInst &old, const Rows &pointers);

/// Access kinds (access_kinds.h).
llvm::Value *loadContiguous(VectorBuilder &v, llvm::LoadInst &old);

void storeContiguous(VectorBuilder &v, llvm::StoreInst &old);

/// Descending: `a[n - 1 - i]`.
llvm::Value *loadBackwards(VectorBuilder &v, llvm::LoadInst &old);

void storeBackwards(VectorBuilder &v, llvm::StoreInst &old);

/// One load for each row; defines the load's rows and returns null. A row without active lanes
/// loads from another row's address.
llvm::Value *loadFromEachRow(VectorBuilder &v, llvm::LoadInst &old);

} // namespace heddle::engine::simd
