// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Geometric transforms: each pixel of the destination is interpolated where a mapping says in the
// source.
#pragma once

#include "image.h"

namespace heddle::npp {

struct Geometry {
  Operand src, dst; // at the images' origins, not the regions'
  Channels channels{1};
  NppiRect src_roi{}, dst_roi{};
  // Source coordinates of the destination's pixel (x, y): the first two rows of the matrix times
  // (x, y, 1), divided by the third row's if `perspective`; or what the maps say.
  double matrix[9] = {};
  bool perspective = false;
  Operand map_x, map_y;
  int interpolation = NPPI_INTER_NN;
  // Outside the source region: its nearest pixel counts, or the destination is left alone.
  bool clamp = false;
  double scale_x = 1,
         scale_y = 1; // source pixels for each of the destination, for NPPI_INTER_SUPER
};

HEDDLE_NPP_SHARED cudaError_t launch(const Geometry &work, cudaStream_t stream);

} // namespace heddle::npp
