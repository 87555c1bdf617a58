// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trigonometric functions of doubles and their inverses, within 2 ulp (CUDA C++ Programming Guide,
// "Mathematical Functions Appendix") for every argument, however large.
#include "double_trig.h"

using namespace heddle;

namespace {

HEDDLE_INLINE double xorSign(double x, double sign_source) {
  return doubleOf(bitsOf(x) ^ (bitsOf(sign_source) & 0x8000000000000000));
}

HEDDLE_INLINE SinCos sinCosPi(double x) {
  SinCos r = sinCosOf(reduceMultipleOfPi(abs(x)));
  // At multiples of pi the sine is a zero with the sign of x, and the cosine's zeros are positive.
  double sine = r.sin == 0.0 ? 0.0 : r.sin;
  return {xorSign(sine, x), r.cos + 0.0};
}

// The tangent as one division of sine by cosine, both in double-double.
HEDDLE_INLINE double tanOf(Angle a) {
  SinCosPair p = sinCosPairOf(a.r);
  bool swap = (a.quadrant & 1) != 0;
  Dd top = select(swap, negate(p.cos), p.sin), bottom = select(swap, p.sin, p.cos);
  double inverse = 1.0 / bottom.hi;
  double q = top.hi * inverse;
  return fma((fma(-q, bottom.hi, top.hi) + top.lo) - q * bottom.lo, inverse, q);
}

// atan(a / b) in double-double for 0 <= a <= b, b in the middle of the range of doubles. Above
// tan(pi/8) it is pi/4 + atan((a - b) / (a + b)).
HEDDLE_INLINE Dd atanOfRatio(double a, double b) {
  bool large = a > 0x1.a827999fcef32p-2 * b;
  Dd difference = fastTwoSum(-b, a), sum = fastTwoSum(b, a);
  Dd top = select(large, difference, Dd{a, 0.0}), bottom = select(large, sum, Dd{b, 0.0});
  double inverse = 1.0 / bottom.hi;
  double t = top.hi * inverse;
  double rest = ((fma(-t, bottom.hi, top.hi) + top.lo) - t * bottom.lo) * inverse;
  double z = t * t;
  double tail = poly(z, 0x1.0ad10221730d6p-6, -0x1.1b32a3266af2ep-5, 0x1.74dd67f0d3109p-5,
                     -0x1.ac7a7bd8f05c0p-5, 0x1.e19a10824a50bp-5, -0x1.110e87e6a8722p-4,
                     0x1.3b1392d7e8f74p-4, -0x1.745d165de250bp-4, 0x1.c71c71c3045bap-4,
                     -0x1.249249248d7e6p-3, 0x1.9999999999953p-3, -0x1.5555555555555p-2);
  Dd r = fastTwoSum(large ? 0.5 * half_pi.hi : 0.0, t);
  r = select(large, r, Dd{t, 0.0});
  return {r.hi, r.lo + (fma(t * z, tail, rest) + (large ? 0.5 * half_pi.lo : 0.0))};
}

// base - a
HEDDLE_INLINE Dd subtractFrom(Dd base, Dd a) {
  Dd s = fastTwoSum(base.hi, -a.hi);
  return {s.hi, s.lo + (base.lo - a.lo)};
}

// (asin(x) - x) / x^3 as a function of x^2, for |x| <= 1/2.
HEDDLE_INLINE double asinTail(double z) {
  return poly(z, 0x1.d72b2bc8155f8p-6, -0x1.e6aaa8a0a04ccp-7, 0x1.1d189408314eep-6,
              0x1.65a9c4dfcf8b2p-8, 0x1.52420b04b37bep-7, 0x1.782651caa6547p-7,
              0x1.c9cf07674736ap-7, 0x1.1c4d35cf95421p-6, 0x1.6e8bb1c8209a2p-6,
              0x1.f1c71c1db0623p-6, 0x1.6db6db6e31f13p-5, 0x1.3333333332ecap-4,
              0x1.5555555555556p-3);
}

// asin(s) for s = |x|, or above 1/2 for the s with asin(|x|) = pi/2 - 2*asin(s).
struct HalfAsin {
  bool large;
  double s, tail;
};

HEDDLE_INLINE HalfAsin halfAsin(double x) {
  double ax = abs(x);
  bool large = ax > 0.5;
  double z = large ? 0.5 * (1.0 - ax) : ax * ax;
  double s = large ? sqrt(z) : ax;
  return {large, s, s * z * asinTail(z)};
}

} // namespace

HEDDLE_API double __nv_sin(double x) { return xorSign(sinCosOf(reduceAngle(abs(x))).sin, x); }

HEDDLE_API double __nv_cos(double x) { return sinCosOf(reduceAngle(abs(x))).cos; }

HEDDLE_API void __nv_sincos(double x, double *sine, double *cosine) {
  SinCos r = sinCosOf(reduceAngle(abs(x)));
  *sine = xorSign(r.sin, x);
  *cosine = r.cos;
}

HEDDLE_API double __nv_tan(double x) { return xorSign(tanOf(reduceAngle(abs(x))), x); }

HEDDLE_API double __nv_sinpi(double x) { return sinCosPi(x).sin; }

HEDDLE_API double __nv_cospi(double x) { return sinCosPi(x).cos; }

HEDDLE_API void __nv_sincospi(double x, double *sine, double *cosine) {
  SinCos r = sinCosPi(x);
  *sine = r.sin;
  *cosine = r.cos;
}

HEDDLE_API double __nv_asin(double x) {
  HalfAsin h = halfAsin(x);
  Dd asin_s = fastTwoSum(h.s, h.tail);
  Dd large = subtractFrom(half_pi, {2.0 * asin_s.hi, 2.0 * asin_s.lo});
  return copysign(h.large ? large.hi + large.lo : asin_s.hi, x);
}

HEDDLE_API double __nv_acos(double x) {
  HalfAsin h = halfAsin(x);
  Dd asin_s = fastTwoSum(h.s, h.tail);
  Dd twice = {2.0 * asin_s.hi, 2.0 * asin_s.lo};
  Dd negative_large = subtractFrom(pi, twice);
  Dd small = subtractFrom(half_pi, {copysign(asin_s.hi, x), xorSign(asin_s.lo, x)});
  Dd r = select(h.large, select(x < 0.0, negative_large, twice), small);
  return r.hi + r.lo;
}

HEDDLE_API double __nv_atan(double x) {
  double ax = abs(x);
  bool large = ax > 1.0;
  // Beyond 2^60 only the limit is left; the bound keeps the ratio away from underflow.
  double b = ax > 0x1p60 ? 0x1p60 : ax;
  Dd r = atanOfRatio(large ? 1.0 : ax, large ? b : 1.0);
  r = select(large, subtractFrom(half_pi, r), r);
  double result = copysign(r.hi + r.lo, x);
  return isNan(x) ? x + x : result;
}

HEDDLE_API double __nv_atan2(double y, double x) {
  double ax = abs(x), ay = abs(y);
  bool steep = ay > ax;
  double a = steep ? ax : ay, b = steep ? ay : ax;
  // inf / inf counts as 1 / 1, and 0 / 0 as 0 / 1.
  bool b_infinite = isInf(b);
  a = b_infinite ? (isInf(a) ? 1.0 : 0.0) : a;
  b = either(b_infinite, b == 0.0) ? 1.0 : b;
  double scale = b > 0x1p1000 ? 0x1p-100 : b < 0x1p-900 ? 0x1p180 : 1.0;
  Dd r = atanOfRatio(a * scale, b * scale);
  r = select(steep, subtractFrom(half_pi, r), r);
  r = select(isNegative(x), subtractFrom(pi, r), r);
  double result = copysign(r.hi + r.lo, y);
  return either(isNan(x), isNan(y)) ? x + y : result;
}
