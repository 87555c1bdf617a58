// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Privatises histograms in global memory: each worker counts in a table of its own.
//
//     atomicAdd(&histogram[key[i]], 1);
//
// A GPU adds in its second-level cache; on a CPU each addition locks a cache line that all cores
// compete for: up to hundreds of cycles. But no lane uses the old value, and relaxed atomics are
// not ordered with other accesses (CUDA guide, "Memory Fence Functions"). So each worker adds to a
// table of zeros, and adds the table to the array after its last block. The table is private to the
// worker like shared memory, and is optimised as such:
//
//     distance = &histogram[key[i]] - histogram
//     if (distance < bytes of the table) add to table[distance], in shared memory
//     else                               the original atomic addition
//
// This requires, as in aggregated_atomics.h, that the kernel does not observe the counts: no
// fences, no loops that wait for other threads, no other accesses to the allocation. Whether that
// holds, and whether the array is small enough, is known at the launch
// (engine/simd/launch/kept_counts.h); if not, the table has 0 bytes. Barriers are allowed, since
// they order only the accesses of a block's threads, none of which reads the counts.
//
// Covered are sums of integers of any amounts; not floats, whose sums depend on the order, and
// other operations (atomicMax).
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Parameters, one bit each (ParameterAccesses).
struct Counts {
  uint64_t counted = 0;      // whose targets are only added to, …
  uint64_t wide_counted = 0; // … those of 64-bit elements; the others have 32 bits
  uint64_t uncounted = 0;    // used for other accesses
};

/// Rewrites a thread's function as above. Returns no bits, and changes nothing, if there are no
/// such additions.
Counts privatizeHistograms(llvm::Function &function);

} // namespace heddle::engine::simd
