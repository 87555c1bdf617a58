// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal numbers with mean 0 and standard deviation 1. Generators of independent words use Box and
// Muller's transform and keep the second number for the next call; the others use the inverse of
// the distribution function.
#ifndef CURAND_NORMAL_H_
#define CURAND_NORMAL_H_
#include "curand_mrg32k3a.h"
#include "curand_mtgp32_kernel.h"
#include "curand_normal_static.h"
#include "curand_uniform.h"

#define EXTRA_FLAG_NORMAL 0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002

QUALIFIERS float2 __curand_polar(float u, float v) {
  float2 r;
  const float s = sqrtf(-2.0f * logf(u));
  __sincosf(v, &r.x, &r.y);
  r.x *= s;
  r.y *= s;
  return r;
}
QUALIFIERS double2 __curand_polar_double(double u, double v) {
  double2 r;
  const double s = sqrt(-2.0 * log(u));
  sincospi(v, &r.x, &r.y);
  r.x *= s;
  r.y *= s;
  return r;
}
QUALIFIERS float2 _curand_box_muller(unsigned int x, unsigned int y) {
  return __curand_polar(fmaf((float)x, CURAND_2POW32_INV, CURAND_2POW32_INV / 2),
                        fmaf((float)y, CURAND_2POW32_INV_2PI, CURAND_2POW32_INV_2PI / 2));
}
QUALIFIERS double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                             unsigned int y1) {
  const unsigned long long zx = (unsigned long long)x0 ^ ((unsigned long long)x1 << (53 - 32));
  const unsigned long long zy = (unsigned long long)y0 ^ ((unsigned long long)y1 << (53 - 32));
  return __curand_polar_double(
      fma((double)zx, CURAND_2POW53_INV_DOUBLE, CURAND_2POW53_INV_DOUBLE / 2.0),
      fma((double)zy, CURAND_2POW53_INV_DOUBLE * 2.0, CURAND_2POW53_INV_DOUBLE));
}

// Two numbers from the next words of a generator.
template <class R> QUALIFIERS float2 curand_box_muller(R *state) {
  const unsigned int x = curand(state), y = curand(state);
  return _curand_box_muller(x, y);
}
QUALIFIERS float2 curand_box_muller(curandStateMRG32k3a_t *state) {
  const float x = curand_uniform(state);
  const float y = curand_uniform(state) * CURAND_2PI;
  return __curand_polar(x, y);
}
template <class R> QUALIFIERS double2 curand_box_muller_double(R *state) {
  const unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return _curand_box_muller_double(x0, x1, y0, y1);
}
QUALIFIERS double2 curand_box_muller_double(curandStateMRG32k3a_t *state) {
  const double x = curand_uniform_double(state);
  const double y = curand_uniform_double(state) * 2.0;
  return __curand_polar_double(x, y);
}
template <class R> QUALIFIERS float4 curand_box_muller4(R *state) {
  const uint4 x = curand4(state);
  const float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
template <class R> QUALIFIERS double2 curand_box_muller2_double(R *state) {
  const uint4 x = curand4(state);
  return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}

template <class R> QUALIFIERS float __curand_kept_normal(R *state) {
  if (state->boxmuller_flag != EXTRA_FLAG_NORMAL) {
    const float2 v = curand_box_muller(state);
    state->boxmuller_extra = v.y;
    state->boxmuller_flag = EXTRA_FLAG_NORMAL;
    return v.x;
  }
  state->boxmuller_flag = 0;
  return state->boxmuller_extra;
}
template <class R> QUALIFIERS double __curand_kept_normal_double(R *state) {
  if (state->boxmuller_flag_double != EXTRA_FLAG_NORMAL) {
    const double2 v = curand_box_muller_double(state);
    state->boxmuller_extra_double = v.y;
    state->boxmuller_flag_double = EXTRA_FLAG_NORMAL;
    return v.x;
  }
  state->boxmuller_flag_double = 0;
  return state->boxmuller_extra_double;
}

#define __CURAND_NORMAL(STATE)                                                                     \
  QUALIFIERS float curand_normal(STATE *state) { return __curand_kept_normal(state); }             \
  QUALIFIERS float2 curand_normal2(STATE *state) { return curand_box_muller(state); }              \
  QUALIFIERS double curand_normal_double(STATE *state) {                                           \
    return __curand_kept_normal_double(state);                                                     \
  }
__CURAND_NORMAL(curandStateXORWOW_t)
__CURAND_NORMAL(curandStateMRG32k3a_t)
__CURAND_NORMAL(curandStatePhilox4_32_10_t)
#undef __CURAND_NORMAL
QUALIFIERS double2 curand_normal2_double(curandStateXORWOW_t *state) {
  return curand_box_muller_double(state);
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
  return curand_box_muller_double(state);
}
QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
  return curand_box_muller2_double(state);
}
QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  return curand_box_muller4(state);
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  const double2 a = curand_box_muller2_double(state), b = curand_box_muller2_double(state);
  double4 r;
  r.x = a.x;
  r.y = a.y;
  r.z = b.x;
  r.w = b.y;
  return r;
}

#define __CURAND_NORMAL_ICDF(STATE)                                                                \
  QUALIFIERS float curand_normal(STATE *state) { return _curand_normal_icdf(curand(state)); }      \
  QUALIFIERS double curand_normal_double(STATE *state) {                                           \
    return _curand_normal_icdf_double(curand(state));                                              \
  }
__CURAND_NORMAL_ICDF(curandStateMtgp32_t)
__CURAND_NORMAL_ICDF(curandStateSobol32_t)
__CURAND_NORMAL_ICDF(curandStateScrambledSobol32_t)
__CURAND_NORMAL_ICDF(curandStateSobol64_t)
__CURAND_NORMAL_ICDF(curandStateScrambledSobol64_t)
#undef __CURAND_NORMAL_ICDF
#endif
