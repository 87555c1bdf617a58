// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that each thread makes side by side: the members of a structure, the parts of a float4,
// or a few elements of an array that belong to the thread.
//
// One of them by itself is every second to sixteenth element for the gang, which is as many vectors
// to load, or to store under masks. All of them together need those vectors only once, and shuffles
// bring each element to the lane, and to the value, that it belongs to: a transposition.
//
// Lanes may also be anywhere, as with `points[neighbour[i]].x`, `.y` and `.z`. Then each lane's
// elements are loaded together, by one access instead of one a member, and transposed.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace heddle::engine::simd {

/// Whether it is a load or store that is neither volatile nor atomic.
bool isSimpleAccess(const llvm::Instruction &instruction);

struct AccessGroup {
  unsigned step = 0;      // elements from lane to lane, or in each row: two to sixteen
  bool scattered = false; // of loads: lanes are anywhere; `step` is how many places there are
  /// Loads or stores of one block, by their place; `step` of them, null where there is none. The
  /// first is there, and another; of stores, all are.
  llvm::SmallVector<llvm::Instruction *> members;
  /// In the order of the code. All may be done where the first load is, or the last store.
  llvm::Instruction *first = nullptr, *last = nullptr;
};

/// Groups of accesses in blocks that all threads of the gang execute, or a known number of first
/// ones; none that are scattered.
std::vector<AccessGroup> interleavedAccesses(llvm::Function &function, const Shapes &shapes);

/// The same, with those that are scattered, in any block, and with loads of shared memory whose
/// lanes are up to so many elements apart: to make vectors of these would be in vain, but they may
/// be changed in place.
constexpr unsigned largest_step_in_place = 512;
std::vector<AccessGroup> accessesSideBySide(llvm::Function &function, const Shapes &shapes);

/// The largest step of which vectors are made.
constexpr unsigned largest_interleaved_step = 16;

} // namespace heddle::engine::simd
