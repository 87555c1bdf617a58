// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MTGP32's draws: all threads of a block (up to 256) take part in each and share one state.
#ifndef CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H
#include "curand_mtgp32.h"

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

QUALIFIERS unsigned int para_rec(mtgp32_kernel_params_t *k, unsigned int X1, unsigned int X2,
                                 unsigned int Y, int bid) {
  unsigned int x = (X1 & k->mask[0]) ^ X2;
  x ^= x << k->sh1_tbl[bid];
  const unsigned int y = x ^ (Y >> k->sh2_tbl[bid]);
  return y ^ k->param_tbl[bid][y & 0x0f];
}

QUALIFIERS unsigned int __curand_mtgp_fold(unsigned int t) {
  t ^= t >> 16;
  t ^= t >> 8;
  return t & 0x0f;
}
QUALIFIERS unsigned int temper(mtgp32_kernel_params_t *k, unsigned int V, unsigned int T, int bid) {
  return V ^ k->temper_tbl[bid][__curand_mtgp_fold(T)];
}
QUALIFIERS unsigned int temper_single(mtgp32_kernel_params_t *k, unsigned int V, unsigned int T,
                                      int bid) {
  return (V >> 9) ^ k->single_temper_tbl[bid][__curand_mtgp_fold(T)];
}

// One step by n threads; the word before tempering, and the one that decides how to temper.
QUALIFIERS unsigned int __curand_mtgp_step(curandStateMtgp32_t *state, unsigned int t,
                                           unsigned int n, unsigned int *tempering) {
  const int bid = state->pIdx;
  const unsigned int pos = state->k->pos_tbl[bid], at = t + state->offset;
  unsigned int *s = state->s;
  const unsigned int r =
      para_rec(state->k, s[at & MTGP32_STATE_MASK], s[(at + 1) & MTGP32_STATE_MASK],
               s[(at + pos) & MTGP32_STATE_MASK], bid);
  s[(at + MTGPDC_N) & MTGP32_STATE_MASK] = r;
  *tempering = s[(at + pos - 1) & MTGP32_STATE_MASK];
  __syncthreads();
  if (t == 0)
    state->offset = (state->offset + n) & MTGP32_STATE_MASK;
  __syncthreads();
  return r;
}

QUALIFIERS unsigned int __curand_mtgp_thread() {
  return (blockDim.y * threadIdx.z + threadIdx.y) * blockDim.x + threadIdx.x;
}
QUALIFIERS unsigned int __curand_mtgp_threads() { return blockDim.x * blockDim.y * blockDim.z; }

QUALIFIERS unsigned int curand(curandStateMtgp32_t *state) {
  unsigned int t;
  const unsigned int r =
      __curand_mtgp_step(state, __curand_mtgp_thread(), __curand_mtgp_threads(), &t);
  return temper(state->k, r, t, state->pIdx);
}
QUALIFIERS unsigned int curand_mtgp32_specific(curandStateMtgp32_t *state, unsigned char index,
                                               unsigned char n) {
  unsigned int t;
  const unsigned int r = __curand_mtgp_step(state, index, n, &t);
  return temper(state->k, r, t, state->pIdx);
}
QUALIFIERS float curand_mtgp32_single(curandStateMtgp32_t *state) {
  unsigned int t;
  const unsigned int r =
      __curand_mtgp_step(state, __curand_mtgp_thread(), __curand_mtgp_threads(), &t);
  return __int_as_float(temper_single(state->k, r, t, state->pIdx));
}
QUALIFIERS float curand_mtgp32_single_specific(curandStateMtgp32_t *state, unsigned char index,
                                               unsigned char n) {
  unsigned int t;
  const unsigned int r = __curand_mtgp_step(state, index, n, &t);
  return __int_as_float(temper_single(state->k, r, t, state->pIdx));
}
#endif
