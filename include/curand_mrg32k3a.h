// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
// number generators").
#ifndef CURAND_MRG32K3A_H
#define CURAND_MRG32K3A_H
#include "curand_precalc.h"

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

#define MRG32K3A_MOD1 4294967087.
#define MRG32K3A_MOD2 4294944443.
#define MRG32K3A_A12 1403580.
#define MRG32K3A_A13N 810728.
#define MRG32K3A_A21 527612.
#define MRG32K3A_A23N 1370589.
#define MRG32K3A_NORM (2.3283065498378288e-10)
#define MRG32K3A_BITS_NORM (1.000000048662)

struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#if defined(__CUDACC__) // a file without device code gets the types alone

// The next value, in 1…m1.
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t *state) {
  constexpr unsigned long long m1 = 4294967087ULL, m2 = 4294944443ULL;
  const unsigned int p1 =
      (unsigned int)((1403580ULL * state->s1[1] + 810728ULL * (m1 - state->s1[0])) % m1);
  const unsigned int p2 =
      (unsigned int)((527612ULL * state->s2[2] + 1370589ULL * (m2 - state->s2[0])) % m2);
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = p1;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = p2;
  return p1 <= p2 ? (double)p1 - (double)p2 + MRG32K3A_MOD1 : (double)(p1 - p2);
}

QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *state) {
  return (unsigned int)(curand_MRG32k3a(state) * MRG32K3A_BITS_NORM);
}

static __device__ void __curand_mrg_apply(unsigned int *s, const __curand_tables::MrgMatrix &m,
                                          unsigned long long modulus) {
  unsigned int next[3];
  for (int i = 0; i < 3; ++i) {
    unsigned long long sum = 0;
    for (int k = 0; k < 3; ++k)
      sum += (unsigned long long)m.Rows[i][k] * s[k] % modulus;
    next[i] = (unsigned int)(sum % modulus);
  }
  for (int i = 0; i < 3; ++i)
    s[i] = next[i];
}

static __device__ void __curand_mrg_jump(unsigned long long n, curandStateMRG32k3a_t *state,
                                         const __curand_tables::MrgTable *tables) {
  for (int i = 0; n; n >>= 1, ++i)
    if (n & 1) {
      __curand_mrg_apply(state->s1, tables[0].Powers[i], 4294967087ULL);
      __curand_mrg_apply(state->s2, tables[1].Powers[i], 4294944443ULL);
    }
}

QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
  __curand_mrg_jump(n, state, __curand_mrg_steps);
}
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  __curand_mrg_jump(n, state, __curand_mrg_subsequences);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  __curand_mrg_jump(n, state, __curand_mrg_sequences);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t *state) {
  for (int i = 0; i < 3; ++i)
    state->s1[i] = state->s2[i] = 12345u;
  if (seed != 0) {
    const unsigned int x1 = (unsigned int)seed ^ 0x55555555u,
                       x2 = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
    state->s1[0] = (unsigned int)(12345ULL * x1 % 4294967087ULL);
    state->s1[1] = (unsigned int)(12345ULL * x2 % 4294967087ULL);
    state->s1[2] = (unsigned int)(12345ULL * x1 % 4294967087ULL);
    state->s2[0] = (unsigned int)(12345ULL * x2 % 4294944443ULL);
    state->s2[1] = (unsigned int)(12345ULL * x1 % 4294944443ULL);
    state->s2[2] = (unsigned int)(12345ULL * x2 % 4294944443ULL);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.f;
  state->boxmuller_extra_double = 0.;
}
#endif
#endif
