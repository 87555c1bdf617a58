// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision logarithms and the inverse hyperbolic functions made of them.
#include "float_kernels.h"

using namespace heddle;

HEDDLE_API float __nv_logf(float x) { return logSpecial(x, naturalLog(logParts(x))); }

HEDDLE_API float __nv_log2f(float x) {
  LogParts p = logParts(x);
  float f = p.fraction;
  float q = poly(f, -0x1.cad59ep-4f, 0x1.78331cp-3f, -0x1.82f1ap-3f, 0x1.a3a034p-3f,
                 -0x1.eb5c98p-3f, 0x1.277c18p-2f, -0x1.7156dcp-2f, 0x1.ec7098p-2f, -0x1.715476p-1f);
  // log2(e) * f to twice the precision, so that only the small terms carry errors into the sum.
  float high = fma(f, log2_e, p.exponent);
  float low = fma(f, log2_e, p.exponent - high);
  low = fma(f, 0x1.4ae0cp-26f, low);
  return logSpecial(x, high + fma(f * f, q, low));
}

HEDDLE_API float __nv_log10f(float x) {
  LogParts p = logParts(x);
  float f = p.fraction, k = p.exponent;
  float q = poly(f, -0x1.145cp-5f, 0x1.c65872p-5f, -0x1.d2964ep-5f, 0x1.f919e4p-5f, -0x1.27c698p-4f,
                 0x1.63cd5cp-4f, -0x1.bcbb36p-4f, 0x1.287a72p-3f, -0x1.bcb7bp-3f);
  // log10(e) and log10(2), each as the sum of two floats.
  float high = k * 0x1.344p-2f;
  float low = fma(k, 0x1.3509f8p-18f, f * -0x1.5b235ep-27f);
  float sum = fma(f, 0x1.bcb7b2p-2f, high);
  low += fma(f, 0x1.bcb7b2p-2f, high - sum);
  return logSpecial(x, sum + fma(f * f, q, low));
}

HEDDLE_API float __nv_log1pf(float x) {
  float result = logSpecial(1.0f + x, naturalLog(log1pParts(x)));
  return abs(x) < 0x1p-26f ? x : result;
}

// log(1 + x), or log(2x) where x is so large that it stands for 2x + 1/2x and 1 + x is x.
HEDDLE_INLINE float inverseHyperbolic(float x, bool large) {
  LogParts p = log1pParts(x);
  p.exponent += large ? 1.0f : 0.0f;
  float result = naturalLog(p);
  return x < infinity<float>() ? result : x;
}

HEDDLE_API float __nv_asinhf(float x) {
  float a = abs(x);
  bool large = a > 0x1p26f;
  float s = large ? 0.0f : a * a;
  float t = large ? a : a + s / (1.0f + sqrt(1.0f + s));
  float result = copysign(inverseHyperbolic(t, large), x);
  return a < 0x1p-12f ? x : result;
}

HEDDLE_API float __nv_acoshf(float x) {
  bool large = x > 0x1p26f;
  float t = large ? 0.0f : x - 1.0f;
  float r = large ? x : t + sqrt(fma(t, t, 2.0f * t));
  float result = inverseHyperbolic(r, large);
  return x < 1.0f ? quietNan<float>() : result;
}

HEDDLE_API float __nv_atanhf(float x) {
  float a = abs(x);
  float t = 2.0f * a / (1.0f - a);
  float result = copysign(0.5f * inverseHyperbolic(t, false), x);
  result = a < 0x1p-12f ? x : result;
  return a > 1.0f ? quietNan<float>() : result;
}

// The fast logarithms are a shorter log2 and one multiplication. Near 1 their error is absolute
// (CUDA C++ Programming Guide, "Intrinsic Functions").
HEDDLE_INLINE float fastLog2(float x) {
  LogParts p = logParts(x);
  float f = p.fraction;
  float q = poly(f, 0x1.091a1cp-3f, -0x1.ab5196p-3f, 0x1.b8508ep-3f, -0x1.e8e21p-3f, 0x1.26e1cap-2f,
                 -0x1.715f42p-2f, 0x1.ec735ep-2f, -0x1.71546cp-1f, 0x1.715476p+0f);
  return logSpecial(x, fma(f, q, p.exponent));
}
HEDDLE_API float __nv_fast_log2f(float x) { return fastLog2(x); }
HEDDLE_API float __nv_fast_logf(float x) { return fastLog2(x) * ln2_high; }
HEDDLE_API float __nv_fast_log10f(float x) { return fastLog2(x) * 0x1.344136p-2f; }
