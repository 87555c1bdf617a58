// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Log-normal numbers: e to the power of normal ones.
#ifndef CURAND_LOGNORMAL_H_
#define CURAND_LOGNORMAL_H_
#include "curand_normal.h"

QUALIFIERS float __curand_log_of(float v, float mean, float stddev) {
  return expf(fmaf(stddev, v, mean));
}
QUALIFIERS double __curand_log_of(double v, double mean, double stddev) {
  return exp(fma(stddev, v, mean));
}

template <class R> QUALIFIERS float __curand_kept_log_normal(R *state, float mean, float stddev) {
  if (state->boxmuller_flag != EXTRA_FLAG_LOG_NORMAL) {
    const float2 v = curand_box_muller(state);
    state->boxmuller_extra = __curand_log_of(v.y, mean, stddev);
    state->boxmuller_flag = EXTRA_FLAG_LOG_NORMAL;
    return __curand_log_of(v.x, mean, stddev);
  }
  state->boxmuller_flag = 0;
  return state->boxmuller_extra;
}
template <class R>
QUALIFIERS double __curand_kept_log_normal_double(R *state, double mean, double stddev) {
  if (state->boxmuller_flag_double != EXTRA_FLAG_LOG_NORMAL) {
    const double2 v = curand_box_muller_double(state);
    state->boxmuller_extra_double = __curand_log_of(v.y, mean, stddev);
    state->boxmuller_flag_double = EXTRA_FLAG_LOG_NORMAL;
    return __curand_log_of(v.x, mean, stddev);
  }
  state->boxmuller_flag_double = 0;
  return state->boxmuller_extra_double;
}

#define __CURAND_LOG_NORMAL(STATE)                                                                 \
  QUALIFIERS float curand_log_normal(STATE *state, float mean, float stddev) {                     \
    return __curand_kept_log_normal(state, mean, stddev);                                          \
  }                                                                                                \
  QUALIFIERS double curand_log_normal_double(STATE *state, double mean, double stddev) {           \
    return __curand_kept_log_normal_double(state, mean, stddev);                                   \
  }                                                                                                \
  QUALIFIERS float2 curand_log_normal2(STATE *state, float mean, float stddev) {                   \
    const float2 v = curand_normal2(state);                                                        \
    return make_float2(__curand_log_of(v.x, mean, stddev), __curand_log_of(v.y, mean, stddev));    \
  }                                                                                                \
  QUALIFIERS double2 curand_log_normal2_double(STATE *state, double mean, double stddev) {         \
    const double2 v = curand_normal2_double(state);                                                \
    return make_double2(__curand_log_of(v.x, mean, stddev), __curand_log_of(v.y, mean, stddev));   \
  }
__CURAND_LOG_NORMAL(curandStateXORWOW_t)
__CURAND_LOG_NORMAL(curandStateMRG32k3a_t)
__CURAND_LOG_NORMAL(curandStatePhilox4_32_10_t)
#undef __CURAND_LOG_NORMAL

QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
  const float4 v = curand_normal4(state);
  return make_float4(__curand_log_of(v.x, mean, stddev), __curand_log_of(v.y, mean, stddev),
                     __curand_log_of(v.z, mean, stddev), __curand_log_of(v.w, mean, stddev));
}
QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                             double stddev) {
  double4 v = curand_normal4_double(state);
  v.x = __curand_log_of(v.x, mean, stddev);
  v.y = __curand_log_of(v.y, mean, stddev);
  v.z = __curand_log_of(v.z, mean, stddev);
  v.w = __curand_log_of(v.w, mean, stddev);
  return v;
}

#define __CURAND_LOG_NORMAL_ICDF(STATE)                                                            \
  QUALIFIERS float curand_log_normal(STATE *state, float mean, float stddev) {                     \
    return __curand_log_of(curand_normal(state), mean, stddev);                                    \
  }                                                                                                \
  QUALIFIERS double curand_log_normal_double(STATE *state, double mean, double stddev) {           \
    return __curand_log_of(curand_normal_double(state), mean, stddev);                             \
  }
__CURAND_LOG_NORMAL_ICDF(curandStateMtgp32_t)
__CURAND_LOG_NORMAL_ICDF(curandStateSobol32_t)
__CURAND_LOG_NORMAL_ICDF(curandStateScrambledSobol32_t)
__CURAND_LOG_NORMAL_ICDF(curandStateSobol64_t)
__CURAND_LOG_NORMAL_ICDF(curandStateScrambledSobol64_t)
#undef __CURAND_LOG_NORMAL_ICDF
#endif
