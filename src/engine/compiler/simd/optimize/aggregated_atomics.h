// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aggregates the items that threads append to a queue.
//
//     if (found) queue[atomicAdd(count, 1)] = item;
//
// When many cores execute this, the cache line of `count` moves between them for each item, and so
// do the last lines of the queue: hundreds of cycles per item. But no thread depends on an item's
// position except through `count`, and relaxed atomics are not ordered with other accesses (CUDA
// guide, "Memory Fence Functions"). So a sweep, which runs the threads of a block one after the
// other, buffers their items and appends many at a time.
//
// This requires that the kernel does not observe the queue: no fences, barriers or loops that wait
// for other threads, and no other accesses to the allocations of count and queue. Which allocation
// a pointer parameter points into is known at the launch, which therefore sets the number of items
// to buffer (BlockContext::kept_appends); it may be one.
//
// An instance of privatisation, as histogram_privatization.h. Not covered: counts that grow by
// another number than 1, and gangs of several threads, which add once for all their lanes anyway
// (widen/memory/widen_atomics.cpp).
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Parameters, one bit each (ParameterAccesses).
struct Appends {
  uint64_t appended = 0; // those whose allocations are appended to
  uint64_t accessed = 0; // those used for other accesses
};

/// Rewrites a sweep whose gangs are single threads (widen.h) and that has no suspend points.
/// Without appends of this form it returns no bits and changes nothing.
Appends aggregateAppends(llvm::Function &sweep);

} // namespace heddle::engine::simd
