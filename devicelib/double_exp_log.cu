// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exponentials, logarithms and powers of doubles, within the bounds of the CUDA C++ Programming
// Guide, "Mathematical Functions Appendix": 1 ulp, and 2 for pow.
#include "double_exp_log.h"

using namespace heddle;

namespace {

// x limited to where an exponential is neither 0 nor infinite, with a margin. A NaN stays.
HEDDLE_INLINE double clamp(double x, double limit) {
  return abs(x) > limit ? copysign(limit, x) : x;
}

// What logarithms share: -inf at 0, NaN below, and inf and NaN returned as they are.
HEDDLE_INLINE double selectLog(double x, double result) {
  double r = x < infinity<double>() ? result : x + x;
  r = x == 0.0 ? -infinity<double>() : r;
  return x < 0.0 ? quietNan<double>() : r;
}

// log(x) * scale, where unit is log(2) * scale and has enough trailing zeros in hi that n * hi is
// exact.
HEDDLE_INLINE double logTimes(double x, Dd scale, Dd unit) {
  LogArgument a = splitLogArgument(x);
  Dd log_m = log1pSmall(a.m - 1.0);
  Dd scaled = twoProd(log_m.hi, scale.hi);
  double low = scaled.lo + fma(log_m.lo, scale.hi, (log_m.hi + log_m.lo) * scale.lo);
  Dd sum = twoSum(a.n * unit.hi, scaled.hi);
  return selectLog(x, sum.hi + (sum.lo + fma(a.n, unit.lo, low)));
}

// |x|^y for 0 < |x| < inf.
HEDDLE_INLINE double positivePow(double ax, double y) {
  Dd log_x = logOf(ax);
  // Beyond this exponent every base but 1 overflows or underflows.
  double yc = clamp(y, 0x1p65);
  Dd product = twoProd(yc, log_x.hi);
  return expOf({product.hi, fma(yc, log_x.lo, product.lo)});
}

HEDDLE_INLINE double powOf(double x, double y) {
  double ax = abs(x);
  bool y_is_integer = trunc(y) == y;
  double half = 0.5 * y;
  bool y_is_odd = both(y_is_integer, trunc(half) != half);
  double r = positivePow(ax, y);
  r = either(ax == 0.0, isInf(ax)) ? ((ax == 0.0) == (y > 0.0) ? 0.0 : infinity<double>()) : r;
  r = both(isNegative(x), y_is_odd) ? -r : r;
  r = both(x < 0.0, !either(y_is_integer, isInf(x))) ? quietNan<double>() : r;
  r = either(isNan(x), isNan(y)) ? x + y : r;
  return either(x == 1.0, y == 0.0) ? 1.0 : r;
}

} // namespace

HEDDLE_API double __nv_exp(double x) {
  ExpArgument a = splitExpArgument({clamp(x, 760.0), 0.0});
  return scaleBy(expSmall(a.r, a.e), a.n);
}

HEDDLE_API double __nv_exp2(double x) {
  double xc = clamp(x, 1100.0);
  double n = rint(xc);
  double r = xc - n;
  double p = r * ln_2.hi;
  double e = fma(r, ln_2.hi, -p) + r * ln_2.lo;
  return scaleBy(expSmall(p, e), n);
}

HEDDLE_API double __nv_exp10(double x) {
  constexpr Dd ln_10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
  constexpr Dd log10_2 = {0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};
  double xc = clamp(x, 330.0);
  double n = rint(xc * 0x1.a934f0979a371p+1);
  // 10^x = 2^n * 10^d, with d known to more than double precision.
  double d = fma(-n, log10_2.hi, xc);
  double d_low = -n * log10_2.lo;
  double p = d * ln_10.hi;
  double e = fma(d, ln_10.hi, -p) + fma(d, ln_10.lo, d_low * ln_10.hi);
  Dd r = fastTwoSum(p, e);
  return scaleBy(expSmall(r.hi, r.lo), n);
}

HEDDLE_API double __nv_expm1(double x) {
  ExpArgument a = splitExpArgument({clamp(x, 710.0), 0.0});
  Dd m = expm1Small(a.r, a.e);
  // 2^n*(m + 1) - 1, with half of 2^n so that it is finite up to the largest result.
  double scale = powerOfTwo((a.n < -1000.0 ? -1000.0 : a.n) - 1.0);
  Dd offset = fastTwoSum(scale, -0.5);
  Dd sum = twoSum(offset.hi, scale * m.hi);
  double r = 2.0 * (sum.hi + fma(scale, m.lo, sum.lo + offset.lo));
  r = a.n == 0.0 ? m.hi + m.lo : r;
  return copysign(r, x);
}

HEDDLE_API double __nv_log(double x) { return selectLog(x, roundedLogOf(x)); }

HEDDLE_API double __nv_log2(double x) {
  return logTimes(x, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}, {1.0, 0.0});
}

HEDDLE_API double __nv_log10(double x) {
  return logTimes(x, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57},
                  {0x1.34413509f8000p-2, -0x1.80433b83b532ap-44});
}

HEDDLE_API double __nv_log1p(double x) {
  Dd r = log1pOf({x, 0.0});
  return copysign(selectLog(1.0 + x, r.hi), x);
}

HEDDLE_API double __nv_pow(double x, double y) { return powOf(x, y); }

HEDDLE_API double __nv_powi(double x, int n) { return powOf(x, double(n)); }
