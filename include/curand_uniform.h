// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniform numbers in (0, 1]. Products and sums are fused, as nvcc fuses them.
#ifndef CURAND_UNIFORM_H_
#define CURAND_UNIFORM_H_
#include "curand_globals.h"
#include "curand_mrg32k3a.h"
#include "curand_mtgp32_kernel.h"

QUALIFIERS float _curand_uniform(unsigned int x) {
  return fmaf((float)x, CURAND_2POW32_INV, CURAND_2POW32_INV / 2.0f);
}
QUALIFIERS float4 _curand_uniform4(uint4 x) {
  return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z),
                     _curand_uniform(x.w));
}
QUALIFIERS float _curand_uniform(unsigned long long x) {
  return _curand_uniform((unsigned int)(x >> 32));
}
QUALIFIERS double _curand_uniform_double(unsigned int x) {
  return fma((double)x, CURAND_2POW32_INV_DOUBLE, CURAND_2POW32_INV_DOUBLE);
}
QUALIFIERS double _curand_uniform_double(unsigned long long x) {
  return fma((double)(x >> 11), CURAND_2POW53_INV_DOUBLE, CURAND_2POW53_INV_DOUBLE / 2.0);
}
// 53 bits from two words.
QUALIFIERS double _curand_uniform_double_hq(unsigned int x, unsigned int y) {
  const unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << (53 - 32));
  return fma((double)z, CURAND_2POW53_INV_DOUBLE, CURAND_2POW53_INV_DOUBLE / 2.0);
}

#define __CURAND_UNIFORM(STATE)                                                                    \
  QUALIFIERS float curand_uniform(STATE *state) { return _curand_uniform(curand(state)); }
__CURAND_UNIFORM(curandStateXORWOW_t)
__CURAND_UNIFORM(curandStatePhilox4_32_10_t)
__CURAND_UNIFORM(curandStateMtgp32_t)
__CURAND_UNIFORM(curandStateSobol32_t)
__CURAND_UNIFORM(curandStateScrambledSobol32_t)
__CURAND_UNIFORM(curandStateSobol64_t)
__CURAND_UNIFORM(curandStateScrambledSobol64_t)
#undef __CURAND_UNIFORM
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *state) {
  return (float)(curand_MRG32k3a(state) * MRG32K3A_NORM);
}
QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  return _curand_uniform4(curand4(state));
}

#define __CURAND_UNIFORM_DOUBLE(STATE)                                                             \
  QUALIFIERS double curand_uniform_double(STATE *state) {                                          \
    return _curand_uniform_double(curand(state));                                                  \
  }
__CURAND_UNIFORM_DOUBLE(curandStatePhilox4_32_10_t)
__CURAND_UNIFORM_DOUBLE(curandStateMtgp32_t)
__CURAND_UNIFORM_DOUBLE(curandStateSobol32_t)
__CURAND_UNIFORM_DOUBLE(curandStateScrambledSobol32_t)
__CURAND_UNIFORM_DOUBLE(curandStateSobol64_t)
__CURAND_UNIFORM_DOUBLE(curandStateScrambledSobol64_t)
#undef __CURAND_UNIFORM_DOUBLE
QUALIFIERS double curand_uniform_double(curandStateXORWOW_t *state) {
  const unsigned int x = curand(state), y = curand(state);
  return _curand_uniform_double_hq(x, y);
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *state) {
  return curand_MRG32k3a(state) * MRG32K3A_NORM;
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  const uint4 x = curand4(state);
  return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
  const uint4 x = curand4(state), y = curand4(state);
  double4 r;
  r.x = _curand_uniform_double_hq(x.x, x.y);
  r.y = _curand_uniform_double_hq(x.z, x.w);
  r.z = _curand_uniform_double_hq(y.x, y.y);
  r.w = _curand_uniform_double_hq(y.z, y.w);
  return r;
}
#endif
