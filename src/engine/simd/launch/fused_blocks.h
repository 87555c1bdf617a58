// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs blocks that lie side by side along x as one wide block, so that its rows fill vector
// registers (launch_analysis/fusible_blocks.h says which kernels allow it).
#pragma once

#include "engine/launch.h"
#include "engine/simd/launch/facts.h"

namespace heddle::engine::simd {

/// How many blocks, side by side along x, are to run as one: so many that the rows of the wide
/// block are a warp, if the kernel allows it and enough blocks are left for many workers. A power
/// of two that divides grid.x. `max_threads`: of the kernel's launch bounds, or 0.
uint32_t fusedBlocks(const LaunchFacts &facts, uint32_t max_threads, const Dim3 &grid,
                     const Dim3 &block);

} // namespace heddle::engine::simd
