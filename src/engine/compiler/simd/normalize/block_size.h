// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialises code for one-dimensional blocks of a known size, a power of two, as most launches
// have.
//
// In kernels for blocks of any size, the trip counts of loops depend on it:
//
//     for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
//       if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
//       __syncthreads();
//     }
//
// For blocks of 256 threads, blockDim.x is 256 and the loop is fully unrolled into eight pieces
// with a constant stride each, so that their masks are known (known_lane_peeling.h).
//
// Kernels with barriers also gain from comparisons: `threadIdx.x < blockDim.x / 32`, before the
// warps' sums are added, has a known mask, too.
//
// Other kernels gain nothing, so one version serves blocks of all sizes.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Whether there are loops whose trip count depends only on blockDim.x, or barriers together with
/// comparisons with such values.
bool gainsFromBlockSize(const llvm::Function &function);

/// Specialises the function for blocks of `threads` × 1 × 1 threads and unrolls loops with constant
/// trip counts. Expects and leaves the form that canonicalize establishes.
void setBlockSize(llvm::Function &function, unsigned threads);

} // namespace heddle::engine::simd
