// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives each element a thread of its own, in kernels that go over arrays in steps of the grid
// (launch_analysis/grid_stride.h). Neighbouring blocks then access neighbouring elements, where
// each block's threads would have gone from page to page.
#pragma once

#include "engine/launch.h"
#include "engine/simd/launch/facts.h"

namespace heddle::engine::simd {

/// The grid.x with which each thread has one element at most; the launch's own if the kernel is not
/// like that, if it has as many threads already, or if arrays overlap.
uint32_t expandedGrid(const GridStride &loop, const Launch &launch);

} // namespace heddle::engine::simd
