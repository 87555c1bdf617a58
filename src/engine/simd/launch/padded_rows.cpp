// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/padded_rows.h"

#include "engine/simd/launch/block_shape_class.h"

namespace heddle::engine::simd {

uint32_t lanesOfPaddedRow(uint32_t length) {
  constexpr uint32_t lanes = 32;
  return length / ((length + lanes - 1) / lanes);
}

bool padsRows(const LaunchFacts &facts, const Dim3 &block) {
  constexpr uint32_t narrowest = 8; // gangs, else of pieces of several rows (gang_layout.cpp)
  if (facts.axes.empty() || (block.y == 1 && block.z == 1))
    return false;
  const Variant usual = variantFor(block);
  if (usual.tiled)
    return false;
  const uint32_t lanes = lanesOfPaddedRow(block.x);
  return usual.granularity < narrowest ? lanes >= fewest_padded_lanes
                                       : lanes >= 2 * usual.granularity;
}

} // namespace heddle::engine::simd
