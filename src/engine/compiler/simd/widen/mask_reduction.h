// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle.any and heddle.all: reductions of a condition over the active lanes.
//
// In general the condition becomes a mask, whose bits are tested. But most conditions are bounds
// checks (`i < n && j < m`), and the largest of affine numbers is in the last lane: one scalar
// comparison decides for all lanes.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

enum class Quantifier { Any, All };

/// i1: whether the condition (uniform, or a vector of i1) holds in any, or in all, active lanes.
llvm::Value *reduceMask(VectorBuilder &v, llvm::Value *old_condition, Quantifier over);

} // namespace heddle::engine::simd
