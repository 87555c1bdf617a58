// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving elements without looking at them: between channels and planes, with borders, transposed.
#pragma once

#include "image.h"

namespace heddle::npp {

/// Which pixel of the source goes to a pixel of the destination.
enum class Place : int {
  Same,
  Transposed,
  ConstantBorder,
  ReplicatedBorder,
  WrappedBorder,
  RowsReversed,
  ColumnsReversed,
  BothReversed
};

struct Move {
  int element = 1; // bytes: 1, 2, 4, 8 or 16
  int count = 1;   // channels that are written
  // Where each channel's first element is; a channel without a source is a constant.
  const char *src[4] = {};
  char *dst[4] = {};
  long long src_step = 0, dst_step = 0;
  int src_stride = 1, dst_stride = 1; // elements from one pixel to the next
  alignas(16) unsigned char constant[4][16] = {};
  int width = 0, height = 0; // of the destination
  const Npp8u *mask = nullptr;
  long long mask_step = 0;
  Place place = Place::Same;
  int src_width = 0, src_height = 0, left = 0, top = 0; // for borders
};

HEDDLE_NPP_SHARED cudaError_t launch(const Move &work, cudaStream_t stream);

} // namespace heddle::npp
