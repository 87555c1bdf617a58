// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision error functions, the normal distribution, and their inverses.
#include "float_kernels.h"

using namespace heddle;

namespace {

HEDDLE_INLINE float atMost(float x, float limit) { return x > limit ? limit : x; }

// exp(a^2) * erfc(a) for a >= 0. Times 1 + 2a it is nearly constant, and smooth as a function of
// (a - 3) / (a + 3); far out, the first terms of the asymptotic series are exact enough.
HEDDLE_INLINE float scaledErfc(float a) {
  float t = (a - 3.0f) / (a + 3.0f);
  float p = poly(t, -0x1.f787b4p-17f, 0x1.37c948p-14f, -0x1.7b31cp-15f, -0x1.7932fep-11f,
                 0x1.dc4bcep-10f, 0x1.46c7f2p-9f, -0x1.84c606p-6f, 0x1.17d57p-4f, -0x1.e897e6p-4f,
                 0x1.0982aep-3f, -0x1.859e56p-5f, -0x1.15c07ep-3f, 0x1.40c522p+0f);
  float near = p / fma(2.0f, a, 1.0f);
  float r = 1.0f / a, s = r * r;
  float far = r * 0x1.20dd76p-1f * fma(s, fma(s, 0.75f, -0.5f), 1.0f);
  return a < 50.0f ? near : far;
}

// erf for |a| <= 1.
HEDDLE_INLINE float erfNearZero(float a) {
  float s = a * a;
  return fma(a,
             poly(s, 0x1.3de08ap-14f, -0x1.9f268p-11f, 0x1.533e4ap-8f, -0x1.b7d9bp-6f,
                  0x1.ce2a84p-4f, -0x1.812728p-2f, 0x1.06eba6p-3f),
             a);
}

// exp(-square - square_error) * factor. What rounding the square lost would be multiplied by e^x's
// slope, so it is put back; the product is rounded to a denormal only once.
HEDDLE_INLINE float gaussian(float square, float square_error, float factor) {
  Scaled e = expParts(-square);
  return product({fma(e.value, -square_error, e.value) * factor, e.exponent});
}

// erfinv(z) for 0 <= z <= 1, given also (1 - z)(1 + z), which for z near 1 the caller knows better.
// Away from 0 it is smooth as a function of w = -log((1 - z)(1 + z)): up to 5, z times a polynomial
// of w, and then sqrt(w) times one of 1/sqrt(w).
HEDDLE_INLINE float inverseErf(float product_of_distances, float z) {
  float w = -logSpecial(product_of_distances, naturalLog(logParts(product_of_distances)));
  float c = w - 1.5f;
  float central = z * poly(c, -0x1.1306c8p-27f, 0x1.9262a6p-24f, -0x1.a52582p-29f, -0x1.68e95p-18f,
                           0x1.8484bep-16f, 0x1.74c27ep-13f, -0x1.123becp-9f, 0x1.cd3976p-11f,
                           0x1.005f02p-2f, 0x1.408742p+0f);
  float inner = z * poly(z * z, 0x1.4f4ecp-3f, -0x1.c6e094p-5f, 0x1.62469p-4f, 0x1.df2ed6p-5f,
                         0x1.651f04p-4f, 0x1.052c5ap-3f, 0x1.db2a44p-3f, 0x1.c5bf8ap-1f);
  float s = sqrt(w);
  float r = 1.0f / s - 0x1.17660ep-2f;
  float tail = s * poly(r, -0x1.52fec6p+8f, 0x1.09259ep+6f, 0x1.f8eafap+4f, 0x1.7a9ed6p+0f,
                        -0x1.ecaf06p+1f, 0x1.6ea464p-2f, -0x1.996336p-1f, 0x1.e941b8p-2f,
                        0x1.d93ba8p-4f, -0x1.8cb456p-3f, 0x1.e932cp-1f);
  float outer = w < 5.0f ? central : tail;
  return z < 0.6f ? inner : outer;
}

HEDDLE_INLINE float inverseErfc(float x) {
  float a = x > 1.0f ? 2.0f - x : x;
  float y = inverseErf(fma(-a, a, 2.0f * a), 1.0f - a);
  return x > 1.0f ? -y : y;
}

} // namespace

HEDDLE_API float __nv_erff(float x) {
  float a = abs(x);
  float small = erfNearZero(a);
  float b = atMost(a, 4.0f);
  float log_erfc =
      poly(b, 0x1.adab5cp-20f, -0x1.7c23bcp-15f, 0x1.358674p-11f, -0x1.35e43ep-8f, 0x1.af6556p-6f,
           -0x1.c23672p-4f, -0x1.43966ap-1f, -0x1.214fcep+0f, 0x1.326574p-12f);
  float large = 1.0f - product(expParts(log_erfc));
  return copysign(a < 1.0f ? small : large, x);
}

HEDDLE_API float __nv_erfcf(float x) {
  float a = atMost(abs(x), 10.5f), square = a * a;
  float y = gaussian(square, fma(a, a, -square), scaledErfc(a));
  float far = x < 0 ? 2.0f - y : y;
  return a < 0.5f ? 1.0f - erfNearZero(x) : far;
}

HEDDLE_API float __nv_erfcxf(float x) {
  float positive = scaledErfc(abs(x));
  float a = atMost(abs(x), 10.0f), square = a * a;
  Scaled e = expParts(square);
  float error = fma(a, a, -square);
  float twice_exp = product({fma(e.value, error, e.value), e.exponent + 1});
  return x < 0 ? twice_exp - positive : positive;
}

// Phi(x) = erfc(-x / sqrt(2)) / 2. The exponent is x^2 / 2 itself, not the square of a rounded
// quotient.
HEDDLE_API float __nv_normcdff(float x) {
  float a = atMost(abs(x), 15.0f), square = a * a;
  float error = fma(a, a, -square);
  float y = gaussian(0.5f * square, 0.5f * error, 0.5f * scaledErfc(a * 0x1.6a09e6p-1f));
  return x > 0 ? 1.0f - y : y;
}

HEDDLE_API float __nv_erfinvf(float x) {
  float a = abs(x);
  return copysign(inverseErf(fma(-a, a, 1.0f), a), x);
}
HEDDLE_API float __nv_erfcinvf(float x) { return inverseErfc(x); }
HEDDLE_API float __nv_normcdfinvf(float x) { return -0x1.6a09e6p+0f * inverseErfc(2.0f * x); }
