// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poisson numbers from independent words: Knuth's products for small means, rejection from the
// incomplete gamma function for middling ones, a rounded normal number for large ones. It includes
// nothing: a state is anything that curand_uniform and curand_normal_double take, also on the host.
#ifndef __CURAND_POISSON_WAYS_H_
#define __CURAND_POISSON_WAYS_H_
QUALIFIERS float __cr_rsqrt(float a) { return rsqrtf(a); }
QUALIFIERS float __cr_exp(float a) { return exp2f(a * 1.4426950408889634074f); }
QUALIFIERS float __cr_log(float a) { return __log2f(a) * 0.69314718055994530942f; }
QUALIFIERS float __cr_rcp(float a) { return 1.0f / a; }

// The shape of the distribution function of the gamma distribution, and its inverse, for large a: 1
// / (1 + e^t)^2.
QUALIFIERS float __curand_gamma_slope(float a) {
  return fmaf(1.43248035075540910f, __cr_rsqrt(a - 0.12400979329415655f), 0.00025361074907033f);
}
QUALIFIERS float __curand_gamma_shift(float a) {
  return fmaf(0.21096734870196546f, __cr_rsqrt(a - 1.97381164089999420f), 0.94201734077887530f);
}
QUALIFIERS float __cr_pgammainc(float a, float x) {
  float t = fmaf(__curand_gamma_slope(a), a - x, -__curand_gamma_shift(a));
  t = 1.0f + __cr_exp(t);
  return __cr_rcp(t * t);
}
QUALIFIERS float __cr_pgammaincinv(float a, float y) {
  const float t = __curand_gamma_shift(a) + __cr_log(__cr_rsqrt(y) - 1.0f);
  return fmaf(-t, __cr_rcp(__curand_gamma_slope(a)), a);
}

// log((a - 1)!): exact up to 9, then Stirling's series (Hart et al., "Computer Approximations",
// 5404).
QUALIFIERS double __cr_lgamma_integer(int a) {
  if (a <= 8) {
    double product = 1.0;
    for (int i = 2; i < a; ++i)
      product *= i;
    return log(product);
  }
  const double fa = a, s = 1.0 / fa, t = s * s;
  double sum = -0.1633436431e-2;
  sum = fma(sum, t, 0.83645878922e-3);
  sum = fma(sum, t, -0.5951896861197e-3);
  sum = fma(sum, t, 0.793650576493454e-3);
  sum = fma(sum, t, -0.277777777735865004e-2);
  sum = fma(sum, t, 0.833333333333331018375e-1);
  sum = fma(sum, s, 0.918938533204672);
  const double half = 0.5 * log(fa), weight = fa - 0.5;
  const double middle = fma(half, weight, -fa);
  return middle + fma(half, weight, sum);
}

template <class R> QUALIFIERS unsigned int curand_poisson_knuth(R *state, float lambda) {
  unsigned int k = 0;
  float p = expf(lambda);
  do {
    ++k;
    p *= curand_uniform(state);
  } while (p > 1.0f);
  return k - 1;
}

template <class R> QUALIFIERS unsigned int curand_poisson_gammainc(R *state, float lambda) {
  const float logarithm = __cr_log(lambda);
  for (;;) {
    const float y = curand_uniform(state);
    const float x = floorf(__cr_pgammaincinv(lambda, y));
    const float z = curand_uniform(state);
    const float v = (__cr_pgammainc(lambda, x + 1.0f) - __cr_pgammainc(lambda, x)) * 1.3f;
    const float t =
        __cr_exp(fmaf(x, logarithm, -lambda) - (float)__cr_lgamma_integer((int)(1.0f + x)));
    if (z * v < t && v >= 1e-20)
      return (unsigned int)x;
  }
}

QUALIFIERS unsigned int __curand_poisson_rounded(double normal, double lambda) {
  return (unsigned int)(fma(normal, sqrt(lambda), lambda) + 0.5);
}

template <class R> QUALIFIERS unsigned int __curand_poisson_independent(R *state, double lambda) {
  if (lambda < 64)
    return curand_poisson_knuth(state, (float)lambda);
  if (lambda > 4000)
    return __curand_poisson_rounded(curand_normal_double(state), lambda);
  return curand_poisson_gammainc(state, (float)lambda);
}
#endif
