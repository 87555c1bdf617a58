// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses with a small stride, as in arrays of small structures or in the lower levels of a tree:
// a few vectors instead of one access per lane.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The number of elements before the first lane's in its line (in each row), if it is known and if
/// whole lines that cover the lanes' elements touch no other lines than these.
std::optional<unsigned> placeInLine(VectorBuilder &v, llvm::Value *old_pointer, llvm::Type *type,
                                    unsigned step, unsigned lanes);

/// Loads the elements between, too; their pages are accessed anyway.
llvm::Value *loadEvery(VectorBuilder &v, llvm::LoadInst &old);

/// Masks off the elements between.
void storeEvery(VectorBuilder &v, llvm::StoreInst &old);

} // namespace heddle::engine::simd
