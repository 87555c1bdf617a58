// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roots and Euclidean norms of doubles, within 1 ulp.
#include "double_double.h"

using namespace heddle;

namespace {

// One step of Householder's method towards 1/cbrt(m): the relative error of y is cubed.
HEDDLE_INLINE double inverseCubeRootStep(double m, double y) {
  double error = fma(-m * y, y * y, 1.0);
  return fma(y * error, fma(error, 2.0 / 9.0, 1.0 / 3.0), y);
}

// 1/cbrt(m) for m in [1, 8) to nearly double precision, from a polynomial that is within 2^-7.
HEDDLE_INLINE double inverseCubeRootEstimate(double m) {
  double y = poly(m, -0x1.c49487b5b6961p-14, 0x1.84e675bea17d4p-9, -0x1.08e53b78c22d6p-5,
                  0x1.6f05deaa8a28bp-3, -0x1.1b95f66489b81p-1, 0x1.6641e0f46f289p+0);
  return inverseCubeRootStep(m, inverseCubeRootStep(m, y));
}

// A positive number as m * 2^(3*third) with m in [1, 8).
struct CubeParts {
  double m, third;
};

HEDDLE_INLINE CubeParts splitForCubeRoot(double x) {
  bool subnormal = x < 0x1p-1022;
  u64 bits = bitsOf(subnormal ? x * 0x1p54 : x);
  double exponent = doubleOf(bits >> 52 | 0x4330000000000000) - (0x1p52 + 1023);
  double third = floor(fma(exponent, 1.0 / 3.0, 0x1p-10));
  double rest = fma(-3.0, third, exponent);
  double fraction = doubleOf((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  double scale = rest == 0.0 ? 1.0 : rest == 1.0 ? 2.0 : 4.0;
  return {fraction * scale, subnormal ? third - 18.0 : third};
}

HEDDLE_INLINE bool isZeroOrNotFinite(double x) {
  return either(x == 0.0, !(abs(x) < infinity<double>()));
}

// A power of two that keeps the squares of numbers from overflow and underflow.
struct Scale {
  double scale, inverse;
};

HEDDLE_INLINE Scale scaleFor(double largest) {
  bool big = largest > 0x1p500, small = largest < 0x1p-450;
  return {big ? 0x1p-600 : small ? 0x1p600 : 1.0, big ? 0x1p600 : small ? 0x1p-600 : 1.0};
}

HEDDLE_INLINE Dd addSquare(Dd sum, double x) {
  Dd s = twoProd(x, x);
  return add(sum, s);
}

// The larger number; a NaN only when both are.
HEDDLE_INLINE double larger(double a, double b) { return either(a > b, isNan(b)) ? a : b; }

// The root of a sum of squares of numbers that were scaled.
HEDDLE_INLINE double rootOf(Dd sum, double inverse_scale) {
  double s = sqrt(sum.hi);
  double rest = fma(-s, s, sum.hi) + sum.lo;
  double r = s + select(s == 0.0, 0.0, rest * (0.5 / s));
  return r * inverse_scale;
}

HEDDLE_INLINE double inverseRootOf(Dd sum, double scale) {
  double y = 1.0 / sqrt(sum.hi);
  // 1 - sum * y^2, where sum.hi * y is near the root.
  Dd p = twoProd(sum.hi, y);
  double error = fma(-p.hi, y, 1.0) - fma(p.lo, y, sum.lo * y * y);
  double r = fma(0.5 * y, error, y);
  return select(isInf(y), y, r) * scale;
}

// The result for infinite numbers, whatever else there is, and otherwise for NaNs.
HEDDLE_INLINE double selectNorm(double largest, double sum, double infinite, double result) {
  double r = isNan(sum) ? sum : result;
  return isInf(largest) ? infinite : r;
}

template <typename... Rest> HEDDLE_INLINE double largestOf(double x, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return abs(x);
  else
    return larger(abs(x), largestOf(rest...));
}

template <typename... Numbers> HEDDLE_INLINE Dd squareSum(double scale, Numbers... x) {
  Dd sum = {0.0, 0.0};
  ((sum = addSquare(sum, x * scale)), ...);
  return sum;
}

template <typename... Numbers> HEDDLE_INLINE double normOf(Numbers... x) {
  double largest = largestOf(x...);
  Scale s = scaleFor(largest);
  double result = rootOf(squareSum(s.scale, x...), s.inverse);
  return selectNorm(largest, (x + ...), infinity<double>(), result);
}

template <typename... Numbers> HEDDLE_INLINE double inverseNormOf(Numbers... x) {
  double largest = largestOf(x...);
  Scale s = scaleFor(largest);
  double result = inverseRootOf(squareSum(s.scale, x...), s.scale);
  return selectNorm(largest, (x + ...), 0.0, result);
}

struct ArrayNorm {
  double largest, sum;
  Dd squares;
  Scale scale;
};

HEDDLE_INLINE ArrayNorm arrayNorm(int count, const double *x) {
  ArrayNorm n = {0.0, 0.0, {0.0, 0.0}, {1.0, 1.0}};
  for (int i = 0; i < count; ++i) {
    n.largest = larger(abs(x[i]), n.largest);
    n.sum = isNan(x[i]) ? x[i] : n.sum;
  }
  n.scale = scaleFor(n.largest);
  for (int i = 0; i < count; ++i)
    n.squares = addSquare(n.squares, x[i] * n.scale.scale);
  return n;
}

} // namespace

HEDDLE_API double __nv_sqrt(double x) { return sqrt(x); }

HEDDLE_API double __nv_rsqrt(double x) {
  // Near the limits the residual below would leave the range of doubles.
  double scale = x < 0x1p-1000 ? 0x1p100 : 1.0;
  double scaled = x * (scale * scale);
  double r = inverseRootOf({scaled, 0.0}, scale);
  r = select(either(x == 0.0, isInf(x)), 1.0 / sqrt(x), r);
  return x < 0.0 ? quietNan<double>() : r;
}

HEDDLE_API double __nv_cbrt(double x) {
  CubeParts p = splitForCubeRoot(abs(x));
  double y = inverseCubeRootEstimate(p.m);
  double c = p.m * y * y;
  // c - (c^3 - m) / (3 c^2), with c^3 in double-double and 1/c^2 from the estimate.
  Dd square = twoProd(c, c);
  Dd cube = twoProd(square.hi, c);
  double rest = (p.m - cube.hi) - fma(square.lo, c, cube.lo);
  double r = fma(rest, y * y * (1.0 / 3.0), c);
  return select(isZeroOrNotFinite(x), x + x, copysign(r * powerOfTwo(p.third), x));
}

HEDDLE_API double __nv_rcbrt(double x) {
  CubeParts p = splitForCubeRoot(abs(x));
  double y = inverseCubeRootEstimate(p.m);
  Dd square = twoProd(y, y);
  Dd cube = twoProd(square.hi, y);
  // 1 - m * y^3
  double rest = fma(-p.m, cube.hi, 1.0) - p.m * fma(square.lo, y, cube.lo);
  double r = fma(y * (1.0 / 3.0), rest, y);
  return select(isZeroOrNotFinite(x), 1.0 / x, copysign(r * powerOfTwo(-p.third), x));
}

HEDDLE_API double __nv_hypot(double x, double y) { return normOf(x, y); }
HEDDLE_API double __nv_norm3d(double x, double y, double z) { return normOf(x, y, z); }
HEDDLE_API double __nv_norm4d(double x, double y, double z, double w) { return normOf(x, y, z, w); }
HEDDLE_API double __nv_rhypot(double x, double y) { return inverseNormOf(x, y); }
HEDDLE_API double __nv_rnorm3d(double x, double y, double z) { return inverseNormOf(x, y, z); }
HEDDLE_API double __nv_rnorm4d(double x, double y, double z, double w) {
  return inverseNormOf(x, y, z, w);
}

HEDDLE_API double __nv_norm(int count, const double *x) {
  ArrayNorm n = arrayNorm(count, x);
  return selectNorm(n.largest, n.sum, infinity<double>(), rootOf(n.squares, n.scale.inverse));
}

HEDDLE_API double __nv_rnorm(int count, const double *x) {
  ArrayNorm n = arrayNorm(count, x);
  return selectNorm(n.largest, n.sum, 0.0, inverseRootOf(n.squares, n.scale.scale));
}
