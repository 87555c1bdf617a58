// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function around a gang's code: for one gang (SimdEntry), or for gang after gang (SimdSweep),
// in which everything uniform across the gangs of a block is computed once, before the loop.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Creates `v.function` up to the block that the gang's code follows, and sets the values of the
/// gang.
void startFunction(VectorBuilder &v);

/// Emits what replaces a thread's return.
void endGang(VectorBuilder &v);

} // namespace heddle::engine::simd
