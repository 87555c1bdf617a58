// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads whose places follow from the lane alone, but do not grow by the same from lane to lane:
// `in[x / 2]` (each element twice), `a[i ^ 1]` (neighbours exchanged), `a[i & ~3]`.
//
// Where a gang begins with a multiple of 2, its lanes want eight elements in this order: 0 0 1 1 2
// 2 3 3. That is a vector load and a permutation of a register, not a gather. The pattern is what
// the index would be if everything that lanes have in common were 0; whether it is that indeed is
// asked when the program runs (widen_patterns.cpp).
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace heddle::engine::simd {

struct Pattern {
  /// Bytes from the address that it would have in lane 0 of each row, if what lanes have in common
  /// were 0, for each lane of a row.
  llvm::SmallVector<int64_t> steps;
  int64_t lowest = 0, highest = 0; // of the steps; they differ
};

/// Of elements of so many bytes, no more of them than a row has lanes. Nothing if that is unknown.
std::optional<Pattern> permutationOf(const llvm::Value &pointer, uint64_t element_bytes,
                                     const Shapes &shapes, const LaneLayout &layout,
                                     const llvm::DataLayout &data);

} // namespace heddle::engine::simd
