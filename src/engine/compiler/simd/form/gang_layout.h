// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which threads the lanes of a gang are.
//
// Threads of a block are numbered along x, then y, then z, and a gang is `lanes` neighbours of that
// numbering (CUDA guide, "Thread Hierarchy"). If a gang never leaves a row of the block, only
// threadIdx.x differs in it, by one from lane to lane: that is what makes most addresses
// contiguous. The shape of the block decides, so code is made for a class of shapes.
#pragma once

#include "engine/simd/launch/block_shape_class.h"

#include <string_view>

namespace heddle::engine::simd {

struct LaneLayout {
  enum class Kind {
    Row,    // threadIdx.x = first + lane; threadIdx.y and z are the same for the gang
    Tiled,  // blockDim.x = row, which divides `lanes`: rows of that length lie one above the other
    General // nothing is known
  };
  unsigned lanes = 32; // 1: each thread for itself; more than 32: see warp_uniformity.h
  Kind kind = Kind::Row;
  unsigned row = 0;        // Tiled: blockDim.x
  unsigned x_multiple = 1; // blockDim.x is a multiple of this power of two
  bool full = true;        // every gang has all its lanes
  bool whole = false;      // the gang is all of the block

  /// Each row of a gang is long enough to have scalars of its own (Shape::Kind::Rows).
  bool hasRows() const {
    return kind == Kind::Tiled && row > 1 && lanes <= Variant::most_rows * row;
  }
  /// The gang is all of a block of one row, and threadIdx.x the number of the lane.
  bool isWholeRow() const { return whole && kind == Kind::Row; }
  /// How many neighbours lie side by side in a gang.
  unsigned rowLength() const { return hasRows() ? row : lanes; }
};

/// What Variant::engineName made. Throws std::runtime_error on anything else.
Variant parseVariant(std::string_view engine);

/// The layout for gangs of at most `wanted` lanes (1, or a power of two from 8 to 256);
/// `whole_warps` asks for 32 exactly.
LaneLayout layoutFor(const Variant &variant, unsigned wanted, bool whole_warps);

} // namespace heddle::engine::simd
