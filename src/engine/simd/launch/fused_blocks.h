// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs neighbouring blocks along x as one wide block, so that its rows fill vector registers
// (launch_analysis/fusible_blocks.h finds the kernels that allow it).
#pragma once

#include "engine/launch.h"
#include "engine/simd/launch/facts.h"

namespace heddle::engine::simd {

/// The number of neighbouring blocks along x to run as one: enough that rows of the wide block are
/// a warp, if the kernel allows it and enough blocks remain for many workers. A power of two that
/// divides grid.x. `max_threads`: the kernel's launch bound, or 0. `lane_axis`: grid and block are
/// turned (lane_axis.h).
uint32_t fusedBlocks(const LaunchFacts &facts, uint32_t max_threads, const Dim3 &grid,
                     const Dim3 &block, unsigned lane_axis = 0);

} // namespace heddle::engine::simd
