// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colour models, and tables that values are looked up in.
#pragma once

#include "image.h"

namespace heddle::npp {

enum class Model : int {
  Affine, // by a matrix
  ToLuv,
  FromLuv,
  ToLab,
  FromLab,
  ToHls,
  FromHls,
  ToHsv,
  FromHsv
};

/// Where a pixel's three or four components are: each has a place, a step from row to row, a stride
/// from pixel to pixel, and may have a sample for 2 columns or rows only (shifts of 1).
struct Components {
  Type type = Type::U8;
  int count = 3;
  char *data[4] = {};
  long long step[4] = {};
  int stride[4] = {1, 1, 1, 1};
  int shift_x[4] = {}, shift_y[4] = {};
};

struct Colour {
  Components src, dst;
  int width = 0, height = 0;
  Model model = Model::Affine;
  float matrix[4][5] = {}; // of up to four components and a constant
  Round round = Round::TowardZero;
  int alpha = -1; // what the destination's fourth component becomes, or -1
};
HEDDLE_NPP_SHARED cudaError_t launch(const Colour &work, cudaStream_t stream);

enum class Lookup : int { Steps, Linear, Cubic, Palette };

struct Table {
  Operand src, dst; // one channel
  int width = 0, height = 0, stride = 1;
  Lookup how = Lookup::Steps;
  const char *values = nullptr, *levels = nullptr;
  Type type = Type::S32; // of values and levels
  int count = 0;         // levels, or bits that a palette's index has
};
HEDDLE_NPP_SHARED cudaError_t launch(const Table &work, cudaStream_t stream);

} // namespace heddle::npp
