// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of 20 × 20 or 24 × 24 threads: gangs are pieces of a row each, the last of which is not
// full.
//
// A warp of such a block begins somewhere in a row and ends in another, so that nothing is
// contiguous in it. Where a kernel cannot observe which threads share a warp (facts.h, `axes`),
// lanes without a thread cost less.
#pragma once

#include "engine/launch.h"
#include "engine/simd/launch/facts.h"

namespace heddle::engine::simd {

/// With fewer lanes than these, gangs of rows' pieces do not pay for the lanes without a thread.
inline constexpr uint32_t fewest_padded_lanes = 5;

/// The number of threads, on average, of gangs that are pieces of rows of this length.
uint32_t lanesOfPaddedRow(uint32_t length);

/// Whether gangs of this block are to be such pieces, and the code that for one-row blocks which
/// are not whole warps.
bool padsRows(const LaunchFacts &facts, const Dim3 &block);

} // namespace heddle::engine::simd
