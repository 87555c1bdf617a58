// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of interleaved accesses: the members of a structure, the parts of a float4, or a few
// consecutive elements that belong to each thread.
//
// A single member has a stride of 2 to 16 elements across the gang, and loading it takes that many
// vectors (or masked stores). The whole group needs the same vectors once, and a transposition in
// registers gives each member the vector of its elements.
//
// Lanes may also be at unrelated addresses, as with `points[neighbour[i]].x`, `.y` and `.z`. Then
// each lane loads its elements in one access instead of one per member, and these are transposed.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace heddle::engine::simd {

/// Whether it is a load or store that is neither volatile nor atomic.
bool isSimpleAccess(const llvm::Instruction &instruction);

struct AccessGroup {
  unsigned step = 0;      // elements from lane to lane (within a row if tiled): 2 to 16
  bool scattered = false; // loads at unrelated addresses; `step` is the number of positions
  /// Loads or stores of one block by position; `step` entries, null where there is no access. The
  /// first position and at least one more are occupied; groups of stores have no gaps.
  llvm::SmallVector<llvm::Instruction *> members;
  /// In program order. Loads may all move up to the first, stores down to the last.
  llvm::Instruction *first = nullptr, *last = nullptr;
};

/// Finds groups, except scattered ones, in blocks that all lanes execute, or a number of first
/// lanes that is known at compile time.
std::vector<AccessGroup> interleavedAccesses(llvm::Function &function, const Shapes &shapes);

/// Also finds scattered groups, in any block, and groups of loads from shared memory with strides
/// of up to largest_step_in_place elements: too far apart to load vectors, but read-modify-writes
/// in place can use them (strided_rmw.cpp).
constexpr unsigned largest_step_in_place = 512;
std::vector<AccessGroup> accessesSideBySide(llvm::Function &function, const Shapes &shapes);

/// The largest stride for which covering vectors are loaded.
constexpr unsigned largest_interleaved_step = 16;

} // namespace heddle::engine::simd
