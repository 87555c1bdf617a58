// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exponential and the logarithm in double-double, for the functions that are built on them
// (powers, hyperbolic functions, gamma, error functions). Both split their argument so that a short
// polynomial on a small interval is enough: exp into 2^n * exp(r), log into n*log(2) + log(m).
#ifndef HEDDLE_DEVICELIB_DOUBLE_EXP_LOG_H
#define HEDDLE_DEVICELIB_DOUBLE_EXP_LOG_H

#include "double_double.h"

namespace heddle {

constexpr double log2_e = 0x1.71547652b82fep+0;
constexpr Dd ln_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

// (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2.
HEDDLE_INLINE double expTail2(double r) {
  return poly(r, 0x1.af38a0d2d9620p-26, 0x1.28917e2c43a66p-22, 0x1.71de0db21e27fp-19,
              0x1.a019b9133a48ap-16, 0x1.a01a01a7c327ap-13, 0x1.6c16c1788a49bp-10,
              0x1.11111111109b4p-7, 0x1.5555555553d67p-5, 0x1.5555555555556p-3, 0x1p-1);
}

// (exp(r) - 1 - r - r^2/2) / r^3 for |r| <= ln(2)/2.
HEDDLE_INLINE double expTail3(double r) {
  return poly(r, 0x1.1f66da6ee7eeap-29, 0x1.af38a0d2d9620p-26, 0x1.27e4e1f6a6779p-22,
              0x1.71de0db21e27fp-19, 0x1.a01a01a47a78fp-16, 0x1.a01a01a7c327ap-13,
              0x1.6c16c16c167e2p-10, 0x1.11111111109b4p-7, 0x1.5555555555555p-5,
              0x1.5555555555556p-3);
}

// exp(r + e) for |r| <= ln(2)/2 and |e| far below r.
HEDDLE_INLINE double expSmall(double r, double e) {
  Dd sum = fastTwoSum(1.0, r);
  return sum.hi + (sum.lo + fma(r * r, expTail2(r), e));
}

// exp(r + e) - 1 in double-double, with the ranges of expSmall.
HEDDLE_INLINE Dd expm1Small(double r, double e) {
  Dd half_square = twoProd(0.5 * r, r);
  double rest = fma(r * r * r, expTail3(r), fma(e, r, e));
  Dd sum = fastTwoSum(r, half_square.hi);
  return fastTwoSum(sum.hi, sum.lo + (half_square.lo + rest));
}

// An argument of exp as n*ln(2) + r + e, where e is below the last bit of r.
struct ExpArgument {
  double n, r, e;
};

HEDDLE_INLINE ExpArgument splitExpArgument(Dd x) {
  double n = fma(x.hi, log2_e, integer_shift) - integer_shift;
  Dd r = fastTwoSum(fma(-n, ln_2.hi, x.hi), fma(-n, ln_2.lo, x.lo));
  return {n, r.hi, r.lo};
}

// exp(x) for a double-double argument, with the right result for overflow and underflow.
HEDDLE_INLINE double expOf(Dd x) {
  bool in_range = !(abs(x.hi) > 800.0);
  ExpArgument a =
      splitExpArgument({in_range ? x.hi : copysign(800.0, x.hi), in_range ? x.lo : 0.0});
  return scaleBy(expSmall(a.r, a.e), a.n);
}

// A positive number as m * 2^n with m in [sqrt(1/2), sqrt(2)).
struct LogArgument {
  double m, n;
};

HEDDLE_INLINE LogArgument splitLogArgument(double x) {
  constexpr u64 sqrt_half = 0x3fe6a09e667f3bcd;
  bool subnormal = x < 0x1p-1022;
  u64 bits = bitsOf(subnormal ? x * 0x1p54 : x) + (0x3ff0000000000000 - sqrt_half);
  double biased = doubleOf(bits >> 52 | 0x4330000000000000) - (0x1p52 + 1023);
  return {doubleOf((bits & 0x000fffffffffffff) + sqrt_half), subnormal ? biased - 54.0 : biased};
}

// log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)): hi is exact to its last bit, lo has the rest to
// about 2^-57 of the whole. The series is the one in s = f / (2 + f).
HEDDLE_INLINE Dd log1pSmall(double f) {
  double s = f / (2.0 + f);
  double z = s * s;
  double tail = z * poly(z, 0x1.0c044ccf380aap-3, 0x1.0fbe84f5caccap-3, 0x1.3b1c35fbecd93p-3,
                         0x1.745cf90196560p-3, 0x1.c71c720160332p-3, 0x1.2492492476c8bp-2,
                         0x1.9999999999a38p-2, 0x1.5555555555555p-1);
  Dd half_square = twoProd(0.5 * f, f);
  Dd sum = fastTwoSum(f, -half_square.hi);
  return {sum.hi, fma(s, half_square.hi + tail, sum.lo - half_square.lo)};
}

// log(x) for positive finite x, within 1 ulp.
HEDDLE_INLINE double roundedLogOf(double x) {
  // log(2) with enough trailing zeros in hi that n * hi is exact.
  constexpr Dd short_ln_2 = {0x1.62e42fefa4000p-1, -0x1.8432a1b0e2634p-43};
  LogArgument a = splitLogArgument(x);
  Dd log_m = log1pSmall(a.m - 1.0);
  Dd sum = twoSum(a.n * short_ln_2.hi, log_m.hi);
  return sum.hi + (sum.lo + fma(a.n, short_ln_2.lo, log_m.lo));
}

// log(x) for positive finite x, to about 2^-65.
HEDDLE_INLINE Dd logOf(double x) {
  LogArgument a = splitLogArgument(x);
  double f = a.m - 1.0;
  Dd sum = fastTwoSum(1.0, a.m);
  double inverse = 1.0 / sum.hi;
  double s = f * inverse;
  double s_low = (fma(-s, sum.hi, f) - s * sum.lo) * inverse;
  Dd z = twoProd(s, s);
  z.lo = fma(2.0 * s, s_low, z.lo);
  // log(m) = 2s + s*z*(2/3 + z*(2/5 + ...)); the products are double-double as far as they matter.
  double tail = z.hi * poly(z.hi, 0x1.bedc792bacafdp-4, 0x1.ab83b15497320p-4, 0x1.e2029886fadb8p-4,
                            0x1.1110b8c856d25p-3, 0x1.3b13b261341c9p-3, 0x1.745d17437dda5p-3,
                            0x1.c71c71c71f25dp-3, 0x1.2492492492486p-2, 0x1.999999999999ap-2);
  Dd factor = fastTwoSum(0x1.5555555555555p-1, tail);
  factor.lo += 0x1.5555555555555p-55;
  Dd square_term = twoProd(z.hi, factor.hi);
  square_term.lo = fma(z.hi, factor.lo, fma(z.lo, factor.hi, square_term.lo));
  Dd cubic = twoProd(square_term.hi, s);
  cubic.lo = fma(square_term.lo, s, fma(square_term.hi, s_low, cubic.lo));
  // Each of these terms is 0 or greater than the next.
  Dd exponent = twoProd(ln_2.hi, a.n);
  Dd first = fastTwoSum(exponent.hi, 2.0 * s);
  Dd second = fastTwoSum(first.hi, cubic.hi);
  double low = fma(ln_2.lo, a.n, exponent.lo) + fma(2.0, s_low, cubic.lo);
  return fastTwoSum(second.hi, second.lo + (first.lo + low));
}

// log(x) for a positive double-double.
HEDDLE_INLINE Dd logOf(Dd x) {
  double relative = x.lo / x.hi;
  return add(logOf(x.hi), fma(-0.5 * relative, relative, relative));
}

// log(1 + x) for a double-double x > -1, precise also for small x.
HEDDLE_INLINE Dd log1pOf(Dd x) {
  Dd u = add(Dd{1.0, 0.0}, x);
  LogArgument a = splitLogArgument(u.hi);
  bool small = a.n == 0.0;
  // For n == 0 the fraction is x itself; otherwise 1 + x is scaled and 1 taken away, exactly.
  double unscale = powerOfTwo(a.n > 1000.0 ? -1000.0 : -a.n);
  Dd f = select(small, x, fastTwoSum(a.m - 1.0, u.lo * unscale));
  Dd log_m = log1pSmall(f.hi);
  double low = log_m.lo + f.lo * (1.0 - f.hi * (1.0 - f.hi));
  Dd exponent = mul(ln_2, a.n);
  Dd sum = twoSum(exponent.hi, log_m.hi);
  return fastTwoSum(sum.hi, sum.lo + (exponent.lo + low));
}

} // namespace heddle

#endif
