// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on the pixels around each pixel: linear filters, extremes and medians.
#pragma once

#include "image.h"

namespace heddle::npp {

/// Where the region of interest lies in the source. Without `replicate`, whatever lies in memory
/// beyond it is read.
struct Border {
  bool replicate = false;
  int width = 0, height = 0, x = 0, y = 0; // the source, and the region's place in it
};

constexpr int most_fixed = 225; // 15 x 15

enum class Around : int {
  Linear,    // a weighted sum
  Separable, // weights[i] * weights[j]
  Box,       // a mean
  Least,     // with `mask`, of what it lets through; with `weights`, of differences
  Most,      // or sums
  Median,
  Bilateral,
  Adaptive // a threshold against the mean
};

struct Neighbourhood {
  Around kind = Around::Linear;
  Operand src, dst;
  Channels channels{1};
  int width = 0, height = 0; // of the region
  Border border;
  // The mask covers [x - anchor_x, x - anchor_x + mask_width) and so on.
  int mask_width = 0, mask_height = 0, anchor_x = 0, anchor_y = 0;
  const Npp8u *mask = nullptr;
  // Weights in device memory (in reverse order if `reversed`), or `fixed`.
  const char *weights = nullptr;
  Type weight_type = Type::F32;
  bool reversed = false;
  double divisor = 1; // of the sum
  int spread = 1;     // Bilateral: pixels between those that count
  float value_sigma = 0, place_sigma = 0, delta = 0;
  double above = 0, below = 0; // Adaptive: what pixels become
  float fixed[most_fixed] = {};
};

HEDDLE_NPP_SHARED cudaError_t launch(const Neighbourhood &work, cudaStream_t stream);

/// Gradient vectors by two fixed masks of `size` x `size`; results without data are not stored.
struct Gradient {
  Operand src, x, y, magnitude, angle;
  int width = 0, height = 0;
  Border border;
  int size = 3;
  int norm = nppiNormL2;
  float mask_x[25] = {}, mask_y[25] = {};
};

HEDDLE_NPP_SHARED cudaError_t launch(const Gradient &work, cudaStream_t stream);

} // namespace heddle::npp
