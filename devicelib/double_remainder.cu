// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders of doubles, exact whatever the quotient. A quotient below 2^51 takes one step of the
// loop, larger ones one for each 51 bits.
#include "double_double.h"

using namespace heddle;

namespace {

// x modulo y, at least 0 and less than y, and the low bits of the truncated quotient (at least 3).
struct Modulo {
  double rest;
  u32 quotient;
};

// The exponent of a finite positive number.
HEDDLE_INLINE i32 exponentOf(double x) {
  bool subnormal = x < 0x1p-1022;
  return i32(bitsOf(subnormal ? x * 0x1p54 : x) >> 52) - (subnormal ? 1023 + 54 : 1023);
}

HEDDLE_INLINE Modulo moduloOf(double x, double y) {
  Modulo m = {x, 0};
  i32 y_exponent = exponentOf(y);
  while (m.rest >= y) {
    i32 shift = exponentOf(m.rest) - y_exponent - 51;
    shift = shift > 0 ? shift : 0;
    // y * 2^shift is at most m.rest, so that the steps are exact.
    i32 third = shift / 3;
    double scale = exp2Int(i64(third));
    double divisor = y * scale * scale * exp2Int(i64(shift - 2 * third));
    double quotient = trunc(m.rest / divisor);
    double rest = fma(-quotient, divisor, m.rest);
    // The division may have rounded up to the next integer.
    bool over = rest < 0.0;
    m.rest = over ? rest + divisor : rest;
    u32 low_bits = u32(bitsOf(quotient + 0x1p52)) - (over ? 1 : 0);
    m.quotient += shift < 32 ? low_bits << shift : 0;
  }
  return m;
}

HEDDLE_INLINE bool isValid(double x, double y) {
  return both(abs(x) < infinity<double>(), both(y != 0.0, !isNan(y)));
}

// x - n*y for the integer n nearest to x / y, the even one of two, and n's low bits.
HEDDLE_INLINE Modulo remainderOf(double x, double y) {
  double ay = abs(y);
  bool valid = isValid(x, y);
  Modulo m = moduloOf(valid ? abs(x) : 0.0, valid ? ay : 1.0);
  double twice = m.rest + m.rest;
  bool up = either(twice > ay, both(twice == ay, (m.quotient & 1) != 0));
  double rest = up ? m.rest - ay : m.rest;
  rest = doubleOf(bitsOf(rest) ^ (bitsOf(x) & 0x8000000000000000));
  // A result of zero has the sign of x.
  rest = rest == 0.0 ? copysign(0.0, x) : rest;
  return {valid ? rest : quietNan<double>(), valid ? m.quotient + (up ? 1 : 0) : 0};
}

} // namespace

HEDDLE_API double __nv_fmod(double x, double y) {
  bool valid = isValid(x, y);
  Modulo m = moduloOf(valid ? abs(x) : 0.0, valid ? abs(y) : 1.0);
  return valid ? copysign(m.rest, x) : quietNan<double>();
}

HEDDLE_API double __nv_remainder(double x, double y) { return remainderOf(x, y).rest; }

HEDDLE_API double __nv_remquo(double x, double y, int *quotient) {
  Modulo m = remainderOf(x, y);
  i32 low_bits = i32(m.quotient & 7);
  *quotient = isNegative(x) != isNegative(y) ? -low_bits : low_bits;
  return m.rest;
}
