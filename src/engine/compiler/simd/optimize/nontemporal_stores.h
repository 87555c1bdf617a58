// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks stores that may bypass the caches (non-temporal stores).
//
// A CPU reads a line before it stores to it, and then keeps it in its caches. For an array larger
// than the caches both are useless, and cost a third of the bandwidth of `c[i] = a[i] + b[i]`.
// Non-temporal stores of whole lines avoid both. They pay if the kernel does not read the data
// itself and the whole launch writes more than the caches hold, which is known at the launch
// (BlockContext::stream_bits).
//
// They are not ordered with other stores. So kernels in which threads signal other threads that
// they have stored something get none, and a worker fences before it reports that its blocks have
// ended.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Metadata of such stores.
inline constexpr const char *streaming_store = "heddle.streams";

/// Marks stores outside of loops and in grid-stride loops; other loops may store to the same lines
/// again. Returns the number of bytes that a thread writes by them (per iteration). Expects
/// canonical code.
uint64_t markNontemporalStores(llvm::Function &function);

} // namespace heddle::engine::simd
