// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connected regions, by union and find: labels, Canny's edges, watersheds.
#pragma once

#include "neighbourhood.h"

namespace heddle::npp {

/// Labels each pixel with the first one, in reading order, of its region of equal pixels.
struct Labels {
  Operand src, dst;
  int width = 0, height = 0;
  bool diagonal = false; // whether diagonal neighbours are connected
  unsigned *labels = nullptr;
};
HEDDLE_NPP_SHARED cudaError_t launch(const Labels &work, cudaStream_t stream);

/// Replaces labels below `limit` by 0, 1, 2, ...; stores how many there are.
struct Compress {
  Operand labels;
  int width = 0, height = 0;
  unsigned limit = 0;
  unsigned *flags = nullptr; // limit + 1 of them
};
HEDDLE_NPP_SHARED cudaError_t launch(const Compress &work, cudaStream_t stream);

struct Canny {
  Gradient gradient; // its magnitude goes to scratch memory
  Operand dst;
  float low = 0, high = 0;
  unsigned *labels = nullptr;
};
HEDDLE_NPP_SHARED cudaError_t launch(const Canny &work, cudaStream_t stream);

struct Watershed {
  Operand image, markers; // markers may have no data
  int width = 0, height = 0;
  bool diagonal = true;
  int boundaries = 0;
  unsigned *labels = nullptr, *merged = nullptr;
};
HEDDLE_NPP_SHARED cudaError_t launch(const Watershed &work, cudaStream_t stream);

} // namespace heddle::npp
