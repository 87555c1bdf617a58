// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read-modify-writes of shared memory at varying addresses: `++counts[digit]`, or
// `sorted[next[digit]++] = key`. A gather waits for all earlier scatters. Lane by lane, a load
// waits only for the store to the same element, and no vector of old values is assembled.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The instructions between this load and the last dependent store, if one stores to the same
/// element and nothing else accesses memory meanwhile; else empty.
Update updateBeginningWith(VectorBuilder &v, llvm::LoadInst &load);

/// Whether intermediate values have users outside of the update.
bool hasOtherUsers(const Update &update);

/// Emits the update instruction by instruction, or lane by lane if all lanes are active.
void widenUpdate(VectorBuilder &v, const Update &update);

} // namespace heddle::engine::simd
