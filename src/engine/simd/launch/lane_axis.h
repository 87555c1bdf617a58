// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the axis of the block that the lanes of gangs follow.
//
// Threads of a warp are neighbours along threadIdx.x, so good CUDA programs access memory side by
// side along x. Many do not: a matrix product whose row is numbered by x loads whole columns.
//
//     int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y +
//     threadIdx.y; for (int k = 0; k < n; ++k)
//       sum += a[row * n + k] * b[k * n + column];
//
// If the kernel cannot observe which threads share a warp (launch_analysis/lane_axis.h), gangs may
// be neighbours along y or z instead. The whole launch is then turned: two axes of grid and block
// change places, also in the kernel's code (compiler/simd/normalize/lane_axis.h), and nothing else
// of the engine knows about it but messages about faults.
#pragma once

#include "engine/launch.h"
#include "engine/simd/launch/facts.h"

namespace heddle::engine::simd {

/// The axis of blocks of this shape along which accesses cost least: 1 is y, 2 is z; 0 is x, unless
/// another is clearly better.
unsigned laneAxis(const LaunchFacts &facts, const Dim3 &block);

} // namespace heddle::engine::simd
