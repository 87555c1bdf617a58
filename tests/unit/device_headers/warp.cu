// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions, with and without masks, for every type.
#define SHUFFLES(TYPE)                                                                             \
  {                                                                                                \
    TYPE *p = (TYPE *)memory, v = p[threadIdx.x];                                                  \
    p[0] = __shfl_sync(0xffffffff, v, 3);                                                          \
    p[1] = __shfl_up_sync(0xffffffff, v, 1);                                                       \
    p[2] = __shfl_down_sync(0xffffffff, v, 1, 16);                                                 \
    p[3] = __shfl_xor_sync(0xffffffff, v, 1, 8);                                                   \
    p[4] = __shfl(v, 3) + __shfl_up(v, 1) + __shfl_down(v, 1) + __shfl_xor(v, 1, 16);              \
  }
#define MATCHES(TYPE)                                                                              \
  {                                                                                                \
    TYPE *p = (TYPE *)memory, v = p[threadIdx.x];                                                  \
    out[0] += __match_any_sync(0xffffffff, v);                                                     \
    out[1] += __match_all_sync(0xffffffff, v, predicate);                                          \
  }
#define ALL(DO)                                                                                    \
  DO(int)                                                                                          \
  DO(unsigned)                                                                                     \
  DO(long)                                                                                         \
  DO(unsigned long)                                                                                \
  DO(long long)                                                                                    \
  DO(unsigned long long)                                                                           \
  DO(float)                                                                                        \
  DO(double)

__global__ void shuffles(void *memory){ALL(SHUFFLES)}

__global__ void matches(void *memory, unsigned *out, int *predicate){ALL(MATCHES)}

__global__ void votes(unsigned *out, int p) {
  out[0] = __ballot_sync(0xffffffff, p) + __ballot(p);
  out[1] = __any_sync(0xffffffff, p) + __any(p);
  out[2] = __all_sync(0xffffffff, p) + __all(p > 1);
  out[3] = __uni_sync(0xffffffff, p);
  out[4] = __activemask();
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__global__ void reductions(unsigned *u, int *i) {
  u[0] = __reduce_add_sync(0xffffffff, u[1]);
  u[1] = __reduce_min_sync(0xffffffff, u[1]) + __reduce_max_sync(0xffffffff, u[1]);
  u[2] = __reduce_and_sync(0xffffffff, u[1]) + __reduce_or_sync(0xffffffff, u[1]) +
         __reduce_xor_sync(0xffffffff, u[1]);
  i[0] = __reduce_add_sync(0xffffffff, i[1]);
  i[1] = __reduce_min_sync(0xffffffff, i[1]) + __reduce_max_sync(0xffffffff, i[1]);
}
#endif
