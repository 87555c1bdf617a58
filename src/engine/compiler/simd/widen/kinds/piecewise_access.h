// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads from piecewise-affine addresses: at the borders of an array.
//
// With `left = x > 0 ? x - 1 : width - 1`, all lanes of most gangs choose x - 1
// (affine_index_speculation.h). In the gang at the border one lane does not. Loading `row[left]`
// lane by lane there would cost as much as many inner gangs. But both sides of the choice are
// known: a masked vector load at x - 1 for the lanes that have chosen it, and a single load at
// width - 1 for the others.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Null if the address is not a choice between a few places, each uniform or contiguous.
llvm::Value *loadChosen(VectorBuilder &v, llvm::LoadInst &old);

} // namespace heddle::engine::simd
