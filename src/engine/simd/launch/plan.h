// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the SIMD engine runs a launch of the program's: with which code, and as which launch. Every
// choice of choices.h is made here or, where it depends on the code, in `Kernel`'s members that
// this fills.
#pragma once

#include "engine/simd/launch/block_shape_class.h"
#include "engine/simd/launch/choices.h"
#include "engine/simd/launch/facts.h"

namespace heddle::engine::simd {

/// What is decided before the code is there.
struct LaunchPlan {
  uint32_t fused_blocks = 1; // so many, side by side along x, run as one
  Variant variant;           // the code's
};

/// `alone`: blocks need not run together, as those of a cluster do.
LaunchPlan planLaunch(const LaunchFacts &facts, const KernelInfo &kernel, const Dim3 &grid,
                      const Dim3 &block, bool alone, Choices allowed);

/// The grid.x that is launched.
uint32_t plannedGrid(const LaunchFacts &facts, const Launch &launch, bool alone, Choices allowed);

} // namespace heddle::engine::simd
