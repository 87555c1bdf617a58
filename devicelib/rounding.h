// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directed rounding without changing the processor's rounding mode, which is one for all lanes:
// take the result rounded to nearest, find the sign of what rounding lost, and step to the
// neighbour where the wanted direction says so.
#ifndef HEDDLE_DEVICELIB_ROUNDING_H
#define HEDDLE_DEVICELIB_ROUNDING_H

#include "common.h"

namespace heddle {

enum class Rounding { Nearest, Zero, Down, Up };

// The neighbours of x. Not for NaN; the neighbour of the largest finite number is infinity.
HEDDLE_INLINE float nextUp(float x) {
  return x == 0 ? floatOf(1u) : floatOf(bitsOf(x) + (x > 0 ? 1u : ~0u));
}
HEDDLE_INLINE double nextUp(double x) {
  return x == 0 ? doubleOf(1ull) : doubleOf(bitsOf(x) + (x > 0 ? 1ull : ~0ull));
}
template <typename T> HEDDLE_INLINE T nextDown(T x) { return -nextUp(-x); }

// `nearest` is the exact result rounded to nearest, and `lost` has the sign of exact - nearest, or
// is NaN when there is nothing to correct (an infinite or NaN operand).
template <Rounding mode, typename T> HEDDLE_INLINE T roundTowards(T nearest, T lost) {
  bool down = lost < 0 && (mode == Rounding::Down || (mode == Rounding::Zero && nearest > 0));
  bool up = lost > 0 && (mode == Rounding::Up || (mode == Rounding::Zero && nearest < 0));
  T result = down ? nextDown(nearest) : nearest;
  return up ? nextUp(nearest) : result;
}

// The float for the exact value wide + lost, where |lost| is less than half a unit of wide's last
// place. A finite `wide` above the largest float makes `narrow` infinite and the difference -inf,
// which steps back to the largest float as it should.
template <Rounding mode> HEDDLE_INLINE float narrowTowards(double wide, double lost) {
  float narrow = float(wide);
  double difference = wide - double(narrow);
  double sign = difference != 0 ? difference : lost;
  return roundTowards<mode>(narrow, sign < 0 ? -1.0f : sign > 0 ? 1.0f : 0.0f);
}

// The rounding error of sum = a + b, exactly (Dekker's FastTwoSum on the operands in order).
HEDDLE_INLINE double sumError(double a, double b, double sum) {
  bool ordered = __builtin_fabs(a) >= __builtin_fabs(b);
  double larger = ordered ? a : b, smaller = ordered ? b : a;
  return smaller - (sum - larger);
}

// An exact zero that is the sum of two terms of opposite sign is -0 when rounding down, +0 else
// (IEEE 754, 6.3).
template <Rounding mode, typename T> HEDDLE_INLINE T signOfZeroSum(T sum, bool opposite, T lost) {
  bool negative = mode == Rounding::Down && sum == 0 && lost == 0 && opposite;
  return negative ? T(-0.0) : sum;
}

} // namespace heddle

#endif
