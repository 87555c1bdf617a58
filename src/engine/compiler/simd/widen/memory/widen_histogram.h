// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of at most sixteen counters in shared memory: atomicAdd(&counts[key & 15], 1), as in a
// radix sort by four bits. Lane by lane, these are a store each, and wait for each other where keys
// are equal.
//
// Sixteen 4-bit counters fit a 64-bit number. So each lane makes a number in which one counter is
// 1, and these are added, eight per register. Before counters overflow, they are widened to bytes,
// and the sums over all lanes to sixteen 32-bit numbers, the form of the counters in memory.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Updates all sixteen elements, even if there are fewer: the rest of the page is mapped, and
/// belongs to this block (engine/schedule/shared_memory.h).
bool addToKinds(VectorBuilder &v, llvm::AtomicRMWInst &old);

} // namespace heddle::engine::simd
