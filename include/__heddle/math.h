// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions that Clang's headers leave to CUDA's: the float overloads that they only declare,
// the functions CUDA adds to C's (rsqrt, sinpi, normcdf ...), and the unqualified min and max.
// (CUDA Math API, "Single/Double Precision Mathematical Functions".)
#pragma once

#include <__heddle/define.h>

#ifndef __CUDACC_RTC__ // which has no host functions
#include <__heddle/math_host.h>
#endif

// --- Declared by __clang_cuda_math_forward_declares.h, defined nowhere else ---

#define __HEDDLE_FLOAT_1(TO, NAME)                                                                 \
  __HEDDLE_DEVICE__ TO NAME(float x) { return ::NAME##f(x); }
#define __HEDDLE_FLOAT_2(NAME)                                                                     \
  __HEDDLE_DEVICE__ float NAME(float x, float y) { return ::NAME##f(x, y); }

__HEDDLE_FLOAT_1(float, acosh)
__HEDDLE_FLOAT_1(float, asinh)
__HEDDLE_FLOAT_1(float, atanh)
__HEDDLE_FLOAT_1(float, cbrt)
__HEDDLE_FLOAT_1(float, erf)
__HEDDLE_FLOAT_1(float, erfc)
__HEDDLE_FLOAT_1(float, exp2)
__HEDDLE_FLOAT_1(float, expm1)
__HEDDLE_FLOAT_1(int, ilogb)
__HEDDLE_FLOAT_1(float, lgamma)
__HEDDLE_FLOAT_1(long long, llrint)
__HEDDLE_FLOAT_1(long long, llround)
__HEDDLE_FLOAT_1(float, log1p)
__HEDDLE_FLOAT_1(float, log2)
__HEDDLE_FLOAT_1(float, logb)
__HEDDLE_FLOAT_1(long, lrint)
__HEDDLE_FLOAT_1(long, lround)
__HEDDLE_FLOAT_1(float, nearbyint)
__HEDDLE_FLOAT_1(float, rint)
__HEDDLE_FLOAT_1(float, round)
__HEDDLE_FLOAT_1(float, tgamma)
__HEDDLE_FLOAT_1(float, trunc)
__HEDDLE_FLOAT_2(copysign)
__HEDDLE_FLOAT_2(fdim)
__HEDDLE_FLOAT_2(fmax)
__HEDDLE_FLOAT_2(fmin)
__HEDDLE_FLOAT_2(hypot)
__HEDDLE_FLOAT_2(nextafter)
__HEDDLE_FLOAT_2(remainder)
#undef __HEDDLE_FLOAT_2
#undef __HEDDLE_FLOAT_1

__HEDDLE_DEVICE__ float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
__HEDDLE_DEVICE__ float remquo(float x, float y, int *quotient) {
  return ::remquof(x, y, quotient);
}
__HEDDLE_DEVICE__ float scalbn(float x, int exponent) { return ::scalbnf(x, exponent); }
__HEDDLE_DEVICE__ float scalbln(float x, long exponent) { return ::scalblnf(x, exponent); }
__HEDDLE_DEVICE__ double nan(const char *tag) { return __nv_nan((const signed char *)tag); }
__HEDDLE_DEVICE__ float nanf(const char *tag) { return __nv_nanf((const signed char *)tag); }

// --- Float overloads of the functions that CUDA adds ---

#define __HEDDLE_EXTRA_1(NAME)                                                                     \
  __HEDDLE_HOST_DEVICE__ float NAME(float x) { return ::NAME##f(x); }
__HEDDLE_EXTRA_1(rsqrt)
__HEDDLE_EXTRA_1(rcbrt)
__HEDDLE_EXTRA_1(sinpi)
__HEDDLE_EXTRA_1(cospi)
__HEDDLE_EXTRA_1(exp10)
__HEDDLE_EXTRA_1(erfinv)
__HEDDLE_EXTRA_1(erfcinv)
__HEDDLE_EXTRA_1(erfcx)
__HEDDLE_EXTRA_1(normcdf)
__HEDDLE_EXTRA_1(normcdfinv)
__HEDDLE_EXTRA_1(cyl_bessel_i0)
__HEDDLE_EXTRA_1(cyl_bessel_i1)
#undef __HEDDLE_EXTRA_1

__HEDDLE_HOST_DEVICE__ float fdivide(float x, float y) { return ::fdividef(x, y); }
__HEDDLE_HOST_DEVICE__ float rhypot(float x, float y) { return ::rhypotf(x, y); }
__HEDDLE_HOST_DEVICE__ void sincospi(float x, float *sine, float *cosine) {
  ::sincospif(x, sine, cosine);
}
__HEDDLE_HOST_DEVICE__ void sincos(float x, float *sine, float *cosine) {
  ::sincosf(x, sine, cosine);
}
__HEDDLE_DEVICE__ float j0(float x) { return ::j0f(x); }
__HEDDLE_DEVICE__ float j1(float x) { return ::j1f(x); }
__HEDDLE_DEVICE__ float jn(int n, float x) { return ::jnf(n, x); }
__HEDDLE_DEVICE__ float y0(float x) { return ::y0f(x); }
__HEDDLE_DEVICE__ float y1(float x) { return ::y1f(x); }
__HEDDLE_DEVICE__ float yn(int n, float x) { return ::ynf(n, x); }

// --- min and max, for every pair of types that CUDA accepts ---

// Clang's header has the int versions for the device.
#ifndef __CUDACC_RTC__
__HEDDLE_HOST__ int min(int a, int b) { return a < b ? a : b; }
__HEDDLE_HOST__ int max(int a, int b) { return a > b ? a : b; }
#endif

#define __HEDDLE_MIN_MAX(TO, A, B)                                                                 \
  __HEDDLE_HOST_DEVICE__ TO min(A a, B b) { return (TO)a < (TO)b ? (TO)a : (TO)b; }                \
  __HEDDLE_HOST_DEVICE__ TO max(A a, B b) { return (TO)a > (TO)b ? (TO)a : (TO)b; }
__HEDDLE_MIN_MAX(unsigned, unsigned, unsigned)
__HEDDLE_MIN_MAX(unsigned, int, unsigned)
__HEDDLE_MIN_MAX(unsigned, unsigned, int)
__HEDDLE_MIN_MAX(long, long, long)
__HEDDLE_MIN_MAX(unsigned long, unsigned long, unsigned long)
__HEDDLE_MIN_MAX(unsigned long, long, unsigned long)
__HEDDLE_MIN_MAX(unsigned long, unsigned long, long)
__HEDDLE_MIN_MAX(long long, long long, long long)
__HEDDLE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
__HEDDLE_MIN_MAX(unsigned long long, long long, unsigned long long)
__HEDDLE_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef __HEDDLE_MIN_MAX

// On floats they are fmin and fmax: of a number and a NaN they give the number.
__HEDDLE_HOST_DEVICE__ float min(float a, float b) { return ::fminf(a, b); }
__HEDDLE_HOST_DEVICE__ float max(float a, float b) { return ::fmaxf(a, b); }
#define __HEDDLE_MIN_MAX_DOUBLE(A, B)                                                              \
  __HEDDLE_HOST_DEVICE__ double min(A a, B b) { return ::fmin((double)a, (double)b); }             \
  __HEDDLE_HOST_DEVICE__ double max(A a, B b) { return ::fmax((double)a, (double)b); }
__HEDDLE_MIN_MAX_DOUBLE(double, double)
__HEDDLE_MIN_MAX_DOUBLE(float, double)
__HEDDLE_MIN_MAX_DOUBLE(double, float)
#undef __HEDDLE_MIN_MAX_DOUBLE
