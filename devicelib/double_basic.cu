// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding, comparing, classifying and taking apart doubles (CUDA Math API, "Double Precision
// Mathematical Functions"). All of these are exact.
#include "double_double.h"

using namespace heddle;

namespace {

// A finite nonzero number as fraction * 2^exponent with 1 <= |fraction| < 2.
struct Parts {
  double fraction;
  i32 exponent;
};

HEDDLE_INLINE Parts takeApart(double x) {
  bool subnormal = abs(x) < 0x1p-1022;
  u64 bits = bitsOf(subnormal ? x * 0x1p54 : x);
  i32 exponent = i32(u32(bits >> 52) & 0x7ff) - (subnormal ? 1023 + 54 : 1023);
  return {doubleOf((bits & 0x800fffffffffffff) | 0x3ff0000000000000), exponent};
}

HEDDLE_INLINE bool isZeroOrNotFinite(double x) {
  return either(x == 0.0, !(abs(x) < infinity<double>()));
}

HEDDLE_INLINE double multiplyByPowerOfTwo(double x, i32 n) {
  Parts p = takeApart(x);
  // Limits that keep the sum small and still overflow or underflow every number.
  i32 limited = n > 2200 ? 2200 : n < -2200 ? -2200 : n;
  i32 sum = p.exponent + limited;
  sum = sum > 1100 ? 1100 : sum < -1100 ? -1100 : sum;
  return select(isZeroOrNotFinite(x), x + x, scaleBy(p.fraction, double(sum)));
}

// Rounds half away from zero. The constant is the double below 1/2, with which no number just below
// a half is carried over it.
HEDDLE_INLINE double roundHalfAway(double x) {
  return trunc(x + copysign(0x1.fffffffffffffp-2, x));
}

// An integer-valued double as an integer: out of range it saturates, and a NaN becomes the smallest
// integer (PTX ISA, "cvt").
HEDDLE_INLINE i64 saturateToInteger(double x) {
  bool above = x >= 0x1p63, below = !(x >= -0x1p63);
  i64 r = i64(either(above, below) ? 0.0 : x);
  r = above ? 0x7fffffffffffffff : r;
  return below ? -0x7fffffffffffffff - 1 : r;
}

} // namespace

HEDDLE_API double __nv_fabs(double x) { return abs(x); }
HEDDLE_API double __nv_copysign(double x, double y) { return copysign(x, y); }
HEDDLE_API double __nv_fma(double x, double y, double z) { return fma(x, y, z); }

HEDDLE_API double __nv_floor(double x) { return floor(x); }
HEDDLE_API double __nv_ceil(double x) { return __builtin_ceil(x); }
HEDDLE_API double __nv_trunc(double x) { return trunc(x); }
HEDDLE_API double __nv_rint(double x) { return rint(x); }
HEDDLE_API double __nv_nearbyint(double x) { return rint(x); }
HEDDLE_API double __nv_round(double x) { return roundHalfAway(x); }
HEDDLE_API long long __nv_llrint(double x) { return saturateToInteger(rint(x)); }
HEDDLE_API long long __nv_llround(double x) { return saturateToInteger(roundHalfAway(x)); }

HEDDLE_API double __nv_fmax(double x, double y) { return __builtin_fmax(x, y); }
HEDDLE_API double __nv_fmin(double x, double y) { return __builtin_fmin(x, y); }

HEDDLE_API double __nv_fdim(double x, double y) {
  double difference = x - y;
  return x <= y ? 0.0 : difference;
}

HEDDLE_API int __nv_isnand(double x) { return isNan(x); }
HEDDLE_API int __nv_isinfd(double x) { return isInf(x); }
HEDDLE_API int __nv_isfinited(double x) { return abs(x) < infinity<double>(); }
HEDDLE_API int __nv_signbitd(double x) { return isNegative(x); }

HEDDLE_API double __nv_frexp(double x, int *exponent) {
  Parts p = takeApart(x);
  bool unchanged = isZeroOrNotFinite(x);
  *exponent = unchanged ? 0 : p.exponent + 1;
  return unchanged ? x + x : 0.5 * p.fraction;
}

HEDDLE_API double __nv_ldexp(double x, int n) { return multiplyByPowerOfTwo(x, n); }
HEDDLE_API double __nv_scalbn(double x, int n) { return multiplyByPowerOfTwo(x, n); }

HEDDLE_API int __nv_ilogb(double x) {
  i32 special = isInf(x) ? 0x7fffffff : -0x7fffffff - 1;
  return select(isZeroOrNotFinite(x), special, takeApart(x).exponent);
}

HEDDLE_API double __nv_logb(double x) {
  double special = select(x == 0.0, -infinity<double>(), x * x);
  return select(isZeroOrNotFinite(x), special, double(takeApart(x).exponent));
}

HEDDLE_API double __nv_modf(double x, double *whole) {
  double w = trunc(x);
  *whole = w;
  return copysign(isInf(x) ? 0.0 : x - w, x);
}

HEDDLE_API double __nv_nextafter(double x, double y) {
  u64 bits = bitsOf(x);
  bool away_from_zero = (x < y) == (x > 0.0);
  double next = doubleOf(away_from_zero ? bits + 1 : bits - 1);
  next = x == 0.0 ? copysign(0x1p-1074, y) : next;
  next = x == y ? y : next;
  return either(isNan(x), isNan(y)) ? x + y : next;
}

// The tag is a number as in C's strtoull; it becomes the payload of the NaN.
HEDDLE_API double __nv_nan(const signed char *tag) {
  u64 base = 10, payload = 0;
  if (*tag == '0') {
    ++tag;
    base = 8;
    if (*tag == 'x' || *tag == 'X') {
      ++tag;
      base = 16;
    }
  }
  for (; *tag; ++tag) {
    u32 lower_case = u32(*tag) | 0x20;
    u32 digit = *tag <= '9' ? u32(*tag) - '0' : lower_case - 'a' + 10;
    if (digit >= base) {
      payload = 0;
      break;
    }
    payload = payload * base + digit;
  }
  return doubleOf(0x7ff8000000000000 | (payload & 0x0007ffffffffffff));
}

// The reciprocal of the number whose high word is that of x and whose low word is 0, with the same
// form, and subnormals taken as zeros (PTX ISA, "rcp.approx.ftz.f64").
HEDDLE_API double __nv_rcp64h(double x) {
  constexpr u64 high_word = 0xffffffff00000000;
  double high = doubleOf(bitsOf(x) & high_word);
  high = select(abs(high) < 0x1p-1022, copysign(0.0, x), high);
  double r = 1.0 / high;
  r = select(abs(r) < 0x1p-1022, copysign(0.0, r), r);
  return select(isNan(x), x + x, doubleOf(bitsOf(r) & high_word));
}

// The same of the reciprocal square root ("rsqrt.approx.ftz.f64").
HEDDLE_API double __nv_rsqrt64h(double x) {
  constexpr u64 high_word = 0xffffffff00000000;
  double high = doubleOf(bitsOf(x) & high_word);
  high = select(abs(high) < 0x1p-1022, copysign(0.0, x), high);
  const double r = select(high == 0.0, copysign(__builtin_inf(), x), 1.0 / sqrt(high));
  return select(isNan(x), x + x, doubleOf(bitsOf(r) & high_word));
}
