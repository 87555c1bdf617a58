// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interleaved groups (interleaved_groups.h): vectors in memory order, with `step` elements of each
// lane, are transposed to a vector for each member, or the reverse. If only the first lanes are
// active, the vectors are shorter. If lanes are at unrelated addresses, each lane's elements are
// loaded separately and concatenated first.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

llvm::Value *loadInterleaved(VectorBuilder &v, llvm::LoadInst &old);

void storeInterleaved(VectorBuilder &v, llvm::StoreInst &old);

/// For lanes at unrelated addresses.
llvm::Value *loadMembersOfEach(VectorBuilder &v, llvm::LoadInst &old);

} // namespace heddle::engine::simd
