// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetches what will be loaded soon and the hardware prefetcher does not predict.
//
//  * For the next block. A block's first loads come together; then it computes, often with
//    barriers, while memory is idle, since out-of-order execution ends at the next barrier. A
//    worker runs blocks in ascending order, so the address for blockIdx.x + 1 is a good guess (or a
//    few more, for blocks that load little). The same holds for lines that a block with barriers
//    stores to: a CPU reads a line before it changes a part of it, and only few stores can wait for
//    that. First loads are those outside of loops, and in loops that load a tile.
//  * For the next gangs, in a grid-stride loop: each iteration is in other pages, so the hardware
//    prefetcher sees no pattern.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The addresses that were prefetched on any path to this block. Addresses from an untaken path
/// count, too, such as from the version in which all lanes are within bounds: then the other
/// version rarely prefetches.
void gatherPrefetched(VectorBuilder &v, const llvm::BasicBlock &block);

/// Lowers prefetch_marker, for elements of `size` bytes.
void prefetchNext(VectorBuilder &v, llvm::Value *old_pointer, int64_t size);

/// `pointers`: the start of each row.
void prefetchAhead(VectorBuilder &v, llvm::Instruction &old, const Rows &pointers);

} // namespace heddle::engine::simd
