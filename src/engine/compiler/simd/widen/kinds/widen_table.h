// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-up tables, such as `starts[key & 15]`: if all lanes load from the same few elements, these
// are loaded as one or two vectors, and each lane selects its element by a permutation of
// registers. A gather would access memory for each lane.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The largest number of elements that the pointer may select from; 0 if too many, or unknown.
uint64_t tableSize(VectorBuilder &v, llvm::Value *old_pointer, uint64_t element_bytes);

/// Null if the table is not known to be small, or the CPU has no such permutations.
llvm::Value *loadFromTable(VectorBuilder &v, llvm::LoadInst &old);

} // namespace heddle::engine::simd
