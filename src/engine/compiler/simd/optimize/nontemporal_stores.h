// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which stores may go past the caches.
//
// A CPU that stores to a line of memory reads it first, and keeps it. For an array that is larger
// than the caches both are in vain, and cost a third of the bandwidth of `c[i] = a[i] + b[i]`.
// Streaming stores of whole lines do neither. They are right for what the kernel does not read
// itself, if the whole launch writes more than the caches hold; that is known at the launch
// (BlockContext::stream_bits).
//
// The CPU does not keep them in order with other stores. So a kernel by which threads tell others
// that they have stored something has none; and the worker waits for them before it says that its
// blocks have ended.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Metadata of stores that may.
inline constexpr const char *streaming_store = "heddle.streams";

/// Marks them in canonical code: those outside of loops, and in loops that go in steps of the grid,
/// for other loops may come to the same places again. Returns how many bytes of theirs a thread
/// writes (in one round).
uint64_t markNontemporalStores(llvm::Function &function);

} // namespace heddle::engine::simd
