// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host versions of the math functions that CUDA adds to C's.
//
// CUDA lets host code call these too, with the accuracy of a host library. They are written in
// terms of the C library, in double for the float versions.
#pragma once

#include <__heddle/define.h>

#include <math.h>

// What C23 has too is declared by newer C libraries themselves: sinpi, cospi (glibc 2.41), rsqrt
// (2.42).
#define __HEDDLE_C23_SINPI 0
#define __HEDDLE_C23_RSQRT 0
#if defined(__GLIBC__) && defined(__GLIBC_USE)
#if __GLIBC_USE(IEC_60559_FUNCS_EXT_C23)
#undef __HEDDLE_C23_SINPI
#define __HEDDLE_C23_SINPI __GLIBC_PREREQ(2, 41)
#undef __HEDDLE_C23_RSQRT
#define __HEDDLE_C23_RSQRT __GLIBC_PREREQ(2, 42)
#endif
#endif

__HEDDLE_HOST__ unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
__HEDDLE_HOST__ unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
__HEDDLE_HOST__ long long llmin(long long a, long long b) { return a < b ? a : b; }
__HEDDLE_HOST__ long long llmax(long long a, long long b) { return a > b ? a : b; }
__HEDDLE_HOST__ unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
__HEDDLE_HOST__ unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}

__HEDDLE_HOST__ double fdivide(double x, double y) { return x / y; }
__HEDDLE_HOST__ float fdividef(float x, float y) { return x / y; }

#if !__HEDDLE_C23_RSQRT
__HEDDLE_HOST__ double rsqrt(double x) { return 1.0 / ::sqrt(x); }
#endif
__HEDDLE_HOST__ double rcbrt(double x) { return 1.0 / ::cbrt(x); }
__HEDDLE_HOST__ double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }

// The reduction to [-1/4, 1/4] half turns is exact, so large arguments keep their accuracy.
__HEDDLE_HOST__ void sincospi(double x, double *sine, double *cosine) {
  if (!(::fabs(x) < INFINITY)) {
    *sine = *cosine = x - x;
    return;
  }
  const double pi = 3.14159265358979323846;
  double quarters = ::nearbyint(::fmod(x, 2.0) * 2.0);
  double rest = (::fmod(x, 2.0) - quarters * 0.5) * pi;
  double s = ::sin(rest), c = ::cos(rest);
  switch ((int)quarters & 3) {
  case 0:
    *sine = s, *cosine = c;
    break;
  case 1:
    *sine = c, *cosine = -s;
    break;
  case 2:
    *sine = -s, *cosine = -c;
    break;
  default:
    *sine = -c, *cosine = s;
  }
  // A whole number of half turns has sine zero with the argument's sign.
  if (*sine == 0.0)
    *sine = ::copysign(0.0, x);
  if (*cosine == 0.0)
    *cosine = 0.0;
}
#if !__HEDDLE_C23_SINPI
__HEDDLE_HOST__ double sinpi(double x) {
  double sine, cosine;
  sincospi(x, &sine, &cosine);
  return sine;
}
__HEDDLE_HOST__ double cospi(double x) {
  double sine, cosine;
  sincospi(x, &sine, &cosine);
  return cosine;
}
#endif

// Newton's method on erf, for |y| <= 1/2: it keeps the digits of arguments near zero.
__HEDDLE_HOST__ double __heddle_erfinv_middle(double y) {
  const double half_root_pi = 0.88622692545275801365;
  double x = y * half_root_pi;
  for (int i = 0; i < 6; ++i)
    x -= (::erf(x) - y) * half_root_pi * ::exp(x * x);
  return x;
}
// The quantile of the normal distribution for p <= 1/4: a rational first guess (Abramowitz and
// Stegun 26.2.23), then Halley steps on erfc, which keeps the digits of small p.
__HEDDLE_HOST__ double __heddle_normal_quantile_tail(double p) {
  double t = ::sqrt(-2.0 * ::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int i = 0; i < 3; ++i) {
    double cdf = 0.5 * ::erfc(-x * 0.70710678118654752440);
    // (cdf - p) / density, with the density's inverse grown in two steps so as not to overflow.
    double grow = ::exp(0.25 * x * x);
    double u = (cdf - p) * grow * 2.50662827463100050242 * grow;
    x -= u / (1.0 + 0.5 * x * u);
  }
  return x;
}
__HEDDLE_HOST__ double normcdfinv(double p) {
  if (!(p >= 0.0 && p <= 1.0))
    return NAN;
  if (p == 0.0 || p == 1.0)
    return p == 0.0 ? -INFINITY : INFINITY;
  if (p >= 0.25 && p <= 0.75)
    return 1.41421356237309504880 * __heddle_erfinv_middle(2.0 * (p - 0.5));
  return p < 0.5 ? __heddle_normal_quantile_tail(p) : -__heddle_normal_quantile_tail(1.0 - p);
}
// Far out, erfc magnifies the rounding of its argument x * sqrt(1/2); its slope takes that back.
__HEDDLE_HOST__ double normcdf(double x) {
  const double root_half = 0.70710678118654752440, root_half_rest = -4.833646656726457e-17;
  double t = -x * root_half;
  double missing = ::fma(-x, root_half, -t) - x * root_half_rest;
  double slope = t > 0.0 && t < 40.0 ? 1.12837916709551257390 * ::exp(-t * t) : 0.0;
  return 0.5 * (::erfc(t) - slope * missing);
}
__HEDDLE_HOST__ double erfcinv(double y) {
  if (!(y >= 0.0 && y <= 2.0))
    return NAN;
  if (y == 0.0 || y == 2.0)
    return y == 0.0 ? INFINITY : -INFINITY;
  if (y >= 0.5 && y <= 1.5)
    return __heddle_erfinv_middle(1.0 - y);
  return -0.70710678118654752440 * normcdfinv(0.5 * y);
}
__HEDDLE_HOST__ double erfinv(double y) {
  if (!(::fabs(y) <= 1.0))
    return NAN;
  if (::fabs(y) <= 0.5)
    return __heddle_erfinv_middle(y);
  return y < 0.0 ? -erfcinv(1.0 + y) : erfcinv(1.0 - y);
}
// exp(x*x) * erfc(x): the product while erfc is not tiny, then the continued fraction.
__HEDDLE_HOST__ double erfcx(double x) {
  if (x < 5.0) {
    double square = x * x, rest = ::fma(x, x, -square);
    return ::exp(square) * (1.0 + rest) * ::erfc(x);
  }
  double tail = x;
  for (int k = 60; k > 0; --k)
    tail = x + 0.5 * k / tail;
  return 0.56418958354775628695 / tail;
}

// Modified Bessel functions of the first kind: the power series while it is short, then the
// asymptotic one, each summed until its terms no longer count.
__HEDDLE_HOST__ double __heddle_bessel_i(int order, double x) {
  double a = ::fabs(x), sum, term;
  if (a < 25.0) {
    double quarter = 0.25 * a * a;
    sum = term = order ? 0.5 * a : 1.0;
    for (int k = 1; k < 200 && term > sum * 1e-18; ++k)
      sum += term *= quarter / ((double)k * (k + order));
  } else {
    double mu = 4.0 * order * order;
    sum = term = 1.0;
    for (int k = 1; k < 60; ++k) {
      double odd = 2.0 * k - 1.0;
      double next = -term * (mu - odd * odd) / (8.0 * k * a);
      if (::fabs(next) > ::fabs(term) || ::fabs(next) < 1e-18)
        break;
      sum += term = next;
    }
    sum *= ::exp(0.5 * a) / ::sqrt(6.28318530717958647693 * a) * ::exp(0.5 * a);
  }
  return order && x < 0.0 ? -sum : sum;
}
__HEDDLE_HOST__ double cyl_bessel_i0(double x) { return __heddle_bessel_i(0, x); }
__HEDDLE_HOST__ double cyl_bessel_i1(double x) { return __heddle_bessel_i(1, x); }

// Norms scale by the largest component, so that squares neither overflow nor vanish.
__HEDDLE_HOST__ double norm(int count, const double *values) {
  double largest = 0.0, sum = 0.0;
  for (int i = 0; i < count; ++i) {
    if (::isinf(values[i]))
      return INFINITY;
    largest = ::fmax(largest, ::fabs(values[i]));
  }
  if (largest == 0.0)
    largest = 1.0;
  for (int i = 0; i < count; ++i)
    sum += values[i] / largest * (values[i] / largest);
  return largest * ::sqrt(sum);
}
__HEDDLE_HOST__ double norm3d(double a, double b, double c) {
  double values[] = {a, b, c};
  return norm(3, values);
}
__HEDDLE_HOST__ double norm4d(double a, double b, double c, double d) {
  double values[] = {a, b, c, d};
  return norm(4, values);
}
__HEDDLE_HOST__ double rnorm(int count, const double *values) { return 1.0 / norm(count, values); }
__HEDDLE_HOST__ double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
__HEDDLE_HOST__ double rnorm4d(double a, double b, double c, double d) {
  return 1.0 / norm4d(a, b, c, d);
}
__HEDDLE_HOST__ float normf(int count, const float *values) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    if (::isinf(values[i]))
      return INFINITY;
    sum += (double)values[i] * values[i];
  }
  return (float)::sqrt(sum);
}
__HEDDLE_HOST__ float rnormf(int count, const float *values) { return 1.0f / normf(count, values); }

#define __HEDDLE_HOST_FLOAT(NAME)                                                                  \
  __HEDDLE_HOST__ float NAME##f(float x) { return (float)::NAME((double)x); }
#if !__HEDDLE_C23_RSQRT
__HEDDLE_HOST_FLOAT(rsqrt)
#endif
__HEDDLE_HOST_FLOAT(rcbrt)
#if !__HEDDLE_C23_SINPI
__HEDDLE_HOST_FLOAT(sinpi)
__HEDDLE_HOST_FLOAT(cospi)
#endif
__HEDDLE_HOST_FLOAT(erfinv)
__HEDDLE_HOST_FLOAT(erfcinv)
__HEDDLE_HOST_FLOAT(erfcx)
__HEDDLE_HOST_FLOAT(normcdf)
__HEDDLE_HOST_FLOAT(normcdfinv)
__HEDDLE_HOST_FLOAT(cyl_bessel_i0)
__HEDDLE_HOST_FLOAT(cyl_bessel_i1)
#undef __HEDDLE_HOST_FLOAT
#undef __HEDDLE_C23_SINPI
#undef __HEDDLE_C23_RSQRT

__HEDDLE_HOST__ void sincospif(float x, float *sine, float *cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
__HEDDLE_HOST__ float rhypotf(float x, float y) { return (float)rhypot((double)x, (double)y); }
__HEDDLE_HOST__ float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
__HEDDLE_HOST__ float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
__HEDDLE_HOST__ float norm4df(float a, float b, float c, float d) {
  return (float)norm4d(a, b, c, d);
}
__HEDDLE_HOST__ float rnorm4df(float a, float b, float c, float d) {
  return (float)rnorm4d(a, b, c, d);
}
