// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that grow from lane to lane as a rule, and conditions that ask where they end.
//
// Indices that are computed in 32 bits may wrap in theory, and at a border they are chosen. Shapes
// cannot say that they are neighbours, but in nearly all gangs they are: widenIndices and questions
// at run time find that out. Whoever estimates what code will cost goes by the rule.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

namespace heddle::engine::simd {

/// Whether the value has a scalar form, or will have one where nothing wraps.
bool isUsuallyAffine(const llvm::Value &value, const Shapes &shapes);

/// Whether lanes are told apart by where their indices end, as by `i < n`: most gangs go one way as
/// a whole, and what asks them is one scalar comparison.
bool isBound(const llvm::Value &condition, const Shapes &shapes);

} // namespace heddle::engine::simd
