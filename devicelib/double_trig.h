// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sine and cosine of an angle reduced to [-pi/4, pi/4], and the reduction to it: for any finite
// double, the remainder by pi/2 to more than double precision, and the quadrant.
#ifndef HEDDLE_DEVICELIB_DOUBLE_TRIG_H
#define HEDDLE_DEVICELIB_DOUBLE_TRIG_H

#include "double_double.h"

namespace heddle {

constexpr Dd pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Dd half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// An angle as quadrant * pi/2 + r. Only the low two bits of the quadrant count.
struct Angle {
  Dd r;
  u64 quadrant;
};

struct SinCos {
  double sin, cos;
};

// The high half of a 64 by 64 bit product, in operations that a SIMD unit has.
HEDDLE_INLINE u64 mulHigh(u64 a, u64 b) {
  u64 a_low = u32(a), a_high = a >> 32, b_low = u32(b), b_high = b >> 32;
  u64 middle = a_high * b_low + (a_low * b_low >> 32);
  u64 middle2 = a_low * b_high + u32(middle);
  return a_high * b_high + (middle >> 32) + (middle2 >> 32);
}

// Reduction of x >= 2^45 (Payne and Hanek): with x = m * 2^e, only the bits of 2/pi around 2^-e
// decide the remainder of x * 2/pi by 4.
HEDDLE_INLINE Angle reduceHugeAngle(double x) {
  // The bits of 2/pi, after one word of zeros.
  static const u64 two_over_pi[] = {0,
                                    0xa2f9836e4e441529,
                                    0xfc2757d1f534ddc0,
                                    0xdb6295993c439041,
                                    0xfe5163abdebbc561,
                                    0xb7246e3a424dd2e0,
                                    0x06492eea09d1921c,
                                    0xfe1deb1cb129a73e,
                                    0xe88235f52ebb4484,
                                    0xe99c7026b45f7e41,
                                    0x3991d639835339f4,
                                    0x9c845f8bbdf9283b,
                                    0x1ff897ffde05980f,
                                    0xef2f118b5a0a6d1f,
                                    0x6d367ecf27cb09b7,
                                    0x4f463f669e5fea2d,
                                    0x7527bac7ebe5f17b,
                                    0x3d0739f78a5292ea,
                                    0x6bfb5fb11f8d5d08,
                                    0x56033046fc7b6bab,
                                    0xf0cfbc209af4361d};
  u64 bits = bitsOf(x);
  u64 m = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  // The first bit of 2/pi that matters: those before it give multiples of 4.
  u32 first = u32(bits >> 52 & 0x7ff) - 1075 - 2 + 64;
  u32 word = first >> 6 < 17 ? first >> 6 : 0;
  u32 shift = first & 63;
  u64 w0 = two_over_pi[word], w1 = two_over_pi[word + 1], w2 = two_over_pi[word + 2];
  u64 w3 = two_over_pi[word + 3];
  u64 high_bits = w0 << shift | (w1 >> 1) >> (63 - shift);
  u64 middle_bits = w1 << shift | (w2 >> 1) >> (63 - shift);
  u64 low_bits = w2 << shift | (w3 >> 1) >> (63 - shift);
  u64 low = m * middle_bits + mulHigh(m, low_bits);
  u64 carry = low < m * middle_bits ? 1 : 0;
  u64 high = m * high_bits + mulHigh(m, middle_bits) + carry;
  // high:low is now x * 2/pi modulo 4 as a fixed-point number with two bits before the point.
  u64 quadrant = (high >> 62) + (high >> 61 & 1);
  u64 fraction_high = high << 2 | low >> 62, fraction_low = low << 2;
  bool negative = i64(fraction_high) < 0;
  fraction_high = negative ? ~fraction_high + (fraction_low == 0 ? 1 : 0) : fraction_high;
  fraction_low = negative ? ~fraction_low + 1 : fraction_low;
  double a = double(i64(fraction_high >> 11)) * 0x1p-53;
  double b = double(i64((fraction_high & 0x7ff) << 42 | fraction_low >> 22)) * 0x1p-106;
  double c = double(i64(fraction_low & 0x3fffff)) * 0x1p-128;
  Dd fraction = fastTwoSum(a, b);
  Dd r = mul(half_pi, fastTwoSum(fraction.hi, fraction.lo + c));
  r = select(negative, negate(r), r);
  double invalid = x - x; // 0, or NaN for an infinity or a NaN
  return {{r.hi + invalid, r.lo}, quadrant};
}

// Reduction of x >= 0.
HEDDLE_INLINE Angle reduceAngle(double x) {
  if (!(x < 0x1p45))
    return reduceHugeAngle(x);
  double shifted = fma(x, 0x1.45f306dc9c883p-1, integer_shift);
  double n = shifted - integer_shift;
  double r = fma(-n, half_pi.hi, x); // exact
  Dd second = twoProd(n, half_pi.lo);
  Dd sum = twoSum(r, -second.hi);
  return {fastTwoSum(sum.hi, sum.lo - fma(n, -0x1.f1976b7ed8fbcp-110, second.lo)), bitsOf(shifted)};
}

// The angle pi * x for x >= 0.
HEDDLE_INLINE Angle reduceMultipleOfPi(double x) {
  double y = fma(-2.0, rint(0.5 * x), x);
  double n = rint(2.0 * y);
  double d = fma(-0.5, n, y); // exact
  Dd r = twoProd(d, pi.hi);
  return {{r.hi, fma(d, pi.lo, r.lo)}, lowBits(n)};
}

// (sin(r) - r) / r^3 and (cos(r) - 1 + r^2/2) / r^4 as functions of r^2.
HEDDLE_INLINE double sinTail(double z) {
  return poly(z, 0x1.5e0b09aba9d7fp-33, -0x1.ae600ad575592p-26, 0x1.71de37965ea29p-19,
              -0x1.a01a019e83896p-13, 0x1.1111111110bb2p-7, -0x1.5555555555555p-3);
}
HEDDLE_INLINE double cosTail(double z) {
  return poly(z, -0x1.907d9316a965fp-37, 0x1.1eeb68d2958ddp-29, -0x1.27e4fa17c44e0p-22,
              0x1.a01a019f4e9f4p-16, -0x1.6c16c16c16967p-10, 0x1.5555555555555p-5);
}

// Sine and cosine of r itself, in double-double.
struct SinCosPair {
  Dd sin, cos;
};

HEDDLE_INLINE SinCosPair sinCosPairOf(Dd r) {
  Dd z = twoProd(r.hi, r.hi);
  Dd sine = fastTwoSum(r.hi, fma(r.hi * z.hi, sinTail(z.hi), r.lo * fma(-0.5, z.hi, 1.0)));
  Dd cosine = fastTwoSum(1.0, -0.5 * z.hi);
  double tail = fma(z.hi * z.hi, cosTail(z.hi), fma(-0.5, z.lo, -r.hi * r.lo));
  return {sine, fastTwoSum(cosine.hi, cosine.lo + tail)};
}

// x with its sign changed where bit 1 of the number is set.
HEDDLE_INLINE double negateByBit1(double x, u64 number) {
  return doubleOf(bitsOf(x) ^ (number & 2) << 62);
}

HEDDLE_INLINE SinCos sinCosOf(Angle a) {
  double r = a.r.hi, z = r * r;
  double sine = r + fma(r * z, sinTail(z), a.r.lo * fma(-0.5, z, 1.0));
  double half = 0.5 * z, w = 1.0 - half;
  double cosine = w + (((1.0 - w) - half) + fma(z * z, cosTail(z), -r * a.r.lo));
  bool swap = (a.quadrant & 1) != 0;
  return {negateByBit1(swap ? cosine : sine, a.quadrant),
          negateByBit1(swap ? sine : cosine, a.quadrant + 1)};
}

} // namespace heddle

#endif
