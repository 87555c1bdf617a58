// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function around a gang's code: for one gang (SimdEntry), or for gang after gang (SimdSweep),
// in which everything uniform across the gangs of a block is computed once, before the loop.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

void startFunction(VectorBuilder &v);

/// Makes a loop over the gangs for each state, so that the state is not tested for each gang, and
/// what is uniform across gangs is computed once.
void splitByState(VectorBuilder &v);

void endGang(VectorBuilder &v);

} // namespace heddle::engine::simd
