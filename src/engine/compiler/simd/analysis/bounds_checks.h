// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that are usually affine, and conditions that test them against a bound.
//
// Indices computed in 32 bits may wrap, and indices at a border are clamped, so their shape is
// varying; but in nearly all gangs they are affine, which widenIndices proves or a test at run time
// establishes. Cost estimates assume this common case.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

namespace heddle::engine::simd {

/// Whether the value has a scalar base, or has one in a version of the code in which nothing wraps.
bool isUsuallyAffine(const llvm::Value &value, const Shapes &shapes);

/// Whether the condition compares usually affine indices with bounds, as `i < n` does: most gangs
/// take one path as a whole, and a scalar comparison decides that.
bool isBound(const llvm::Value &condition, const Shapes &shapes);

} // namespace heddle::engine::simd
