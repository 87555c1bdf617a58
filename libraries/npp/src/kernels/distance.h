// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nearest site of each pixel: in its column first, and then, along the row, the nearest of
// those, as the lower envelope of parabolas (Meijster, Roerdink, Hesselink, "A General Algorithm
// for Computing Distance Transforms in Linear Time", 2000). Results are exact. Of sites at the same
// distance it is the leftmost, and the lowest of those in its column, as an H200 gives.
#pragma once

#include "image.h"

namespace heddle::npp {

struct Distance {
  Operand src;
  double low = 0, high = 0; // the values of sites
  int width = 0, height = 0;
  Operand voronoi, indices, along, transform; // those without data are not wanted
  bool absolute = false;                      // distances along the axes without sign
  // Scratch memory, an element for each pixel: the row of the column's nearest site; a row's
  // parabolas that are the lowest somewhere, and from which pixel on.
  Npp16s *nearest = nullptr, *lowest = nullptr, *from = nullptr;
};
/// Bytes of scratch memory for each pixel.
constexpr int distance_bytes = 3 * sizeof(Npp16s);
HEDDLE_NPP_SHARED cudaError_t launch(const Distance &work, cudaStream_t stream);

} // namespace heddle::npp
