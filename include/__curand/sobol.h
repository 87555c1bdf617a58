// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol' sequences in Gray code order, plain and scrambled, of 32 and 64 bits.
#pragma once

struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t;
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

#if defined(__CUDACC__) // a file without device code gets the types alone

// The lowest bit of i that is not set says which vector changes next.
template <class S> QUALIFIERS auto __curand_sobol_next(S *state) -> decltype(state->x) {
  constexpr int Last = sizeof(state->x) * 8 - 1;
  const auto result = state->x;
  int zero = __ffsll(~(long long)state->i) - 1;
  if (zero < 0 || zero > Last)
    zero = Last;
  state->x ^= state->direction_vectors[zero];
  ++state->i;
  return result;
}

// The value at an index is the sum of the vectors that its Gray code names.
template <class S, class N> QUALIFIERS void __curand_sobol_seek(S *state, N index) {
  state->i = index;
  auto x = state->c;
  const N gray = index ^ (index >> 1);
  for (int k = 0; k < (int)sizeof(N) * 8; ++k)
    if (gray >> k & 1)
      x ^= state->direction_vectors[k];
  state->x = x;
}

#define __CURAND_SOBOL(STATE, WORD)                                                                \
  QUALIFIERS WORD curand(STATE *state) { return __curand_sobol_next(state); }                      \
  QUALIFIERS void skipahead(WORD n, STATE *state) {                                                \
    __curand_sobol_seek(state, (WORD)(state->i + n));                                              \
  }
__CURAND_SOBOL(curandStateSobol32_t, unsigned int)
__CURAND_SOBOL(curandStateScrambledSobol32_t, unsigned int)
__CURAND_SOBOL(curandStateSobol64_t, unsigned long long)
__CURAND_SOBOL(curandStateScrambledSobol64_t, unsigned long long)
#undef __CURAND_SOBOL

#define __CURAND_SOBOL_INIT(STATE, VECTORS, WORD, BITS, ...)                                       \
  {                                                                                                \
    for (int k = 0; k < BITS; ++k)                                                                 \
      state->direction_vectors[k] = direction_vectors[k];                                          \
    state->c = __VA_ARGS__;                                                                        \
    __curand_sobol_seek(state, (WORD)offset);                                                      \
  }
QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int offset,
                            curandStateSobol32_t *state)
    __CURAND_SOBOL_INIT(curandStateSobol32_t, curandDirectionVectors32_t, unsigned int, 32,
                        0) QUALIFIERS
    void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int scramble_c,
                     unsigned int offset, curandStateScrambledSobol32_t *state)
        __CURAND_SOBOL_INIT(curandStateScrambledSobol32_t, curandDirectionVectors32_t, unsigned int,
                            32, scramble_c) QUALIFIERS
    void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long offset,
                     curandStateSobol64_t *state)
        __CURAND_SOBOL_INIT(curandStateSobol64_t, curandDirectionVectors64_t, unsigned long long,
                            64, 0) QUALIFIERS
    void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long scramble_c,
                     unsigned long long offset, curandStateScrambledSobol64_t *state)
        __CURAND_SOBOL_INIT(curandStateScrambledSobol64_t, curandDirectionVectors64_t,
                            unsigned long long, 64, scramble_c)
#undef __CURAND_SOBOL_INIT
#endif
