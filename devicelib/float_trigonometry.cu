// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision trigonometric functions: an argument is reduced to |r| <= pi/4 and the number of
// the quarter turn that it lies in, and both sine and cosine of r are computed.
#include "float_kernels.h"

using namespace heddle;

namespace {

struct Angle {
  float r;
  i32 quarter;
};
struct SinCos {
  float sin, cos;
};

// The bits of 2/pi after a word of zeros, which makes small shifts of the window possible.
HEDDLE_INLINE u32 wordOfTwoOverPi(i32 i) {
  u32 word = 0;
  word = i == 1 ? 0xa2f9836e : word;
  word = i == 2 ? 0x4e441529 : word;
  word = i == 3 ? 0xfc2757d1 : word;
  word = i == 4 ? 0xf534ddc0 : word;
  word = i == 5 ? 0xdb629599 : word;
  word = i == 6 ? 0x3c439041 : word;
  return i == 7 ? 0xfe5163ab : word;
}

// Reduction of large arguments (Payne and Hanek): of 2/pi only the 96 bits matter that are
// multiplied to between 2^1 and 2^-62 of a quarter turn.
HEDDLE_INLINE Angle reduceLarge(float x) {
  u32 bits = bitsOf(abs(x));
  u64 mantissa = (bits & 0x7fffff) | 0x800000;
  i32 position = i32(bits >> 23) - 120;
  i32 word = (position >> 5) & 7, shift = position & 31;
  u64 w0 = wordOfTwoOverPi(word), w1 = wordOfTwoOverPi(word + 1);
  u64 w2 = wordOfTwoOverPi(word + 2), w3 = wordOfTwoOverPi(word + 3);
  u64 high = u32(((w0 << 32 | w1) << shift) >> 32);
  u64 middle = u32(((w1 << 32 | w2) << shift) >> 32);
  u64 low = u32(((w2 << 32 | w3) << shift) >> 32);
  u64 turn = (mantissa * high << 32) + mantissa * middle + (mantissa * low >> 32);
  i32 quarter = i32((turn + (1ull << 61)) >> 62);
  float r = float(double(i64(turn << 2) >> 2) * 0x1.921fb54442d18p-62);
  bool finite = abs(x) < infinity<float>();
  return {finite ? (x < 0 ? -r : r) : quietNan<float>(), x < 0 ? -quarter : quarter};
}

// Cody and Waite's reduction, exact enough while the quarter's number has few bits.
HEDDLE_INLINE Angle reduceSmall(float x) {
  Nearest n = nearest(x, 0x1.45f306p-1f);
  float r = fma(n.value, -half_pi_high, x);
  r = fma(n.value, -half_pi_low, r);
  r = fma(n.value, 0x1.ee59dap-50f, r);
  return {r, n.integer};
}

HEDDLE_INLINE Angle reduce(float x) {
  Angle a = reduceSmall(x);
  // Rare, so a branch: a warp without such a lane skips it.
  if (__builtin_expect(abs(x) > 105615.0f, 0))
    a = reduceLarge(x);
  return a;
}

HEDDLE_INLINE SinCos kernel(float r) {
  float s = r * r;
  float p = poly(s, 0x1.77e1f8p-19f, -0x1.a04866p-13f, 0x1.111164p-7f, -0x1.555556p-3f);
  float q = poly(s, 0x1.99e91p-16f, -0x1.6c0c2ap-10f, 0x1.55554ap-5f, -0.5f);
  return {fma(r * s, p, r), fma(s, q, 1.0f)};
}

// The same for r * pi, |r| <= 1/4.
HEDDLE_INLINE SinCos kernelPi(float r) {
  float s = r * r;
  float p = poly(s, 0x1.4786p-4f, -0x1.32b826p-1f, 0x1.466b88p+1f, -0x1.4abbcep+2f);
  float q = poly(s, 0x1.d684aap-3f, -0x1.55b7cep+0f, 0x1.03c1b8p+2f, -0x1.3bd3ccp+2f);
  return {fma(r, pi_high, fma(r * s, p, r * pi_low)), fma(s, q, 1.0f)};
}

HEDDLE_INLINE float flipIf(bool flip, float x) { return floatOf(bitsOf(x) ^ (u32(flip) << 31)); }

// From the first quarter to the one that the angle lies in.
HEDDLE_INLINE SinCos turnBy(SinCos v, i32 quarter) {
  bool odd = quarter & 1;
  return {flipIf(quarter & 2, odd ? v.cos : v.sin), flipIf((quarter + 1) & 2, odd ? v.sin : v.cos)};
}

HEDDLE_INLINE SinCos sinCos(float x) {
  Angle a = reduce(x);
  SinCos v = turnBy(kernel(a.r), a.quarter);
  return {x == 0 ? x : v.sin, v.cos};
}

HEDDLE_INLINE SinCos sinCosPi(float x) {
  // Beyond 2^24 every float is an even integer; infinity becomes NaN.
  float y = abs(x) < 0x1p24f ? x : x * 0.0f;
  float n = rint(2.0f * y);
  float r = fma(n, -0.5f, y);
  i32 quarter = i32(n == n ? n : 0.0f);
  SinCos v = turnBy(kernelPi(r), quarter);
  // The zeros of sine have its argument's sign, those of cosine are positive.
  bool sin_zero = r == 0 && (quarter & 1) == 0;
  return {sin_zero ? copysign(0.0f, x) : v.sin, v.cos + 0.0f};
}

// A shorter reduction for the fast functions, whose error bound is absolute and holds for |x| <= pi
// (CUDA C++ Programming Guide, "Intrinsic Functions"). Far out only the range of the result is
// right.
HEDDLE_INLINE SinCos fastSinCos(float x) {
  Nearest n = nearest(x, 0x1.45f306p-1f);
  float r = fma(n.value, -half_pi_high, x);
  r = clamp(fma(n.value, -half_pi_low, r), -0.79f, 0.79f);
  return turnBy(kernel(r), n.integer);
}

// asin for |x| <= 1/2, given x and its square.
HEDDLE_INLINE float asinKernel(float x, float s) {
  return fma(
      x * s,
      poly(s, 0x1.5959aap-5f, 0x1.8c415ap-6f, 0x1.747b72p-5f, 0x1.330206p-4f, 0x1.5555c8p-3f), x);
}

// atan for |x| <= 1.
HEDDLE_INLINE float atanKernel(float x) {
  float s = x * x;
  return fma(x * s,
             poly(s, 0x1.7ec1c4p-9f, -0x1.0c23fep-6f, 0x1.61f756p-5f, -0x1.3553f4p-4f,
                  0x1.b4dfdcp-4f, -0x1.230abp-3f, 0x1.9978eep-3f, -0x1.5554dcp-2f),
             x);
}

} // namespace

HEDDLE_API float __nv_sinf(float x) { return sinCos(x).sin; }
HEDDLE_API float __nv_cosf(float x) { return sinCos(x).cos; }
HEDDLE_API void __nv_sincosf(float x, float *sin, float *cos) {
  SinCos v = sinCos(x);
  *sin = v.sin;
  *cos = v.cos;
}
HEDDLE_API float __nv_tanf(float x) {
  Angle a = reduce(x);
  SinCos v = kernel(a.r);
  bool odd = a.quarter & 1;
  float tangent = (odd ? -v.cos : v.sin) / (odd ? v.sin : v.cos);
  return x == 0 ? x : tangent;
}

HEDDLE_API float __nv_sinpif(float x) { return sinCosPi(x).sin; }
HEDDLE_API float __nv_cospif(float x) { return sinCosPi(x).cos; }
HEDDLE_API void __nv_sincospif(float x, float *sin, float *cos) {
  SinCos v = sinCosPi(x);
  *sin = v.sin;
  *cos = v.cos;
}

HEDDLE_API float __nv_fast_sinf(float x) { return fastSinCos(x).sin; }
HEDDLE_API float __nv_fast_cosf(float x) { return fastSinCos(x).cos; }
HEDDLE_API void __nv_fast_sincosf(float x, float *sin, float *cos) {
  SinCos v = fastSinCos(x);
  *sin = v.sin;
  *cos = v.cos;
}
HEDDLE_API float __nv_fast_tanf(float x) {
  SinCos v = fastSinCos(x);
  return v.sin / v.cos;
}

// Beyond 1/2, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
HEDDLE_API float __nv_asinf(float x) {
  float a = abs(x);
  bool large = a > 0.5f;
  float s = large ? fma(a, -0.5f, 0.5f) : a * a;
  float p = asinKernel(large ? sqrt(s) : a, s);
  float outer = fma(-2.0f, p, half_pi_high) + half_pi_low;
  return copysign(large ? outer : p, x);
}
HEDDLE_API float __nv_acosf(float x) {
  float a = abs(x);
  bool large = a > 0.5f;
  float s = large ? fma(a, -0.5f, 0.5f) : a * a;
  float p = asinKernel(large ? sqrt(s) : a, s);
  float outer = x < 0 ? pi_high - fma(2.0f, p, -pi_low) : 2.0f * p;
  float inner = half_pi_high - (copysign(p, x) - half_pi_low);
  return large ? outer : inner;
}

HEDDLE_API float __nv_atanf(float x) {
  float a = abs(x);
  bool large = a > 1.0f;
  float p = atanKernel(large ? 1.0f / a : a);
  return copysign(large ? half_pi_high - (p - half_pi_low) : p, x);
}
HEDDLE_API float __nv_atan2f(float y, float x) {
  float a = abs(x), b = abs(y);
  bool steep = b > a;
  float larger = steep ? b : a, smaller = steep ? a : b;
  float ratio = smaller / larger;
  // 0/0 counts as 0 and inf/inf as 1.
  ratio = larger == 0 ? 0.0f : smaller == infinity<float>() ? 1.0f : ratio;
  float p = atanKernel(ratio);
  p = steep ? half_pi_high - (p - half_pi_low) : p;
  p = isNegative(x) ? pi_high - (p - pi_low) : p;
  return isNan(x) || isNan(y) ? x + y : copysign(p, y);
}
