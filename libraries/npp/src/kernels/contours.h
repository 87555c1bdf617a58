// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The regions that labels name, and their contours: those of their pixels that have a neighbour in
// the image, in any of eight directions, of another region.
#pragma once

#include "image.h"

namespace heddle::npp {

struct LabelsInfo {
  Operand labels, contours, directions; // the last two may have no data
  int width = 0, height = 0;
  unsigned count = 0; // labels are below it
  NppiCompressedMarkerLabelsInfo *regions = nullptr;
  // How many pixels each contour has, and how many those before it have together, at `count` all;
  // both may be null.
  unsigned *counts = nullptr, *offsets = nullptr;
};
HEDDLE_NPP_SHARED cudaError_t launch(const LabelsInfo &work, cudaStream_t stream);

} // namespace heddle::npp
