// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws from a discrete distribution: one look into its table, or a rounded normal number.
#ifndef CURAND_DISCRETE2_H_
#define CURAND_DISCRETE2_H_
#include "curand_discrete.h"
#include "curand_normal.h"

template <class W>
QUALIFIERS unsigned int _curand_discrete(W x, curandDiscreteDistribution_t distribution) {
  if (distribution->method != CURAND_M2)
    return (
        unsigned int)(fma(distribution->stddev, _curand_normal_icdf_double(x), distribution->mean) +
                      0.5);
  const curandDistributionM2Shift_t table = distribution->M2;
  const double u = _curand_uniform_double(x);
  const unsigned int column = (unsigned int)floor(table->length * u);
  if (u < table->histogram->V[column])
    return table->shift + column;
  return table->shift + table->histogram->K[column];
}

#define __CURAND_DISCRETE(STATE)                                                                   \
  QUALIFIERS unsigned int curand_discrete(STATE *state,                                            \
                                          curandDiscreteDistribution_t discrete_distribution) {    \
    return _curand_discrete(curand(state), discrete_distribution);                                 \
  }
__CURAND_DISCRETE(curandStateXORWOW_t)
__CURAND_DISCRETE(curandStateMRG32k3a_t)
__CURAND_DISCRETE(curandStatePhilox4_32_10_t)
__CURAND_DISCRETE(curandStateMtgp32_t)
__CURAND_DISCRETE(curandStateSobol32_t)
__CURAND_DISCRETE(curandStateScrambledSobol32_t)
__CURAND_DISCRETE(curandStateSobol64_t)
__CURAND_DISCRETE(curandStateScrambledSobol64_t)
#undef __CURAND_DISCRETE

QUALIFIERS uint4 curand_discrete4(curandStatePhilox4_32_10_t *state,
                                  curandDiscreteDistribution_t discrete_distribution) {
  const uint4 x = curand4(state);
  return make_uint4(
      _curand_discrete(x.x, discrete_distribution), _curand_discrete(x.y, discrete_distribution),
      _curand_discrete(x.z, discrete_distribution), _curand_discrete(x.w, discrete_distribution));
}
#endif
