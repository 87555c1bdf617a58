// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels of connected regions, of one image or of a batch.
#pragma once

#include "image.h"

namespace heddle::npp {

/// Labels each pixel with the first one, in reading order, of its region of equal pixels.
struct Labels {
  Operand src, dst;
  int width = 0, height = 0;
  bool diagonal = false; // whether diagonal neighbours are connected
  unsigned *labels = nullptr;
};
HEDDLE_NPP_SHARED cudaError_t launch(const Labels &work, cudaStream_t stream);

/// The same for images of lists in device memory. The results have rows without gaps.
struct LabelsBatch {
  const NppiImageDescriptor *src, *dst;
  int count;
  bool per_image;    // each image has the size that `dst` says,
  int width, height; // which is at most this; otherwise all have this one
  Type type;
  bool diagonal;
};
HEDDLE_NPP_SHARED cudaError_t launch(const LabelsBatch &work, cudaStream_t stream);

/// Replaces labels below `limit` by 0, 1, 2, ...; stores how many there are.
struct Compress {
  Operand labels;
  int width = 0, height = 0;
  unsigned limit = 0;
  unsigned *flags = nullptr; // limit + 1 of them
};
HEDDLE_NPP_SHARED cudaError_t launch(const Compress &work, cudaStream_t stream);

/// The same for a batch, whose images have a label for each pixel at most.
struct CompressBatch {
  const NppiImageDescriptor *images;
  const NppiBufferDescriptor *buffers;
  unsigned *counts;
  int count;
  bool per_image;
  int width, height;
};
HEDDLE_NPP_SHARED cudaError_t launch(const CompressBatch &work, cudaStream_t stream);

} // namespace heddle::npp
