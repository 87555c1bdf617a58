// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws from Philox4x32-10, one word or four.
#pragma once
#include "../curand_philox4x32_x.h"

QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *state) {
  const uint4 o = state->output;
  const unsigned int at = state->STATE++;
  const unsigned int ret = at == 0 ? o.x : at == 1 ? o.y : at == 2 ? o.z : o.w;
  if (state->STATE >= 4) {
    Philox_State_Incr(state);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
    state->STATE = 0;
  }
  return ret;
}

// The next four, though they span two blocks of four.
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *state) {
  const uint4 a = state->output;
  Philox_State_Incr(state);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
  const uint4 b = state->output;
  const unsigned int s = state->STATE;
  uint4 r;
  r.x = s == 0 ? a.x : s == 1 ? a.y : s == 2 ? a.z : a.w;
  r.y = s == 0 ? a.y : s == 1 ? a.z : s == 2 ? a.w : b.x;
  r.z = s == 0 ? a.z : s == 1 ? a.w : s == 2 ? b.x : b.y;
  r.w = s == 0 ? a.w : s == 1 ? b.x : s == 2 ? b.y : b.z;
  return r;
}

QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  state->STATE += (unsigned int)(n & 3);
  n >>= 2;
  if (state->STATE > 3) {
    ++n;
    state->STATE -= 4;
  }
  Philox_State_Incr(state, n);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

// Sequences are 2^66 numbers apart.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  Philox_State_Incr_hi(state, n);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10_t *state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key.x = (unsigned int)seed;
  state->key.y = (unsigned int)(seed >> 32);
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.f;
  state->boxmuller_extra_double = 0.;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
