// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hyperbolic functions of doubles and their inverses: within 1 ulp for cosh and tanh, 2 ulp for the
// others (CUDA C++ Programming Guide, "Mathematical Functions Appendix").
#include "double_exp_log.h"

using namespace heddle;

namespace {

// sinh(x) and cosh(x) for x >= 0, both times 2^(1-n).
struct SinhCosh {
  Dd sinh, cosh;
  double n;
};

HEDDLE_INLINE SinhCosh sinhCosh(double x) {
  ExpArgument a = splitExpArgument({x > 760.0 ? 760.0 : x, 0.0});
  Dd m = expm1Small(a.r, a.e);
  Dd e = fastTwoSum(1.0, m.hi);
  e = fastTwoSum(e.hi, e.lo + m.lo);
  Dd inverse = div({1.0, 0.0}, e);
  // exp(-x) * 2^-n = 2^(-2n) / e, which is nothing beside e long before the power underflows.
  double scale = powerOfTwo(-2.0 * (a.n > 400.0 ? 400.0 : a.n));
  Dd small = {scale * inverse.hi, scale * inverse.lo};
  // Where n is 0, e - 1/e is m + m/e: no cancellation for small x.
  Dd near_zero = add(m, mul(m, inverse));
  return {select(a.n == 0.0, near_zero, add(e, negate(small))), add(e, small), a.n};
}

HEDDLE_INLINE double limitSmallest(double result, double x) {
  // Below this sinh, tanh and their inverses are their argument.
  return select(abs(x) < 0x1p-28, x, result);
}

// log(1 + w), and log(2) more when the argument was too large to be doubled or squared.
HEDDLE_INLINE double inverseFromLog(Dd w, bool large) {
  Dd r = log1pOf(w);
  r = add(r, select(large, ln_2, Dd{0.0, 0.0}));
  return r.hi;
}

constexpr double large_argument = 0x1p60;

} // namespace

HEDDLE_API double __nv_sinh(double x) {
  SinhCosh r = sinhCosh(abs(x));
  return copysign(limitSmallest(scaleBy(r.sinh.hi, r.n - 1.0), abs(x)), x);
}

HEDDLE_API double __nv_cosh(double x) {
  SinhCosh r = sinhCosh(abs(x));
  return scaleBy(r.cosh.hi, r.n - 1.0);
}

HEDDLE_API double __nv_tanh(double x) {
  SinhCosh r = sinhCosh(abs(x));
  return copysign(limitSmallest(div(r.sinh, r.cosh).hi, abs(x)), x);
}

HEDDLE_API double __nv_asinh(double x) {
  double ax = abs(x);
  bool large = ax > large_argument;
  double limited = large ? 1.0 : ax;
  // x + sqrt(1 + x^2) - 1 = x + x^2 / (1 + sqrt(1 + x^2))
  Dd square = twoProd(limited, limited);
  Dd root = sqrt(add(square, 1.0));
  Dd w = add(div(square, add(root, 1.0)), limited);
  double r = inverseFromLog(select(large, Dd{ax, 0.0}, w), large);
  r = isInf(x) ? ax : r;
  return copysign(limitSmallest(r, ax), x);
}

HEDDLE_API double __nv_acosh(double x) {
  bool large = x > large_argument;
  double limited = large ? 1.0 : x;
  // With t = x - 1: x + sqrt(x^2 - 1) - 1 = t + sqrt(t * (t + 2))
  Dd t = twoSum(limited, -1.0);
  Dd w = add(sqrt(mul(t, add(t, 2.0))), t);
  double r = inverseFromLog(select(large, Dd{x, 0.0}, w), large);
  r = isInf(x) ? x : r;
  return x < 1.0 ? quietNan<double>() : r;
}

HEDDLE_API double __nv_atanh(double x) {
  double ax = abs(x);
  bool inside = ax < 1.0;
  double limited = inside ? ax : 0.5;
  Dd w = div({2.0 * limited, 0.0}, twoSum(1.0, -limited));
  double r = 0.5 * log1pOf(w).hi;
  r = copysign(limitSmallest(r, ax), x);
  double outside = select(ax == 1.0, copysign(infinity<double>(), x), quietNan<double>());
  return inside ? r : outside;
}
