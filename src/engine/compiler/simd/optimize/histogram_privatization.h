// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts in a table of the worker's own what threads count in global memory.
//
//     atomicAdd(&histogram[key[i]], 1);
//
// A GPU's second level of cache adds; on CPUs each addition locks a line, and all cores want the
// same lines: up to hundreds of cycles an addition. But no lane reads what was there, and
// relaxed atomics are in no order with other accesses (CUDA guide, "Memory Fence Functions"). So a
// worker adds to a table of zeros, and puts its sums into the array when it has run its last block.
// The table is the worker's like shared memory, and all that is done for that is done for it:
//
//     distance = &histogram[key[i]] - histogram
//     if (distance < bytes of the table) add to table[distance], in shared memory
//     else                               the atomic addition, as it was
//
// That is right if the kernel does not itself look at what it counts, as with what it appends
// (aggregated_atomics.h): no fences, no loops that wait for other threads, no other accesses to the
// allocation. Whether that is so, and whether the array is small enough, is known at the launch
// (engine/simd/launch/kept_counts.h); if not, there are no bytes. Barriers order what a block's
// threads do for each other, who do not look either.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Parameters, a bit for each (ParameterAccesses).
struct Counts {
  uint64_t counted = 0;      // to what only they point to is added, …
  uint64_t wide_counted = 0; // … by these of them in elements of 64 bits, else of 32
  uint64_t uncounted = 0;    // what these point to is accessed otherwise
};

/// Rewrites a thread's function as above. No bits, and no change, if nothing is counted like that.
Counts privatizeHistograms(llvm::Function &function);

} // namespace heddle::engine::simd
