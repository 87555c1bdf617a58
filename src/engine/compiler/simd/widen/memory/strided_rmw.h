// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read-modify-writes of every second to sixteenth element, perhaps using elements between them, as
// in the levels of a tree: `sum[8 * i + 7] += sum[8 * i + 3]`. Gathering the elements into vectors
// and scattering the results takes many more shuffles than additions. So the operation is done in
// place on whole lines: operands are moved to their positions by one shuffle per line, and the
// elements between are computed, too, but masked off in the store.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The instructions between this load, the first of its group, and the last dependent store, if
/// nothing else accesses memory meanwhile and the values have no other users; else empty.
InPlace changeInPlace(VectorBuilder &v, llvm::LoadInst &load);

/// Emits the operation; in shared memory, it may stay pending, to be grouped with later ones.
void widenInPlace(VectorBuilder &v, const InPlace &change);

/// Whether pending operations may be delayed beyond this instruction.
bool mayStayBehind(VectorBuilder &v, const llvm::Instruction &instruction);

/// Emits the pending operations.
void finishChanges(VectorBuilder &v);

} // namespace heddle::engine::simd
