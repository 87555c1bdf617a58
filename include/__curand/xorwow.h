// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XORWOW (Marsaglia, "Xorshift RNGs"): five words of a linear recurrence, and a Weyl sequence.
#pragma once
#include "../curand_precalc.h"

struct curandStateXORWOW {
  unsigned int d;
  unsigned int v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

#if defined(__CUDACC__) // a file without device code gets the types alone

QUALIFIERS unsigned int curand(curandStateXORWOW_t *state) {
  const unsigned int t = state->v[0] ^ (state->v[0] >> 2);
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}

// The sum of the states that P's coefficients name, without the Weyl sequence.
static __device__ void __curand_xorwow_apply(curandStateXORWOW_t *state,
                                             const unsigned int *polynomial) {
  curandStateXORWOW_t at = *state;
  unsigned int sum[5] = {0, 0, 0, 0, 0};
  for (int word = 0; word < 5; ++word) {
    const unsigned int bits = polynomial[word];
    for (int bit = 0; bit < 32; ++bit) {
      const unsigned int mask = 0u - (bits >> bit & 1);
      for (int i = 0; i < 5; ++i)
        sum[i] ^= at.v[i] & mask;
      curand(&at);
    }
  }
  for (int i = 0; i < 5; ++i)
    state->v[i] = sum[i];
}

static __device__ void __curand_xorwow_jump(unsigned long long n, curandStateXORWOW_t *state,
                                            const __curand_tables::XorwowTable &table) {
  for (int i = 0; n; n >>= 1, ++i)
    if (n & 1)
      __curand_xorwow_apply(state, table.Powers[i].Words);
}

QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  __curand_xorwow_jump(n, state, __curand_xorwow_steps);
  state->d += 362437 * (unsigned int)n;
}

// The Weyl sequence is the same after any multiple of 2^32 steps.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  __curand_xorwow_jump(n, state, __curand_xorwow_sequences);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t *state) {
  const unsigned int s0 = (unsigned int)seed ^ 0xaad26b49u,
                     s1 = (unsigned int)(seed >> 32) ^ 0xf7dcefddu;
  const unsigned int t0 = 1099087573u * s0, t1 = 2591861531u * s1;
  state->d = 6615241u + t1 + t0;
  state->v[0] = 123456789u + t0;
  state->v[1] = 362436069u ^ t0;
  state->v[2] = 521288629u + t1;
  state->v[3] = 88675123u ^ t1;
  state->v[4] = 5783321u + t0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.f;
  state->boxmuller_extra_double = 0.;
}
#endif
