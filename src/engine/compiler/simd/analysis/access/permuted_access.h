// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads whose distances between lanes are constants, but not a single stride: `in[x / 2]`
// (each element twice), `a[i ^ 1]` (neighbours exchanged), `a[i & ~3]`.
//
// If a gang begins at a multiple of 2, its lanes load eight elements in the order 0 0 1 1 2 2 3 3:
// a vector load and a permutation of a register instead of a gather. The pattern is the index with
// everything that is uniform in the gang set to 0; whether the actual index follows the pattern is
// tested at run time (widen_patterns.cpp).
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace heddle::engine::simd {

struct Pattern {
  /// For each lane of a row: bytes from the address of the row's lane 0, if everything uniform in
  /// the row were 0.
  llvm::SmallVector<int64_t> steps;
  int64_t lowest = 0, highest = 0; // of `steps`; they differ
};

/// `element_bytes`: size of an element. Nothing if lanes have no such pattern, or if it spans more
/// elements than a row has lanes.
std::optional<Pattern> permutationOf(const llvm::Value &pointer, uint64_t element_bytes,
                                     const Shapes &shapes, const LaneLayout &layout,
                                     const llvm::DataLayout &data);

} // namespace heddle::engine::simd
