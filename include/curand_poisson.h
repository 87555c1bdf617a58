// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poisson numbers for one mean in each call. One word a number: the inverse of the distribution
// function.
#ifndef CURAND_POISSON_H_
#define CURAND_POISSON_H_
#include "curand_mrg32k3a.h"
#include "curand_mtgp32_kernel.h"
#include "curand_normal.h"
#include "curand_uniform.h"

#include "__curand/poisson.h"

// The inverse by summation: e^-λ is applied in parts of at most e^-500, which a double holds.
QUALIFIERS unsigned int __curand_poisson_inverse(double u, double lambda) {
  double p = 1.0, q = 1.0;
  unsigned int k = 0;
  int power = 0;
  do {
    const double part = lambda > (double)(power + 500) ? exp(-500.0) : exp((double)power - lambda);
    p *= part;
    q *= part;
    power += 500;
    while (u > q) {
      ++k;
      p *= lambda / (double)k;
      q += p;
    }
  } while ((double)power < lambda);
  return k;
}
template <class W> QUALIFIERS unsigned int _curand_poisson(W x, double lambda) {
  if (lambda < 1000)
    return __curand_poisson_inverse(_curand_uniform_double(x), lambda);
  return __curand_poisson_rounded(_curand_normal_icdf_double(x), lambda);
}

#define __CURAND_POISSON(STATE, WAY)                                                               \
  QUALIFIERS unsigned int curand_poisson(STATE *state, double lambda) { return WAY; }
__CURAND_POISSON(curandStateXORWOW_t, __curand_poisson_independent(state, lambda))
__CURAND_POISSON(curandStateMRG32k3a_t, __curand_poisson_independent(state, lambda))
__CURAND_POISSON(curandStatePhilox4_32_10_t, __curand_poisson_independent(state, lambda))
__CURAND_POISSON(curandStateMtgp32_t, _curand_poisson(curand(state), lambda))
__CURAND_POISSON(curandStateSobol32_t, _curand_poisson(curand(state), lambda))
__CURAND_POISSON(curandStateScrambledSobol32_t, _curand_poisson(curand(state), lambda))
__CURAND_POISSON(curandStateSobol64_t, _curand_poisson(curand(state), lambda))
__CURAND_POISSON(curandStateScrambledSobol64_t, _curand_poisson(curand(state), lambda))
#undef __CURAND_POISSON

// Four one after another; large means take pairs of normal numbers.
QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  if (lambda <= 4000) {
    uint4 r;
    r.x = curand_poisson(state, lambda);
    r.y = curand_poisson(state, lambda);
    r.z = curand_poisson(state, lambda);
    r.w = curand_poisson(state, lambda);
    return r;
  }
  const double4 n = curand_normal4_double(state);
  return make_uint4(__curand_poisson_rounded(n.x, lambda), __curand_poisson_rounded(n.y, lambda),
                    __curand_poisson_rounded(n.z, lambda), __curand_poisson_rounded(n.w, lambda));
}
#endif
