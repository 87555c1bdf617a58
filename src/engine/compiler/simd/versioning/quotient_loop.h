// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for gangs in which a row ends, where threads are numbered across rows.
//
// `y = i / width`, `x = i % width` are for one row in most gangs, which have code of their own
// (affine_index_speculation.h). In the others lanes have different rows, so that what is loaded
// from a[y][x] lies in two places or more: a load for each lane, and a division for each. But lanes
// of a row are neighbours there as well, and rows follow each other:
//
//     A(i / width, i % width)   becomes   for (y = first lane's row; …; ++y)
//                                           if (this lane's row is y) A(y, i - y * width)
#pragma once

#include "engine/compiler/simd/form/region_copy.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Rows that lanes are numbered across: numbers are 32-bit or wider, grow from lane to lane, and
/// are not negative; what is not `index` is the same in all lanes.
struct RowsOfGang {
  llvm::Value *index = nullptr;   // of each lane
  llvm::Value *width = nullptr;   // more than 0
  llvm::Value *first = nullptr;   // the first lane's row
  llvm::Value *highest = nullptr; // the last lane's index
};

/// Whether the blocks, which are all that is behind the first of them, can be gone through several
/// times, by some of the lanes each.
bool canLoopOverQuotients(const Blocks &blocks);

/// The loop above around a copy of the blocks; `map` says what has become of them and of their
/// values. To be entered at `start`; `row` and `place` are y and x.
struct RowLoop {
  llvm::BasicBlock *start;
  llvm::Value *row, *place;
};
RowLoop loopOverQuotients(llvm::Function &function, const Blocks &blocks, const RowsOfGang &rows,
                          llvm::ValueToValueMapTy &map);

} // namespace heddle::engine::simd
