// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of one dimension whose size is known, as that of most launches: a power of two.
//
// Kernels that work for blocks of any size have loops as long as a block's size says:
//
//     for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
//       if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
//       __syncthreads();
//     }
//
// In code for blocks of 256 threads, blockDim.x is 256, and this is eight pieces of code without a
// loop. Each knows its stride, hence which lanes have work (known_lane_peeling.h).
//
// Kernels with barriers also compare: after the sums of warps, `threadIdx.x < blockDim.x / 32` is
// asked before these are added up. That is for known lanes, too.
//
// Other kernels gain nothing from such a constant, so that one code for blocks of all sizes is
// enough.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Whether it has loops whose number of rounds follows from blockDim.x alone, or barriers and
/// comparisons with numbers that do.
bool gainsFromBlockSize(const llvm::Function &function);

/// Makes a function for blocks of `threads` × 1 × 1 threads of it, and unrolls what loops of known
/// length that gives. Expects what canonicalize made, and leaves that behind.
void setBlockSize(llvm::Function &function, unsigned threads);

} // namespace heddle::engine::simd
