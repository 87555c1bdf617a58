// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands the grid of kernels with grid-stride loops (launch_analysis/grid_stride.h), so that each
// element has its own thread. Neighbouring blocks then access neighbouring elements, instead of
// each thread striding from page to page.
#pragma once

#include "engine/launch.h"
#include "engine/simd/launch/facts.h"

namespace heddle::engine::simd {

/// The grid.x with which each thread has at most one element; the launch's own if the kernel does
/// not qualify, if it has as many threads already, or if arrays overlap.
uint32_t expandedGrid(const GridStride &loop, const Launch &launch);

} // namespace heddle::engine::simd
