// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the SIMD engine runs a launch of the program: with which code and configuration. All choices
// of choices.h are made here or, where they depend on the compiled code, in members of `Kernel`
// that this sets.
#pragma once

#include "engine/simd/launch/block_shape_class.h"
#include "engine/simd/launch/choices.h"
#include "engine/simd/launch/facts.h"

namespace heddle::engine::simd {

/// What is decided before the code is available.
struct LaunchPlan {
  uint32_t fused_blocks = 1; // number of neighbours along x, when turned, that run as one
  unsigned lane_axis = 0;    // that takes the place of x (lane_axis.h)
  bool padded_rows = false;  // gangs are pieces of rows (padded_rows.h)
  Variant variant;           // of the code
};

/// `alone`: blocks need not run together, unlike those of a cluster.
LaunchPlan planLaunch(const LaunchFacts &facts, const KernelInfo &kernel, const Dim3 &grid,
                      const Dim3 &block, bool alone, Choices allowed);

/// The grid.x to launch.
uint32_t plannedGrid(const LaunchFacts &facts, const Launch &launch, bool alone, Choices allowed);

} // namespace heddle::engine::simd
