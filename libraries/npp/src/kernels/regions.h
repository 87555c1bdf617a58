// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connected regions, by union and find: Canny's edges, watersheds.
#pragma once

#include "neighbourhood.h"

namespace heddle::npp {

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
