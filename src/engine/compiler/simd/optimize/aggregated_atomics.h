// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts what threads append to a queue there together.
//
//     if (found) queue[atomicAdd(count, 1)] = item;
//
// When many cores do that, the line with `count` goes from one to the other for each item, and so
// do the queue's last lines: hundreds of cycles an item. But no thread knows an item's place before
// count has been increased, and relaxed atomics are in no order with other accesses (CUDA guide,
// "Memory Fence Functions"). So a sweep over a block's threads, which runs them one after the
// other, keeps their items, and adds many of them to the queue at a time.
//
// That is right if the kernel does not itself look at what it appends. It has to have no fences and
// barriers, no loops that wait for other threads, and no other accesses to the allocations in which
// count and queue lie. Which allocation a pointer parameter points into is known at the launch, so
// how many items are kept is, too (BlockContext::kept_appends); it may be one.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Parameters, a bit for each (ParameterAccesses).
struct Appends {
  uint64_t appended = 0; // to what only they point into is appended
  uint64_t accessed = 0; // what these point into is accessed otherwise
};

/// Rewrites a sweep whose gangs are single threads (widen.h), and which never waits. No bits,
/// and no change, if it has none of these queues.
Appends aggregateAppends(llvm::Function &sweep);

} // namespace heddle::engine::simd
