// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps the lanes of a gang to threads.
//
// Threads of a block are numbered along x, then y, then z, and a gang is `lanes` consecutive
// threads (CUDA guide, "Thread Hierarchy"). If a gang never leaves a row of the block, only
// threadIdx.x differs in it, by one from lane to lane, which makes most addresses contiguous. This
// depends on the shape of the block, so code is compiled for a class of shapes.
#pragma once

#include "engine/simd/launch/block_shape_class.h"

#include <string_view>

namespace heddle::engine::simd {

struct LaneLayout {
  enum class Kind {
    Row,    // threadIdx.x = first + lane; threadIdx.y and z are the same for the gang
    Tiled,  // blockDim.x = row, a divisor of `lanes`: the gang is several whole rows
    General // nothing is known
  };
  unsigned lanes = 32; // 1: scalar code; more than 32: see warp_uniformity.h
  Kind kind = Kind::Row;
  unsigned row = 0;        // Tiled: blockDim.x
  unsigned x_multiple = 1; // blockDim.x is a multiple of this power of two
  bool full = true;        // every gang has all its lanes
  bool whole = false;      // the gang is the whole block

  /// Whether the rows of a gang are long enough to have a scalar base each (tiled affine shapes).
  bool hasRows() const {
    return kind == Kind::Tiled && row > 1 && lanes <= Variant::most_rows * row;
  }
  /// Whether the gang is a whole block of one row, so that threadIdx.x is the lane number.
  bool isWholeRow() const { return whole && kind == Kind::Row; }
  /// Number of consecutive lanes with consecutive threadIdx.x.
  unsigned rowLength() const { return hasRows() ? row : lanes; }
};

/// Parses the result of Variant::engineName. Throws std::runtime_error on anything else.
Variant parseVariant(std::string_view engine);

/// The layout of gangs of at most `wanted` lanes (1, or a power of two from 8 to 256);
/// `whole_warps` requires exactly 32.
LaneLayout layoutFor(const Variant &variant, unsigned wanted, bool whole_warps);

} // namespace heddle::engine::simd
