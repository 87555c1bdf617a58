// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision exponentials and hyperbolic functions. Arguments are first clamped to where the
// result is just past overflow or underflow.
#include "float_kernels.h"

using namespace heddle;

HEDDLE_API float __nv_expf(float x) { return product(expParts(clamp(x, -105.0f, 89.0f))); }

HEDDLE_API float __nv_exp2f(float x) { return product(exp2Parts(clamp(x, -152.0f, 129.0f))); }

HEDDLE_API float __nv_exp10f(float x) {
  x = clamp(x, -46.0f, 39.0f);
  Nearest n = nearest(x, 0x1.a934fp+1f);
  float r = fma(n.value, -0x1.344136p-2f, x);
  r = fma(n.value, 0x1.ec10cp-27f, r);
  float p = poly(r, 0x1.a4985p-3f, 0x1.156bbcp-1f, 0x1.2bdbdap0f, 0x1.046f9ap1f, 0x1.535248p1f,
                 0x1.26bb1cp1f, 1.0f);
  return product({p, n.integer});
}

// 2^n * (1 + p) - 1 is computed as half of it, since 2^128 is not a float.
HEDDLE_API float __nv_expm1f(float a) {
  float x = clamp(a, -30.0f, 89.0f);
  Nearest n = nearest(x, log2_e);
  float r = fma(n.value, -ln2_high, x);
  r = fma(n.value, -ln2_low, r);
  float q =
      poly(r, 0x1.a2d982p-13f, 0x1.6d3074p-10f, 0x1.110fc2p-7f, 0x1.5555p-5f, 0x1.555556p-3f, 0.5f);
  float p = fma(r * r, q, r);
  float half_scale = exp2Int(n.integer - 1);
  float result = 2.0f * fma(p, half_scale, half_scale - 0.5f);
  return abs(a) < 0x1p-26f ? a : result;
}

// exp(|x|) / 2, which overflows only where the hyperbolic functions do.
HEDDLE_INLINE float halfExp(float magnitude) {
  Scaled e = expParts(magnitude > 91.0f ? 91.0f : magnitude);
  return product({e.value, e.exponent - 1});
}

HEDDLE_API float __nv_coshf(float x) {
  float t = halfExp(abs(x));
  return t + 0.25f / t;
}

HEDDLE_API float __nv_sinhf(float x) {
  float t = halfExp(abs(x)), s = x * x;
  float large = copysign(t - 0.25f / t, x);
  float small =
      fma(x * s, poly(s, 0x1.76771ep-19f, 0x1.a01c22p-13f, 0x1.1110eap-7f, 0x1.555556p-3f), x);
  return abs(x) < 1.0f ? small : large;
}

HEDDLE_API float __nv_tanhf(float x) {
  float a = abs(x), s = x * x;
  float t = product(expParts(2.0f * (a > 10.0f ? 10.0f : a)));
  float large = 1.0f - 2.0f / (t + 1.0f);
  float small = fma(
      a * s,
      poly(s, -0x1.828776p-8f, 0x1.54c3c2p-6f, -0x1.b89abap-5f, 0x1.1109bep-3f, -0x1.55553ep-2f),
      a);
  return copysign(a < 0.6f ? small : large, x);
}

// The fast exponentials multiply by log2(e) or log2(10) with one rounding, as the hardware's ex2 is
// used; their error grows with |x| (CUDA C++ Programming Guide, "Intrinsic Functions").
HEDDLE_API float __nv_fast_expf(float x) {
  return product(exp2Parts(clamp(x * log2_e, -152.0f, 129.0f)));
}
HEDDLE_API float __nv_fast_exp10f(float x) {
  return product(exp2Parts(clamp(x * 0x1.a934fp+1f, -152.0f, 129.0f)));
}
