// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every atomic function with every type. The script checks how many of each instruction result.
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef unsigned short u16;

#define TYPED(TYPE, NAME)                                                                          \
  {                                                                                                \
    TYPE *p = (TYPE *)memory;                                                                      \
    TYPE r = NAME(p, p[1]);                                                                        \
    p[2] = r;                                                                                      \
  }
#define CAS(TYPE, NAME)                                                                            \
  {                                                                                                \
    TYPE *p = (TYPE *)memory;                                                                      \
    TYPE r = NAME(p, p[1], p[2]);                                                                  \
    p[3] = r;                                                                                      \
  }
#define ALL(SCOPE)                                                                                 \
  TYPED(int, atomicAdd##SCOPE)                                                                     \
  TYPED(u32, atomicAdd##SCOPE)                                                                     \
  TYPED(u64, atomicAdd##SCOPE)                                                                     \
  TYPED(float, atomicAdd##SCOPE)                                                                   \
  TYPED(double, atomicAdd##SCOPE)                                                                  \
  TYPED(int, atomicSub##SCOPE)                                                                     \
  TYPED(u32, atomicSub##SCOPE)                                                                     \
  TYPED(int, atomicExch##SCOPE)                                                                    \
  TYPED(u32, atomicExch##SCOPE)                                                                    \
  TYPED(u64, atomicExch##SCOPE)                                                                    \
  TYPED(float, atomicExch##SCOPE)                                                                  \
  TYPED(int, atomicMin##SCOPE)                                                                     \
  TYPED(u32, atomicMin##SCOPE)                                                                     \
  TYPED(i64, atomicMin##SCOPE)                                                                     \
  TYPED(u64, atomicMin##SCOPE)                                                                     \
  TYPED(int, atomicMax##SCOPE)                                                                     \
  TYPED(u32, atomicMax##SCOPE)                                                                     \
  TYPED(i64, atomicMax##SCOPE)                                                                     \
  TYPED(u64, atomicMax##SCOPE)                                                                     \
  TYPED(int, atomicAnd##SCOPE)                                                                     \
  TYPED(u32, atomicAnd##SCOPE)                                                                     \
  TYPED(u64, atomicAnd##SCOPE)                                                                     \
  TYPED(int, atomicOr##SCOPE)                                                                      \
  TYPED(u32, atomicOr##SCOPE)                                                                      \
  TYPED(u64, atomicOr##SCOPE)                                                                      \
  TYPED(int, atomicXor##SCOPE)                                                                     \
  TYPED(u32, atomicXor##SCOPE)                                                                     \
  TYPED(u64, atomicXor##SCOPE)                                                                     \
  TYPED(u32, atomicInc##SCOPE)                                                                     \
  TYPED(u32, atomicDec##SCOPE)                                                                     \
  CAS(int, atomicCAS##SCOPE)                                                                       \
  CAS(u32, atomicCAS##SCOPE)                                                                       \
  CAS(u64, atomicCAS##SCOPE)                                                                       \
  CAS(u16, atomicCAS##SCOPE)

__global__ void device(void *memory){ALL()} __global__
    void block(void *memory){ALL(_block)} __global__ void system(void *memory){ALL(_system)}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void vectors(float2 *two, float4 *four) {
  two[1] = atomicAdd(two, two[2]);
  four[1] = atomicAdd(four, four[2]);
  two[3] = atomicAdd_block(two, two[2]);
  four[3] = atomicAdd_system(four, four[2]);
}
#endif

// Literal arguments, as programs write them.
__global__ void literals(int *i, unsigned *u, float *f, double *d, unsigned long long *ull) {
  atomicAdd(i, 1);
  atomicAdd(u, 1);
  atomicAdd(f, 1);
  atomicAdd(d, 1.0f);
  atomicAdd(ull, 1);
  atomicInc(u, 31);
  atomicCAS(i, 0, 1);
  atomicExch(i, 0);
  atomicMax(i, threadIdx.x);
  __shared__ int count;
  atomicAdd(&count, 1);
}

// With an order and a scope.
template <typename T> __device__ void withOrder(T *p) {
  T old = __nv_atomic_load_n(p, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(p, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  p[1] = __nv_atomic_fetch_add(p, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  p[2] = __nv_atomic_fetch_max(p, 1, __NV_ATOMIC_SEQ_CST);
  p[3] = __nv_atomic_exchange_n(p, old, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_xor(p, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_compare_exchange_n(p, &old, 1, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
}
__global__ void orders(int *i, unsigned long long *u, float *f) {
#ifdef WITH_ORDER
  withOrder(i);
  withOrder(u);
  __nv_atomic_add(f, 1.0f, __NV_ATOMIC_RELAXED);
  __nv_atomic_load(f, f + 1, __NV_ATOMIC_RELAXED);
#endif
}
