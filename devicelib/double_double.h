// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Double-double arithmetic: a number held as the unevaluated sum of two doubles, which gives about
// 106 bits. The double-precision functions keep their leading terms in it, so that the error of a
// result is little more than that of its last rounding.
#ifndef HEDDLE_DEVICELIB_DOUBLE_DOUBLE_H
#define HEDDLE_DEVICELIB_DOUBLE_DOUBLE_H

#include "common.h"

namespace heddle {

struct Dd {
  double hi, lo;
};

// "and" and "or" without the branches that && and || may become.
HEDDLE_INLINE bool both(bool a, bool b) { return (int(a) & int(b)) != 0; }
HEDDLE_INLINE bool either(bool a, bool b) { return (int(a) | int(b)) != 0; }

// c ? a : b with both evaluated: Clang compiles "?:" to a branch where an operand is an expression.
HEDDLE_INLINE double select(bool c, double a, double b) { return c ? a : b; }
HEDDLE_INLINE i32 select(bool c, i32 a, i32 b) { return c ? a : b; }
HEDDLE_INLINE Dd select(bool c, Dd a, Dd b) { return {c ? a.hi : b.hi, c ? a.lo : b.lo}; }

// a + b exactly, for |a| >= |b| or a == 0.
HEDDLE_INLINE Dd fastTwoSum(double a, double b) {
  double s = a + b;
  return {s, (a - s) + b};
}

// a + b exactly, for any a and b.
HEDDLE_INLINE Dd twoSum(double a, double b) {
  double s = a + b;
  double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

// a * b exactly.
HEDDLE_INLINE Dd twoProd(double a, double b) {
  double p = a * b;
  return {p, fma(a, b, -p)};
}

HEDDLE_INLINE Dd negate(Dd a) { return {-a.hi, -a.lo}; }

HEDDLE_INLINE Dd add(Dd a, double b) {
  Dd s = twoSum(a.hi, b);
  return fastTwoSum(s.hi, s.lo + a.lo);
}

HEDDLE_INLINE Dd add(Dd a, Dd b) {
  Dd s = twoSum(a.hi, b.hi);
  return fastTwoSum(s.hi, s.lo + (a.lo + b.lo));
}

HEDDLE_INLINE Dd mul(Dd a, double b) {
  Dd p = twoProd(a.hi, b);
  return fastTwoSum(p.hi, fma(a.lo, b, p.lo));
}

HEDDLE_INLINE Dd mul(Dd a, Dd b) {
  Dd p = twoProd(a.hi, b.hi);
  return fastTwoSum(p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi));
}

HEDDLE_INLINE Dd square(Dd a) {
  Dd p = twoProd(a.hi, a.hi);
  return fastTwoSum(p.hi, fma(2.0 * a.hi, a.lo, p.lo));
}

// a / b, with one division.
HEDDLE_INLINE Dd div(Dd a, Dd b) {
  double r = 1.0 / b.hi;
  double q = a.hi * r;
  double rest = (fma(-q, b.hi, a.hi) + a.lo) - q * b.lo;
  return fastTwoSum(q, rest * r);
}

// The square root of a positive number.
HEDDLE_INLINE Dd sqrt(Dd a) {
  double s = sqrt(a.hi);
  double rest = fma(-s, s, a.hi) + a.lo;
  return fastTwoSum(s, select(s == 0.0, 0.0, rest * (0.5 / s)));
}

// Adding this to |n| < 2^51 rounds n to an integer and leaves it in the low bits of the sum: a
// conversion that needs no integer instruction of the SIMD unit.
constexpr double integer_shift = 0x1.8p52;

HEDDLE_INLINE u64 lowBits(double n) { return bitsOf(n + integer_shift); }

// 2^n for an integer n in [-1022, 1023].
HEDDLE_INLINE double powerOfTwo(double n) { return doubleOf((lowBits(n) + 1023) << 52); }

// x * 2^n for an integer |n| <= 1200 and x near 1: in two halves, the first of which is exact, so
// that a subnormal result is rounded once.
HEDDLE_INLINE double scaleBy(double x, double n) {
  u64 bits = lowBits(n), half = bits >> 1;
  return x * doubleOf((half + 1023) << 52) * doubleOf((bits - half + 1023) << 52);
}

} // namespace heddle

#endif
