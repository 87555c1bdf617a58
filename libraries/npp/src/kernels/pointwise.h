// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on each element by itself, of images and of signals (images of one row).
#pragma once

#include "image.h"

namespace heddle::npp {

enum class Op : int {
  // a and b; b is a second image or a constant
  Add,
  Sub,
  Mul,
  Div,
  AbsDiff,
  MulScale,
  Min,
  Max,
  SubRev,
  DivRev,
  // a and, as third, what the destination has
  AddSquare,
  AddProduct,
  AddWeighted,
  // a
  Copy,
  Abs,
  Sqr,
  Sqrt,
  Ln,
  Exp,
  Cubrt,
  Arctan,
  Log10Times10,
  GammaForward, // of BT.709, for numbers from 0 to 255
  GammaInverse,
  // c and d are constants
  Linear, // a * c + d
  Less,   // a < c ? d : a
  Greater,
  LessGreater, // a < c ? c : a > d ? d : a, with other values in e and f
  Equal,       // a == c ? d : a
  CompareLess, // 255 or 0
  CompareLessEqual,
  CompareEqual,
  CompareGreaterEqual,
  CompareGreater,
  CompareNear, // |a - b| <= c
  AlphaCompC,  // alphas c of a and d of b
  // of bits; not saturated
  And,
  Or,
  Xor,
  Not,
  LShift,
  RShift,
  // names of the API
  AddC = Add,
  SubC = Sub,
  MulC = Mul,
  DivC = Div,
  AbsDiffC = AbsDiff,
  MulCScale = MulScale,
  AndC = And,
  OrC = Or,
  XorC = Xor,
  LShiftC = LShift,
  RShiftC = RShift,
  SubCRev = SubRev,
  DivCRev = DivRev,
  MinEvery = Min,
  MaxEvery = Max
};

constexpr int max_channels = 8; // four complex ones

struct Pointwise {
  Operand a, b, out; // without b, the constants of `b_constant`
  const Npp8u *mask = nullptr;
  long long mask_step = 0;
  long long width = 0; // in elements: pixels times channels
  int height = 1;
  int channels = 1;
  bool alpha = false;   // the fourth channel is left alone
  bool complex = false; // pairs of numbers; channels and width count numbers
  Op op = Op::Copy;
  int alpha_op = 0;
  double b_constant[max_channels] = {};
  double c[max_channels] = {}, d[max_channels] = {}, e[max_channels] = {}, f[max_channels] = {};
  double factor = 1; // what the result is multiplied with before it is rounded
  Round round = Round::TiesToEven;
};

HEDDLE_NPP_SHARED cudaError_t launch(const Pointwise &work, cudaStream_t stream);

/// Compares pixels: 255 where all channels compare so. `width` counts pixels, `out` has one
/// channel.
HEDDLE_NPP_SHARED cudaError_t launchComparison(const Pointwise &work, cudaStream_t stream);

/// Alpha composition of pixels that have alpha in their last channel, and premultiplication by it.
struct AlphaPixels {
  Operand a, b, out; // without b, a is premultiplied
  int width = 0, height = 0, channels = 4, op = 0;
};
HEDDLE_NPP_SHARED cudaError_t launch(const AlphaPixels &work, cudaStream_t stream);

/// Absolute values, or their squares, of complex numbers.
struct Magnitude {
  Operand src, dst;
  int width = 0, height = 0;
  bool squared = false;
};
HEDDLE_NPP_SHARED cudaError_t launch(const Magnitude &work, cudaStream_t stream);

} // namespace heddle::npp
