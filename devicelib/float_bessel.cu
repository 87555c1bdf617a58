// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision Bessel functions. J and Y oscillate, and near their zeros only the
// double-precision functions keep enough digits, so they are those, rounded.
#include "float_kernels.h"

using namespace heddle;

extern "C" {
__device__ double __nv_j0(double x);
__device__ double __nv_j1(double x);
__device__ double __nv_jn(int n, double x);
__device__ double __nv_y0(double x);
__device__ double __nv_y1(double x);
__device__ double __nv_yn(int n, double x);
}

HEDDLE_API float __nv_j0f(float x) { return float(__nv_j0(x)); }
HEDDLE_API float __nv_j1f(float x) { return float(__nv_j1(x)); }
HEDDLE_API float __nv_jnf(int n, float x) { return float(__nv_jn(n, x)); }
HEDDLE_API float __nv_y0f(float x) { return float(__nv_y0(x)); }
HEDDLE_API float __nv_y1f(float x) { return float(__nv_y1(x)); }
HEDDLE_API float __nv_ynf(int n, float x) { return float(__nv_yn(n, x)); }

// I0 and I1 grow like e^x / sqrt(x): `tail` is what remains as a function of 1/x.
HEDDLE_INLINE float growth(float a, float tail) {
  Scaled e = expParts(a);
  return product({e.value * tail / sqrt(a), e.exponent});
}

// Below 8 their power series in x^2/4 have positive terms only.
HEDDLE_API float __nv_cyl_bessel_i0f(float x) {
  float a = abs(x);
  a = a > 100.0f ? 100.0f : a;
  float t = 0.25f * a * a;
  float small = poly(t, 0x1.5d383cp-50f, 0x1.b8322p-45f, 0x1.234c94p-37f, 0x1.4c3ccp-31f,
                     0x1.531e4cp-25f, 0x1.02ce56p-19f, 0x1.23490cp-14f, 0x1.c71bccp-10f,
                     0x1.c71c82p-6f, 0x1.fffffep-3f, 1.0f, 1.0f);
  float large = growth(a, poly(1.0f / a, 0x1.b13b2cp-2f, -0x1.b62b7ep-6f, 0x1.232b64p-5f,
                               0x1.c75124p-6f, 0x1.988e3p-5f, 0x1.988452p-2f));
  return a < 8.0f ? small : large;
}

HEDDLE_API float __nv_cyl_bessel_i1f(float x) {
  float a = abs(x);
  a = a > 100.0f ? 100.0f : a;
  float t = 0.25f * a * a;
  float small = a * poly(t, 0x1.bb5e96p-55f, 0x1.5ffa5cp-49f, 0x1.c83038p-42f, 0x1.291242p-35f,
                         0x1.52bbp-29f, 0x1.27d58ep-23f, 0x1.845eb2p-18f, 0x1.6c169p-13f,
                         0x1.c71c76p-9f, 0x1.555556p-5f, 0.25f, 0.5f);
  float large = growth(a, poly(1.0f / a, -0x1.f57b04p-2f, 0x1.81980ap-6f, -0x1.89b884p-5f,
                               -0x1.7c9338p-5f, -0x1.326608p-3f, 0x1.988456p-2f));
  return copysign(a < 8.0f ? small : large, x);
}
