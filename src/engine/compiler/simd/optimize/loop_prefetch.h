// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetches, in loops with barriers, what the next iteration loads, and the lines that it stores
// to: a CPU reads a line before it changes a part of it.
//
// Such a loop advances through memory by tiles or planes: each iteration accesses another region,
// often other pages, which the hardware prefetcher does not follow, and out-of-order execution does
// not reach beyond the barrier. But the step between iterations is visible in the code and uniform,
// so that a prefetch costs one addition.
//
// In addition, a block's first loads prefetch those of a later block (widen_prefetch.cpp). How many
// blocks ahead depends on how much a block loads: one that loads little ends before the prefetched
// lines arrive.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Inserts prefetch_marker before loads and stores, and attaches the metadata `foreseen_load` to
/// loads. Expects canonical code before lowerSuspendPoints.
void prefetchNextIterations(llvm::Function &function);

/// How many blocks ahead the first loads should prefetch: 1 to 4. Expects canonical code.
unsigned blocksAhead(llvm::Function &function);

} // namespace heddle::engine::simd
