// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Straight from input to output, in squares of a cache line's width, so that no line is brought
// twice, and along rows of the input, which the hardware then fetches ahead.
#include "problem.h"

constexpr int side = 16;

static inline void transposeTile(const float *in, float *out, int width, int height, int columns,
                                 int rows) {
  for (int x = 0; x < columns; ++x)
    for (int y = 0; y < rows; ++y)
      out[x * height + y] = in[y * width + x];
}

#include "common/transpose_omp.h"
