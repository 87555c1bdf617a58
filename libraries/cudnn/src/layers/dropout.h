// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout: which elements stay is decided by random numbers whose state is in the program's memory.
#pragma once

#include "core.h"

struct cudnnDropoutStruct {
  float probability = 0;
  void *states = nullptr;
  size_t bytes = 0;
  unsigned long long seed = 0;
};

namespace heddle::cudnn {

using Dropout = cudnnDropoutStruct;

/// Draws which of `count` elements stay (1) and go (0), and moves the state on.
void drawMask(const Dropout &d, uint8_t *mask, int64_t count);
/// Draws 1 with this probability and else 0; the same for the same seed and offset.
void drawBernoulli(uint64_t seed, uint64_t offset, double probability, uint8_t *mask,
                   int64_t count);
/// What those that stay are multiplied by.
inline double dropoutScale(const Dropout &d) {
  return d.probability >= 1 ? 0 : 1 / (1 - double(d.probability));
}

} // namespace heddle::cudnn
