// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep with suspend points is re-entered at a state. A loop over the gangs for each state makes
// the state a constant, so that it is not tested for each gang, and what is uniform across gangs is
// computed once.
//
// Mostly all gangs go from one state to the same next one. Then the sweep continues there without
// examining each gang's outcome and without returning to the runtime.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Transforms the finished sweep `v.function`; one without states is left as it is, except that a
/// loop over single threads tests at its end whether the next one has work.
void splitByState(VectorBuilder &v);

} // namespace heddle::engine::simd
