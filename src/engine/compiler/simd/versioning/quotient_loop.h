// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for gangs that span several rows, where threads are numbered across rows.
//
// In most gangs, `y = i / width`, `x = i % width` are in one row, for which
// affine_index_speculation.h makes a version. In the others a load from a[y][x] accesses two or
// more places: a load and a division for each lane. But lanes of the same row are contiguous there,
// too, and rows follow each other:
//
//     A(i / width, i % width)   becomes   for (y = first lane's row; …; ++y)
//                                           if (this lane's row is y) A(y, i - y * width)
#pragma once

#include "engine/compiler/simd/versioning/region_versioning.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// A division of lanes into rows: the index is 32-bit or wider, affine and non-negative; all other
/// members are uniform.
struct RowsOfGang {
  llvm::Value *index = nullptr;   // of each lane
  llvm::Value *width = nullptr;   // greater than 0
  llvm::Value *first = nullptr;   // the first lane's row
  llvm::Value *highest = nullptr; // the last lane's index
};

/// Whether the blocks, which are all that the first of them dominates, may be executed several
/// times, each time by some of the lanes.
bool canLoopOverQuotients(const Blocks &blocks);

/// The loop above around a copy of the blocks. `start` is its entry; `row` and `place` are y and x.
struct RowLoop {
  llvm::BasicBlock *start;
  llvm::Value *row, *place;
};
RowLoop loopOverQuotients(const Blocks &blocks, const RegionCopy &copy, const RowsOfGang &rows);

} // namespace heddle::engine::simd
