// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions (CUDA C++ Programming Guide, "Atomic Functions").
//
// Each becomes one `atomicrmw` or `cmpxchg` instruction (or the PTX that does) with monotonic
// ordering: CUDA's atomics are relaxed and order nothing but themselves. The _block and _system
// variants differ on a GPU only in which threads they are atomic against; every device of this
// machine shares one coherent memory, so all three are the same here.
#pragma once

#include <__heddle/define.h>

#define __HEDDLE_ATOMIC_SCOPES(MAKE)                                                               \
  MAKE()                                                                                           \
  MAKE(_block)                                                                                     \
  MAKE(_system)

#define __HEDDLE_ATOMIC(NAME, TYPE, FETCH)                                                         \
  __HEDDLE_DEVICE__ TYPE NAME(TYPE *address, TYPE value) {                                         \
    return FETCH(address, value, __ATOMIC_RELAXED);                                                \
  }

#define __HEDDLE_ATOMIC_CAS(NAME, TYPE)                                                            \
  __HEDDLE_DEVICE__ TYPE NAME(TYPE *address, TYPE compare, TYPE value) {                           \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED,                 \
                                __ATOMIC_RELAXED);                                                 \
    return compare;                                                                                \
  }

// Clang 19 has no builtin that becomes `atomicrmw uinc_wrap` or `udec_wrap`; atom.inc and atom.dec
// of PTX do (module/ptx/instructions/atomic.cpp).
#define __HEDDLE_ATOMIC_WRAPPING(NAME, OPERATION)                                                  \
  __HEDDLE_DEVICE__ unsigned NAME(unsigned *address, unsigned bound) {                             \
    unsigned old;                                                                                  \
    asm volatile("atom." OPERATION ".u32 %0, [%1], %2;"                                            \
                 : "=r"(old)                                                                       \
                 : "l"(address), "r"(bound)                                                        \
                 : "memory");                                                                      \
    return old;                                                                                    \
  }

#define __HEDDLE_ATOMIC_ALL(SCOPE)                                                                 \
  __HEDDLE_ATOMIC(atomicAdd##SCOPE, int, __atomic_fetch_add)                                       \
  __HEDDLE_ATOMIC(atomicAdd##SCOPE, unsigned, __atomic_fetch_add)                                  \
  __HEDDLE_ATOMIC(atomicAdd##SCOPE, unsigned long long, __atomic_fetch_add)                        \
  __HEDDLE_ATOMIC(atomicAdd##SCOPE, float, __atomic_fetch_add)                                     \
  __HEDDLE_ATOMIC(atomicAdd##SCOPE, double, __atomic_fetch_add)                                    \
  __HEDDLE_ATOMIC(atomicSub##SCOPE, int, __atomic_fetch_sub)                                       \
  __HEDDLE_ATOMIC(atomicSub##SCOPE, unsigned, __atomic_fetch_sub)                                  \
  __HEDDLE_ATOMIC(atomicExch##SCOPE, int, __atomic_exchange_n)                                     \
  __HEDDLE_ATOMIC(atomicExch##SCOPE, unsigned, __atomic_exchange_n)                                \
  __HEDDLE_ATOMIC(atomicExch##SCOPE, unsigned long long, __atomic_exchange_n)                      \
  __HEDDLE_DEVICE__ float atomicExch##SCOPE(float *address, float value) {                         \
    float old;                                                                                     \
    __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);                                    \
    return old;                                                                                    \
  }                                                                                                \
  __HEDDLE_ATOMIC(atomicMin##SCOPE, int, __atomic_fetch_min)                                       \
  __HEDDLE_ATOMIC(atomicMin##SCOPE, unsigned, __atomic_fetch_min)                                  \
  __HEDDLE_ATOMIC(atomicMin##SCOPE, long long, __atomic_fetch_min)                                 \
  __HEDDLE_ATOMIC(atomicMin##SCOPE, unsigned long long, __atomic_fetch_min)                        \
  __HEDDLE_ATOMIC(atomicMax##SCOPE, int, __atomic_fetch_max)                                       \
  __HEDDLE_ATOMIC(atomicMax##SCOPE, unsigned, __atomic_fetch_max)                                  \
  __HEDDLE_ATOMIC(atomicMax##SCOPE, long long, __atomic_fetch_max)                                 \
  __HEDDLE_ATOMIC(atomicMax##SCOPE, unsigned long long, __atomic_fetch_max)                        \
  __HEDDLE_ATOMIC(atomicAnd##SCOPE, int, __atomic_fetch_and)                                       \
  __HEDDLE_ATOMIC(atomicAnd##SCOPE, unsigned, __atomic_fetch_and)                                  \
  __HEDDLE_ATOMIC(atomicAnd##SCOPE, long long, __atomic_fetch_and)                                 \
  __HEDDLE_ATOMIC(atomicAnd##SCOPE, unsigned long long, __atomic_fetch_and)                        \
  __HEDDLE_ATOMIC(atomicOr##SCOPE, int, __atomic_fetch_or)                                         \
  __HEDDLE_ATOMIC(atomicOr##SCOPE, unsigned, __atomic_fetch_or)                                    \
  __HEDDLE_ATOMIC(atomicOr##SCOPE, long long, __atomic_fetch_or)                                   \
  __HEDDLE_ATOMIC(atomicOr##SCOPE, unsigned long long, __atomic_fetch_or)                          \
  __HEDDLE_ATOMIC(atomicXor##SCOPE, int, __atomic_fetch_xor)                                       \
  __HEDDLE_ATOMIC(atomicXor##SCOPE, unsigned, __atomic_fetch_xor)                                  \
  __HEDDLE_ATOMIC(atomicXor##SCOPE, long long, __atomic_fetch_xor)                                 \
  __HEDDLE_ATOMIC(atomicXor##SCOPE, unsigned long long, __atomic_fetch_xor)                        \
  __HEDDLE_ATOMIC_WRAPPING(atomicInc##SCOPE, "inc")                                                \
  __HEDDLE_ATOMIC_WRAPPING(atomicDec##SCOPE, "dec")                                                \
  __HEDDLE_ATOMIC_CAS(atomicCAS##SCOPE, int)                                                       \
  __HEDDLE_ATOMIC_CAS(atomicCAS##SCOPE, unsigned)                                                  \
  __HEDDLE_ATOMIC_CAS(atomicCAS##SCOPE, unsigned long long)                                        \
  __HEDDLE_ATOMIC_CAS(atomicCAS##SCOPE, unsigned short)

__HEDDLE_ATOMIC_SCOPES(__HEDDLE_ATOMIC_ALL)

// Vector additions are atomic element by element, not as a whole.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define __HEDDLE_ATOMIC_VECTOR(SCOPE)                                                              \
  __HEDDLE_DEVICE__ float2 atomicAdd##SCOPE(float2 *address, float2 value) {                       \
    float2 old;                                                                                    \
    old.x = atomicAdd##SCOPE(&address->x, value.x);                                                \
    old.y = atomicAdd##SCOPE(&address->y, value.y);                                                \
    return old;                                                                                    \
  }                                                                                                \
  __HEDDLE_DEVICE__ float4 atomicAdd##SCOPE(float4 *address, float4 value) {                       \
    float4 old;                                                                                    \
    old.x = atomicAdd##SCOPE(&address->x, value.x);                                                \
    old.y = atomicAdd##SCOPE(&address->y, value.y);                                                \
    old.z = atomicAdd##SCOPE(&address->z, value.z);                                                \
    old.w = atomicAdd##SCOPE(&address->w, value.w);                                                \
    return old;                                                                                    \
  }
__HEDDLE_ATOMIC_SCOPES(__HEDDLE_ATOMIC_VECTOR)
#undef __HEDDLE_ATOMIC_VECTOR
#endif

#undef __HEDDLE_ATOMIC_ALL
#undef __HEDDLE_ATOMIC_WRAPPING
#undef __HEDDLE_ATOMIC_CAS
#undef __HEDDLE_ATOMIC
#undef __HEDDLE_ATOMIC_SCOPES
