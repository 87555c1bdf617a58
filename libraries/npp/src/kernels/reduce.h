// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are computed from all pixels: sums, extremes, norms, errors.
#pragma once

#include "image.h"

namespace heddle::npp {

enum class Reduction : int {
  Sum,
  Mean,
  MeanStdDev,
  StdDev, // by one less than the count (signals)
  Min,
  Max,
  MinMax,
  MinIndx,
  MaxIndx,
  MinMaxIndx,
  NormInf,
  NormL1,
  NormL2,
  // of two images
  DiffInf,
  DiffL1,
  DiffL2,
  RelInf,
  RelL1,
  RelL2,
  Dot,
  Quality,
  Mse,
  Psnr,
  AverageError,
  MaximumError,
  AverageRelativeError,
  MaximumRelativeError,
  // of numbers from `low` to `high`
  Count,
  ZeroCrossings // of a signal: changes of sign
};

struct Reduce {
  Operand a, b;
  const Npp8u *mask = nullptr;
  long long mask_step = 0;
  long long width = 0; // in pixels
  int height = 1;
  int channels = 1; // elements from one pixel to the next
  int used = 1;     // channels that are reduced, from the pointers on
  Reduction kind = Reduction::Sum;
  double low[4] = {}, high[4] = {};
  double factor = 1; // of the result, before it is rounded
  void *scratch = nullptr;
  // A result for each channel, one behind the other; what is not wanted is null.
  void *first = nullptr, *second = nullptr; // for example minima and maxima
  int *x = nullptr, *y = nullptr;           // indices
  NppiPoint *first_at = nullptr, *second_at = nullptr;
  Type result = Type::F64;
};

/// Bytes of scratch memory that suffice for any image.
constexpr size_t reduce_scratch = 4 * 64 * 64 + 64;

HEDDLE_NPP_SHARED cudaError_t launch(const Reduce &work, cudaStream_t stream);

/// Sums of all pixels above and to the left, also of their squares if `squares.data`.
struct Integral {
  Operand src, sums, squares;
  int width = 0, height = 0; // of the source
  double first = 0, first_square = 0;
};
HEDDLE_NPP_SHARED cudaError_t launch(const Integral &work, cudaStream_t stream);

/// Sums of all samples of a signal up to each.
struct RunningSums {
  const Npp32s *src = nullptr;
  Npp32s *dst = nullptr;
  size_t length = 0;
};
HEDDLE_NPP_SHARED cudaError_t launch(const RunningSums &work, cudaStream_t stream);

/// Standard deviations in a rectangle about each pixel, from integral images.
struct RectDeviation {
  Operand sums, squares, dst;
  int width = 0, height = 0;
  NppiRect rect{};
};
HEDDLE_NPP_SHARED cudaError_t launch(const RectDeviation &work, cudaStream_t stream);

/// A histogram of one channel. Without levels they are even ones from `low` to `high`.
struct Histogram {
  Operand src;
  int width = 0, height = 0, channels = 1;
  int bins = 0;
  Npp32s *counts = nullptr;
  const void *levels = nullptr; // bins + 1 of them, of the type `level_type`
  Type level_type = Type::S32;
  long long low = 0, high = 0;
};
HEDDLE_NPP_SHARED cudaError_t launch(const Histogram &work, cudaStream_t stream);

} // namespace heddle::npp
