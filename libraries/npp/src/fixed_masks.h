// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The coefficients of NPP's fixed filters (NPP documentation, "Fixed Filters").
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nppdefs.h>
#include <vector>

namespace heddle::npp {

enum class Mask {
  PrewittHoriz,
  PrewittVert,
  ScharrHoriz,
  ScharrVert,
  SobelHoriz,
  SobelVert,
  RobertsDown,
  RobertsUp,
  Laplace,
  Gauss,
  HighPass,
  LowPass,
  Sharpen
};

/// A filter's coefficients, or none if it does not exist in this size.
struct FixedMask {
  int width = 0, height = 0;
  std::vector<float> weights;
};

/// Width and height of a NppiMaskSize, 0 for what is none.
inline NppiSize sizeOfMask(NppiMaskSize size) {
  switch (size) {
  case NPP_MASK_SIZE_1_X_3:
    return {1, 3};
  case NPP_MASK_SIZE_1_X_5:
    return {1, 5};
  case NPP_MASK_SIZE_3_X_1:
    return {3, 1};
  case NPP_MASK_SIZE_5_X_1:
    return {5, 1};
  case NPP_MASK_SIZE_3_X_3:
    return {3, 3};
  case NPP_MASK_SIZE_5_X_5:
    return {5, 5};
  case NPP_MASK_SIZE_7_X_7:
    return {7, 7};
  case NPP_MASK_SIZE_9_X_9:
    return {9, 9};
  case NPP_MASK_SIZE_11_X_11:
    return {11, 11};
  case NPP_MASK_SIZE_13_X_13:
    return {13, 13};
  case NPP_MASK_SIZE_15_X_15:
    return {15, 15};
  }
  return {0, 0};
}

inline FixedMask maskOf(int size, std::initializer_list<float> weights, float divisor = 1) {
  FixedMask mask{size, size, weights};
  for (float &w : mask.weights)
    w /= divisor;
  return mask;
}

// Columns become rows from the top down: a filter for vertical edges becomes one for horizontal
// ones. An H100 subtracts the row above from the row below.
inline FixedMask turned(const FixedMask &mask) {
  FixedMask result = mask;
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x)
      result.weights[y * mask.width + x] = mask.weights[x * mask.width + y];
  return result;
}

// sigma = 0.6 + 0.4 * (width / 2), as an H100's results for 3x3, 5x5 and 7x7 say.
inline FixedMask gauss(int size) {
  FixedMask mask{size, size, {}};
  const double sigma = 0.6 + size / 2 * 0.4;
  double sum = 0;
  std::vector<double> weights;
  for (int y = -(size / 2); y <= size / 2; ++y)
    for (int x = -(size / 2); x <= size / 2; ++x) {
      weights.push_back(std::exp(-(x * x + y * y) / (2 * sigma * sigma)));
      sum += weights.back();
    }
  for (double w : weights)
    mask.weights.push_back(float(w / sum));
  return mask;
}

inline FixedMask constantMask(int size, float around, float centre) {
  FixedMask mask{size, size, std::vector<float>(size * size, around)};
  mask.weights[size * size / 2] = centre;
  return mask;
}

inline FixedMask fixedMask(Mask mask, int size) {
  if (size % 2 == 0 || size < 3 || size > (mask == Mask::Gauss ? 15 : 5))
    return {};
  switch (mask) {
  case Mask::PrewittVert:
    return size == 3 ? maskOf(3, {-1, 0, 1, -1, 0, 1, -1, 0, 1}) : FixedMask{};
  case Mask::ScharrVert:
    return size == 3 ? maskOf(3, {-3, 0, 3, -10, 0, 10, -3, 0, 3}) : FixedMask{};
  case Mask::SobelVert:
    return size == 3 ? maskOf(3, {-1, 0, 1, -2, 0, 2, -1, 0, 1})
                     : maskOf(5, {-1, -2, 0,  2,  1, -4, -8, 0,  8,  4, -6, -12, 0,
                                  12, 6,  -4, -8, 0, 8,  4,  -1, -2, 0, 2,  1});
  case Mask::PrewittHoriz:
  case Mask::ScharrHoriz:
  case Mask::SobelHoriz: {
    const FixedMask vertical = fixedMask(Mask(int(mask) + 1), size);
    return vertical.width ? turned(vertical) : vertical;
  }
  case Mask::RobertsDown:
    return maskOf(3, {-1, 0, 0, 0, 1, 0, 0, 0, 0});
  case Mask::RobertsUp:
    return maskOf(3, {0, 0, -1, 0, 1, 0, 0, 0, 0});
  case Mask::Laplace:
    return size == 3 ? constantMask(3, -1, 8)
                     : maskOf(5, {-1, -3, -4, -3, -1, -3, 0,  6,  0,  -3, -4, 6, 20,
                                  6,  -4, -3, 0,  6,  0,  -3, -1, -3, -4, -3, -1});
  case Mask::Gauss:
    return gauss(size);
  case Mask::HighPass:
    return constantMask(size, -1, size * size - 1);
  case Mask::LowPass:
    return constantMask(size, 1.0f / (size * size), 1.0f / (size * size));
  case Mask::Sharpen:
    return constantMask(3, -1.0f / 8, 2);
  }
  return {};
}

} // namespace heddle::npp
