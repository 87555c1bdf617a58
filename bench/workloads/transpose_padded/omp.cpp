// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Through a tile on the stack, so that reads and writes of memory are in order.
#include "problem.h"

constexpr int side = 16;

static inline void transposeTile(const float *in, float *out, int width, int height, int columns,
                                 int rows) {
  float tile[side][side];
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      tile[y][x] = in[y * width + x];
  for (int x = 0; x < columns; ++x)
    for (int y = 0; y < rows; ++y)
      out[x * height + y] = tile[y][x];
}

#include "common/transpose_omp.h"
