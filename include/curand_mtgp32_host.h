// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions that prepare states for MTGP32 in kernels.
#ifndef CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "curand.h"
#include "curand_mtgp32.h"
#include "curand_mtgp32dc_p_11213.h"

// The first words of a state from a seed (MTGP's mtgp32_init_state).
static inline void mtgp32_init_state(unsigned int *state, const mtgp32_params_fast_t *para,
                                     unsigned int seed) {
  const int size = para->mexp / 32 + 1;
  const unsigned int hidden = para->tbl[4] ^ (para->tbl[8] << 16);
  unsigned int fill = hidden + (hidden >> 16);
  fill += fill >> 8;
  memset(state, (int)(fill & 0xff), sizeof(unsigned int) * size);
  state[0] = seed;
  state[1] = hidden;
  for (int i = 1; i < size; ++i)
    state[i] ^= 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
}

// Parameters in the layout that kernels read, in device memory.
static inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                                                       mtgp32_kernel_params_t *p) {
  if (!params || !p)
    return CURAND_STATUS_ALLOCATION_FAILED;
  mtgp32_kernel_params_t *host = (mtgp32_kernel_params_t *)malloc(sizeof(*host));
  if (!host)
    return CURAND_STATUS_ALLOCATION_FAILED;
  host->mask[0] = params[0].mask;
  for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i) {
    host->pos_tbl[i] = params[i].pos;
    host->sh1_tbl[i] = params[i].sh1;
    host->sh2_tbl[i] = params[i].sh2;
    memcpy(host->param_tbl[i], params[i].tbl, sizeof(params[i].tbl));
    memcpy(host->temper_tbl[i], params[i].tmp_tbl, sizeof(params[i].tmp_tbl));
    memcpy(host->single_temper_tbl[i], params[i].flt_tmp_tbl, sizeof(params[i].flt_tmp_tbl));
  }
  const cudaError_t error = cudaMemcpy(p, host, sizeof(*host), cudaMemcpyHostToDevice);
  free(host);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}

// n states in device memory, at most 200: each has its own parameters.
static inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t *s,
                                                         mtgp32_params_fast_t params[],
                                                         mtgp32_kernel_params_t *k, int n,
                                                         unsigned long long seed) {
  if (!s || !params || n < 0 || n > CURAND_NUM_MTGP32_PARAMS)
    return CURAND_STATUS_ALLOCATION_FAILED;
  curandStateMtgp32_t *host = (curandStateMtgp32_t *)calloc(n ? n : 1, sizeof(*host));
  if (!host)
    return CURAND_STATUS_ALLOCATION_FAILED;
  seed ^= seed >> 32;
  for (int i = 0; i < n; ++i) {
    mtgp32_init_state(host[i].s, &params[i], (unsigned int)seed + i + 1);
    host[i].pIdx = i;
    host[i].k = k;
  }
  const cudaError_t error = cudaMemcpy(s, host, sizeof(*host) * n, cudaMemcpyHostToDevice);
  free(host);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
#endif
