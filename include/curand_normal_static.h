// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal numbers from uniform ones by the inverse of the distribution function.
#ifndef CURAND_NORMAL_STATIC_H
#define CURAND_NORMAL_STATIC_H
#include "curand_globals.h"

#ifndef QUALIFIERS_STATIC
#define QUALIFIERS_STATIC static __forceinline__ __device__
#endif

// The upper half mirrors the lower one, where the numbers near 0 are dense.
QUALIFIERS_STATIC float _curand_normal_icdf(unsigned int x) {
  float s = CURAND_SQRT2;
  if (x > 0x80000000u) {
    x = 0xffffffffu - x;
    s = -s;
  }
  const float p = fmaf((float)x, CURAND_2POW32_INV, CURAND_2POW32_INV / 2.0f);
  return s * erfcinvf(2.0f * p);
}
QUALIFIERS_STATIC float _curand_normal_icdf(unsigned long long x) {
  return _curand_normal_icdf((unsigned int)(x >> 32));
}
QUALIFIERS_STATIC double _curand_normal_icdf_double(unsigned int x) {
  double s = CURAND_SQRT2_DOUBLE;
  if (x > 0x80000000u) {
    x = 0xffffffffu - x;
    s = -s;
  }
  const double p = fma((double)x, CURAND_2POW32_INV_DOUBLE, CURAND_2POW32_INV_DOUBLE / 2.0);
  return s * erfcinv(2.0 * p);
}
QUALIFIERS_STATIC double _curand_normal_icdf_double(unsigned long long x) {
  double s = CURAND_SQRT2_DOUBLE;
  x >>= 11;
  if (x > 0x10000000000000ULL) {
    x = 0x1fffffffffffffULL - x;
    s = -s;
  }
  const double p = fma((double)x, CURAND_2POW53_INV_DOUBLE, CURAND_2POW53_INV_DOUBLE / 2.0);
  return s * erfcinv(2.0 * p);
}
#endif
