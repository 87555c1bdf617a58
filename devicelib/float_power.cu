// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision powers, roots and lengths of vectors.
#include "float_kernels.h"

using namespace heddle;

namespace {

// log2 of a positive finite float to some 35 bits, which y * log2(x) needs before it is split into
// an integer and a fraction. Doubles are the cheapest way to hold so many.
HEDDLE_INLINE double log2Wide(float x) {
  bool denormal = x < 0x1p-126f;
  float y = denormal ? x * 0x1p24f : x;
  i32 k = logExponent(y);
  double f = floatOf(bitsOf(y) - (u32(k) << 23)) - 1.0f;
  double p =
      poly(f, 0x1.3cc9c119806c7p-4, -0x1.248113fc216afp-3, 0x1.2875b605afa3bp-3,
           -0x1.25314f2108beap-3, 0x1.4528be18153a4p-3, -0x1.71413cd886e6dp-3, 0x1.a63f487b333fdp-3,
           -0x1.ec72b7ceb3295p-3, 0x1.277651f04b195p-2, -0x1.71547092b137fp-2, 0x1.ec709ebbb2472p-2,
           -0x1.715476566039fp-1, 0x1.71547652a1e5fp+0);
  return fma(f, p, double(k - (denormal ? 24 : 0)));
}

// Scaling a vector by its largest component, so that squares neither overflow nor vanish.
struct VectorScale {
  float scale, inverse;
};
HEDDLE_INLINE VectorScale scaleFor(float largest) {
  bool huge = largest > 0x1p60f, tiny = largest < 0x1p-60f;
  return {huge ? 0x1p-70f : tiny ? 0x1p90f : 1.0f, huge ? 0x1p70f : tiny ? 0x1p-90f : 1.0f};
}

HEDDLE_INLINE float larger(float a, float b) { return a > b ? a : b; }

// The length of (a, b, c, d) is root * inverse; an infinite component makes it infinite even if
// another one is NaN.
struct Length {
  float root;
  VectorScale by;
  bool infinite;
};
HEDDLE_INLINE Length length(float a, float b, float c, float d) {
  a = abs(a), b = abs(b), c = abs(c), d = abs(d);
  VectorScale by = scaleFor(larger(larger(a, b), larger(c, d)));
  float x = a * by.scale, y = b * by.scale, z = c * by.scale, w = d * by.scale;
  float sum = fma(x, x, fma(y, y, fma(z, z, w * w)));
  float inf = infinity<float>();
  return {sqrt(sum), by, a == inf || b == inf || c == inf || d == inf};
}
HEDDLE_INLINE float norm(float a, float b, float c, float d) {
  Length n = length(a, b, c, d);
  return n.infinite ? infinity<float>() : n.root * n.by.inverse;
}
HEDDLE_INLINE float reciprocalNorm(float a, float b, float c, float d) {
  Length n = length(a, b, c, d);
  return n.infinite ? 0.0f : 1.0f / n.root * n.by.scale;
}

// The sum of squares cannot overflow in double.
HEDDLE_INLINE double sumOfSquares(int dimensions, const float *v, bool &infinite) {
  double sum = 0;
  infinite = false;
  for (int i = 0; i < dimensions; ++i) {
    sum = fma(double(v[i]), double(v[i]), sum);
    infinite = infinite || isInf(v[i]);
  }
  return sum;
}

// Halley's iteration for 1/cbrt(x).
HEDDLE_INLINE float refineCubeRoot(float x, float y) {
  float e = fma(-(x * y), y * y, 1.0f);
  return fma(y * e, fma(e, 2.0f / 9.0f, 1.0f / 3.0f), y);
}

// 1/cbrt of a normal positive float: a guess from the exponent, two iterations, and a last one with
// the residual in twice the precision.
HEDDLE_INLINE float reciprocalCubeRoot(float x) {
  float third = float(i32(bitsOf(x))) * (1.0f / 3.0f);
  float y = floatOf(0x54a21d2au - u32(i32(third)));
  y = refineCubeRoot(x, y);
  y = refineCubeRoot(x, y);
  float u = x * y, u_error = fma(x, y, -u), t = y * y, t_error = fma(y, y, -t);
  float e = fma(-u, t, 1.0f) - fma(u, t_error, u_error * t);
  return fma(y * e, 1.0f / 3.0f, y);
}

} // namespace

HEDDLE_API float __nv_powf(float x, float y) {
  float a = abs(x), inf = infinity<float>();
  double log2_a = log2Wide(a);
  log2_a = a == 0 ? -__builtin_inf() : a == inf ? __builtin_inf() : log2_a;
  double t = double(y) * log2_a;
  t = t > 160.0 ? 160.0 : t;
  t = t < -160.0 ? -160.0 : t;
  double n = rint(t);
  Scaled p = exp2Parts(float(t - n));
  float result = product({p.value, p.exponent + i32(n == n ? n : 0.0)});
  bool integral = rint(y) == y;
  bool odd = integral && rint(0.5f * y) != 0.5f * y;
  result = isNegative(x) && odd ? -result : result;
  bool invalid = x < 0 && x > -inf && !integral;
  result = invalid || isNan(x) || isNan(y) ? quietNan<float>() : result;
  return x == 1.0f || y == 0 || (x == -1.0f && isInf(y)) ? 1.0f : result;
}

// Repeated squaring in double. The number of turns is that of the exponent's bits.
HEDDLE_API float __nv_powif(float x, int n) {
  u32 bits = n < 0 ? 0u - u32(n) : u32(n);
  double power = x, result = 1.0;
  for (; bits != 0; bits >>= 1) {
    result = bits & 1 ? result * power : result;
    power *= power;
  }
  return float(n < 0 ? 1.0 / result : result);
}

HEDDLE_API float __nv_rsqrtf(float x) { return 1.0f / sqrt(x); }

HEDDLE_API float __nv_rcbrtf(float x) {
  float a = abs(x);
  bool denormal = a < 0x1p-126f;
  float y = reciprocalCubeRoot(denormal ? a * 0x1p24f : a) * (denormal ? 0x1p8f : 1.0f);
  y = a == 0 ? infinity<float>() : a == infinity<float>() ? 0.0f : y;
  return isNan(x) ? x : copysign(y, x);
}
HEDDLE_API float __nv_cbrtf(float x) {
  float a = abs(x);
  bool denormal = a < 0x1p-126f;
  float z = denormal ? a * 0x1p24f : a;
  float y = reciprocalCubeRoot(z);
  float c = z * y * y;
  float square = c * c, square_error = fma(c, c, -square);
  float e = fma(-square, c, z) - square_error * c;
  c = fma(e * y * y, 1.0f / 3.0f, c) * (denormal ? 0x1p-8f : 1.0f);
  bool ordinary = a != 0 && a < infinity<float>();
  return ordinary ? copysign(c, x) : x;
}

HEDDLE_API float __nv_hypotf(float a, float b) { return norm(a, b, 0.0f, 0.0f); }
HEDDLE_API float __nv_rhypotf(float a, float b) { return reciprocalNorm(a, b, 0.0f, 0.0f); }
HEDDLE_API float __nv_norm3df(float a, float b, float c) { return norm(a, b, c, 0.0f); }
HEDDLE_API float __nv_rnorm3df(float a, float b, float c) { return reciprocalNorm(a, b, c, 0.0f); }
HEDDLE_API float __nv_norm4df(float a, float b, float c, float d) { return norm(a, b, c, d); }
HEDDLE_API float __nv_rnorm4df(float a, float b, float c, float d) {
  return reciprocalNorm(a, b, c, d);
}
HEDDLE_API float __nv_normf(int dimensions, const float *v) {
  bool infinite;
  double sum = sumOfSquares(dimensions, v, infinite);
  return infinite ? infinity<float>() : float(sqrt(sum));
}
HEDDLE_API float __nv_rnormf(int dimensions, const float *v) {
  bool infinite;
  double sum = sumOfSquares(dimensions, v, infinite);
  return infinite ? 0.0f : float(1.0 / sqrt(sum));
}

// Past 2^126 the hardware's approximate reciprocal is 0 (CUDA C++ Programming Guide, "Intrinsic
// Functions").
HEDDLE_API float __nv_fast_fdividef(float a, float b) {
  float reciprocal = abs(b) > 0x1p126f ? copysign(0.0f, b) : 1.0f / b;
  return abs(b) > 0x1p126f ? a * reciprocal : a / b;
}

extern "C" __device__ float __nv_fast_log2f(float x);
HEDDLE_API float __nv_fast_powf(float x, float y) {
  return product(exp2Parts(clamp(y * __nv_fast_log2f(x), -152.0f, 129.0f)));
}
