// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exponential and logarithm in single precision, in the pieces that several functions are made of:
// the argument's power of two, kept apart as an integer, and a polynomial for the rest. The
// polynomials are minimax ones with float coefficients.
#ifndef HEDDLE_DEVICELIB_FLOAT_KERNELS_H
#define HEDDLE_DEVICELIB_FLOAT_KERNELS_H

#include "common.h"

namespace heddle {

constexpr float ln2_high = 0x1.62e43p-1f, ln2_low = -0x1.05c61p-29f;
constexpr float log2_e = 0x1.715476p+0f;
// ln2 with its last bits zero, so that its products with exponents are exact, and the rest of it.
constexpr float ln2_short = 0x1.62ep-1f, ln2_rest = 0x1.0bfbe8p-15f;
constexpr float pi_high = 0x1.921fb6p+1f, pi_low = -0x1.777a5cp-24f;
constexpr float half_pi_high = 0x1.921fb6p+0f, half_pi_low = -0x1.777a5cp-25f;

// value * 2^exponent. A function that returns it leaves over- and underflow to its caller.
struct Scaled {
  float value;
  i32 exponent;
};

// Scaling in two steps lets the second one overflow, or round to a denormal, once.
HEDDLE_INLINE float product(Scaled x) {
  i32 half = x.exponent >> 1;
  return x.value * exp2Int(half) * exp2Int(x.exponent - half);
}

// Nearest integer by adding 1.5 * 2^23, for |x| < 2^22. Unlike a conversion this is defined for
// NaN, which gives NaN and some integer.
struct Nearest {
  float value;
  i32 integer;
};
HEDDLE_INLINE Nearest nearest(float x, float factor) {
  float shifted = fma(x, factor, 0x1.8p23f);
  return {shifted - 0x1.8p23f, i32(bitsOf(shifted) - 0x4b400000u)};
}

HEDDLE_INLINE float clamp(float x, float low, float high) {
  float capped = x > high ? high : x;
  return capped < low ? low : capped;
}

// e^x for |x| < 2^20.
HEDDLE_INLINE Scaled expParts(float x) {
  Nearest n = nearest(x, log2_e);
  float r = fma(n.value, -ln2_high, x);
  r = fma(n.value, -ln2_low, r);
  float p = poly(r, 0x1.694cd2p-10f, 0x1.123988p-7f, 0x1.555a26p-5f, 0x1.555492p-3f, 0x1.fffffap-2f,
                 1.0f, 1.0f);
  return {p, n.integer};
}

// 2^x for |x| < 2^22.
HEDDLE_INLINE Scaled exp2Parts(float x) {
  Nearest n = nearest(x, 1.0f);
  float r = x - n.value;
  float p = poly(r, 0x1.3f9068p-13f, 0x1.5f0a66p-10f, 0x1.3b30bp-7f, 0x1.c6af78p-5f, 0x1.ebfbd8p-3f,
                 0x1.62e43p-1f, 1.0f);
  return {p, n.integer};
}

// x = (1 + fraction) * 2^exponent with 1 + fraction between sqrt(1/2) and sqrt(2).
struct LogParts {
  float fraction;
  float exponent;
};

HEDDLE_INLINE i32 logExponent(float x) { return i32(bitsOf(x) - 0x3f3504f3u) >> 23; }

HEDDLE_INLINE LogParts logParts(float x) {
  bool denormal = x < 0x1p-126f;
  float y = denormal ? x * 0x1p24f : x;
  i32 k = logExponent(y);
  float m = floatOf(bitsOf(y) - (u32(k) << 23));
  return {m - 1.0f, float(k - (denormal ? 24 : 0))};
}

// The same for 1 + x, without losing the digits of a small x. For x > -1.
HEDDLE_INLINE LogParts log1pParts(float x) {
  float y = 1.0f + x;
  i32 k = logExponent(y);
  float scale = exp2Int(k > 40 ? -40 : -k);
  float fraction = fma(x, scale, scale - 1.0f);
  float m = floatOf(bitsOf(y) - (u32(k) << 23));
  return {k > 40 ? m - 1.0f : fraction, float(k)};
}

HEDDLE_INLINE float naturalLog(LogParts p) {
  float f = p.fraction, k = p.exponent;
  float q = poly(f, -0x1.3e520ep-4f, 0x1.05ea88p-3f, -0x1.0cc0bep-3f, 0x1.22b59ap-3f,
                 -0x1.547f44p-3f, 0x1.99a25cp-3f, -0x1.00023p-2f, 0x1.55555p-2f, -0x1.fffffep-2f);
  float high = fma(k, ln2_short, f);
  float low = fma(k, ln2_rest, f - (high - k * ln2_short));
  return high + fma(f * f, q, low);
}

// `value` for 0 < x < inf, and what every logarithm is elsewhere.
HEDDLE_INLINE float logSpecial(float x, float value) {
  float other = x == 0 ? -infinity<float>() : x + x;
  other = x < 0 ? quietNan<float>() : other;
  bool ordinary = (x > 0) & (x < infinity<float>());
  return ordinary ? value : other;
}

} // namespace heddle

#endif
