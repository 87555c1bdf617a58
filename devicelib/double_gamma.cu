// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gamma function of doubles and its logarithm, within 10 ulp and 4 ulp (CUDA C++ Programming
// Guide, "Mathematical Functions Appendix"; for lgamma outside (-11, -2.26), where it has zeros).
#include "double_exp_log.h"
#include "double_trig.h"

using namespace heddle;

namespace {

// log(gamma(x + 10)) for x < 10 and log(gamma(x)) above, in double-double: Stirling's series.
HEDDLE_INLINE Dd stirling(double x) {
  constexpr Dd half_log_two_pi = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
  Dd y = select(x < 10.0, twoSum(x, 10.0), Dd{x, 0.0});
  Dd main = add(mul(logOf(y), add(y, -0.5)), negate(y));
  double inverse = 1.0 / y.hi;
  double z = inverse * inverse;
  double series =
      inverse * poly(z, -0x1.80d9b6a8f212ep-6, 0x1.9e027768ce529p-8, -0x1.f677b5e4719e7p-10,
                     0x1.b9516963cb8cfp-11, -0x1.381380e9c5b5ep-11, 0x1.a01a01a00116ep-11,
                     -0x1.6c16c16c16c0bp-9, 0x1.5555555555555p-4);
  return add(add(main, half_log_two_pi), series);
}

// (x + 1)(x + 2)...(x + 9) for 0 <= x < 10: gamma(x + 10) / (x * gamma(x)). 1 / x above.
HEDDLE_INLINE Dd shiftProduct(double x) {
  bool shift = x < 10.0;
  double limited = shift ? x : 1.0;
  Dd last = twoSum(limited, 9.0);
  Dd q = mul(last, limited);
  Dd p = mul(mul(add(q, 8.0), add(q, 14.0)), mul(add(q, 18.0), add(q, 20.0)));
  return select(shift, mul(p, last), div({1.0, 0.0}, {shift ? 1.0 : x, 0.0}));
}

// |sin(pi * x)| for x >= 0, and its sign.
struct SignedDd {
  Dd value;
  bool negative;
};

HEDDLE_INLINE SignedDd sinPi(double x) {
  Angle a = reduceMultipleOfPi(x);
  SinCosPair p = sinCosPairOf(a.r);
  Dd s = select((a.quadrant & 1) != 0, p.cos, p.sin);
  bool flip = s.hi < 0.0;
  return {select(flip, negate(s), s), ((a.quadrant & 2) != 0) != flip};
}

HEDDLE_INLINE double limit(double x, double largest) { return x > largest ? largest : x; }

HEDDLE_INLINE bool isPole(double x) { return both(x <= 0.0, trunc(x) == x); }

// log(gamma(x)) for 0 < x < 3. With t in [0, 1], log(gamma(1 + t)) = t * (t - 1) * R(t).
HEDDLE_INLINE Dd logGammaBelow3(double x) {
  double t = x - (x < 1.0 ? 0.0 : x < 2.0 ? 1.0 : 2.0);
  double ratio = poly(t - 0.5, 0x1.8ca55ab6b8718p-17, -0x1.36d84fee907ffp-16, 0x1.c7d009a4fae3ap-17,
                      -0x1.6880fac68f031p-16, 0x1.672b94917149fp-15, -0x1.1cf3272629995p-14,
                      0x1.ba26ce28a34b0p-14, -0x1.61854b057e6e9p-13, 0x1.1c7b46046a59cp-12,
                      -0x1.cb502b140a127p-12, 0x1.750aa27fe4301p-11, -0x1.313e5323120b7p-10,
                      0x1.f814b951d538bp-10, -0x1.a5035375acabep-9, 0x1.64f0664fb6518p-8,
                      -0x1.34dbda128eee5p-7, 0x1.133423527ae27p-6, -0x1.007aa83cef9abp-5,
                      0x1.01af62a2929e1p-4, -0x1.2aed059bd6085p-3, 0x1.eeb95b094c191p-2);
  Dd base = mul(mul(twoSum(t, -1.0), ratio), t);
  // gamma(x) = gamma(1 + x) / x = gamma(x - 1) * (x - 1)
  Dd log_factor = logOf(x < 1.0 ? x : x < 2.0 ? 1.0 : x - 1.0);
  return add(select(x < 1.0, negate(log_factor), log_factor), base);
}

// log(gamma(x)) for x >= 3.
HEDDLE_INLINE Dd logGammaFrom3(double x) {
  Dd product = mul(shiftProduct(x), x);
  Dd r = add(stirling(x), negate(logOf(product)));
  // Here only x * (log(x) - 1) counts, and the double-double parts would overflow.
  bool huge = x > 0x1p900;
  return select(huge, Dd{x * (roundedLogOf(x) - 1.0), 0.0}, r);
}

HEDDLE_INLINE Dd logGammaOf(double x) {
  if (x < 3.0)
    return logGammaBelow3(x);
  return logGammaFrom3(x);
}

} // namespace

HEDDLE_API double __nv_tgamma(double x) {
  double ax = limit(abs(x), 200.0);
  bool negative = x < 0.0;
  Dd log_gamma = stirling(ax);
  Dd product = shiftProduct(ax);
  // gamma(-x) = -pi / (sin(pi * x) * x * gamma(x)); below -140 with a factor of 2^200 more, so that
  // a subnormal result is rounded only at the end.
  bool tiny = both(negative, ax > 140.0);
  log_gamma = add(log_gamma, select(tiny, mul(ln_2, -200.0), Dd{0.0, 0.0}));
  double power = expOf(select(negative, negate(log_gamma), log_gamma));
  SignedDd sine = sinPi(abs(x));
  double reflected = power * (mul(product, pi).hi / sine.value.hi) * (tiny ? 0x1p-200 : 1.0);
  reflected = sine.negative ? reflected : -reflected;
  double direct = power / mul(product, ax).hi;
  // Next to zero the product is subnormal, and above 171.7 only infinity is left.
  direct = select(ax < 0x1p-60, 1.0 / ax, direct);
  reflected = select(ax < 0x1p-60, -1.0 / ax, reflected);
  double r = select(negative, reflected, direct);
  r = select(isPole(x), select(x == 0.0, copysign(infinity<double>(), x), quietNan<double>()), r);
  return select(isNan(x), x + x, r);
}

HEDDLE_API double __nv_lgamma(double x) {
  double ax = abs(x);
  bool regular = both(ax > 0x1p-60, ax < infinity<double>());
  double limited = regular ? ax : 1.0;
  Dd r = logGammaOf(limited);
  if (x < 0.0) {
    constexpr Dd log_pi = {0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57};
    Dd denominator = mul(sinPi(limited).value, limited);
    denominator = select(denominator.hi > 0.0, denominator, Dd{1.0, 0.0});
    r = add(add(log_pi, negate(logOf(denominator))), negate(r));
  }
  double near_zero = -roundedLogOf(regular ? 1.0 : ax);
  double result = select(regular, r.hi + r.lo, near_zero);
  result = select(either(isInf(x), isPole(x)), infinity<double>(), result);
  return select(isNan(x), x + x, result);
}
