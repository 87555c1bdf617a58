// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores with cache hints, and questions about address spaces (CUDA C++ Programming
// Guide, "Read-Only Data Cache Load Function", "Load/Store Functions Using Cache Hints", "Address
// Space Predicate/Conversion Functions").
//
// Hints do not change what is loaded. The forms by which blocks talk to each other (.cg, .cv, .wt)
// must really go to memory each time, so they are volatile, element by element.
#pragma once

#include <__heddle/define.h>

#define __HEDDLE_LOADS_PLAIN(TYPE)                                                                 \
  __HEDDLE_DEVICE__ TYPE __ldg(const TYPE *address) { return *address; }                           \
  __HEDDLE_DEVICE__ TYPE __ldca(const TYPE *address) { return *address; }                          \
  __HEDDLE_DEVICE__ TYPE __ldcs(const TYPE *address) { return *address; }                          \
  __HEDDLE_DEVICE__ TYPE __ldlu(const TYPE *address) { return *address; }                          \
  __HEDDLE_DEVICE__ void __stwb(TYPE *address, TYPE value) { *address = value; }                   \
  __HEDDLE_DEVICE__ void __stcs(TYPE *address, TYPE value) { *address = value; }

#define __HEDDLE_VOLATILE(MAKE_LOAD, MAKE_STORE, TYPE)                                             \
  MAKE_LOAD(__ldcg, TYPE)                                                                          \
  MAKE_LOAD(__ldcv, TYPE)                                                                          \
  MAKE_STORE(__stcg, TYPE)                                                                         \
  MAKE_STORE(__stwt, TYPE)

#define __HEDDLE_LOAD_1(NAME, TYPE)                                                                \
  __HEDDLE_DEVICE__ TYPE NAME(const TYPE *address) { return *(const volatile TYPE *)address; }
#define __HEDDLE_LOAD_2(NAME, TYPE)                                                                \
  __HEDDLE_DEVICE__ TYPE NAME(const TYPE *address) {                                               \
    const volatile TYPE *from = address;                                                           \
    TYPE value;                                                                                    \
    value.x = from->x, value.y = from->y;                                                          \
    return value;                                                                                  \
  }
#define __HEDDLE_LOAD_4(NAME, TYPE)                                                                \
  __HEDDLE_DEVICE__ TYPE NAME(const TYPE *address) {                                               \
    const volatile TYPE *from = address;                                                           \
    TYPE value;                                                                                    \
    value.x = from->x, value.y = from->y, value.z = from->z, value.w = from->w;                    \
    return value;                                                                                  \
  }
#define __HEDDLE_STORE_1(NAME, TYPE)                                                               \
  __HEDDLE_DEVICE__ void NAME(TYPE *address, TYPE value) { *(volatile TYPE *)address = value; }
#define __HEDDLE_STORE_2(NAME, TYPE)                                                               \
  __HEDDLE_DEVICE__ void NAME(TYPE *address, TYPE value) {                                         \
    volatile TYPE *to = address;                                                                   \
    to->x = value.x;                                                                               \
    to->y = value.y;                                                                               \
  }
#define __HEDDLE_STORE_4(NAME, TYPE)                                                               \
  __HEDDLE_DEVICE__ void NAME(TYPE *address, TYPE value) {                                         \
    volatile TYPE *to = address;                                                                   \
    to->x = value.x;                                                                               \
    to->y = value.y;                                                                               \
    to->z = value.z;                                                                               \
    to->w = value.w;                                                                               \
  }

#define __HEDDLE_ACCESS(LENGTH, TYPE)                                                              \
  __HEDDLE_LOADS_PLAIN(TYPE)                                                                       \
  __HEDDLE_VOLATILE(__HEDDLE_LOAD_##LENGTH, __HEDDLE_STORE_##LENGTH, TYPE)

__HEDDLE_ACCESS(1, char)
__HEDDLE_ACCESS(1, signed char)
__HEDDLE_ACCESS(1, unsigned char)
__HEDDLE_ACCESS(1, short)
__HEDDLE_ACCESS(1, unsigned short)
__HEDDLE_ACCESS(1, int)
__HEDDLE_ACCESS(1, unsigned)
__HEDDLE_ACCESS(1, long)
__HEDDLE_ACCESS(1, unsigned long)
__HEDDLE_ACCESS(1, long long)
__HEDDLE_ACCESS(1, unsigned long long)
__HEDDLE_ACCESS(1, float)
__HEDDLE_ACCESS(1, double)
__HEDDLE_ACCESS(2, char2)
__HEDDLE_ACCESS(2, uchar2)
__HEDDLE_ACCESS(2, short2)
__HEDDLE_ACCESS(2, ushort2)
__HEDDLE_ACCESS(2, int2)
__HEDDLE_ACCESS(2, uint2)
__HEDDLE_ACCESS(2, longlong2)
__HEDDLE_ACCESS(2, ulonglong2)
__HEDDLE_ACCESS(2, float2)
__HEDDLE_ACCESS(2, double2)
__HEDDLE_ACCESS(4, char4)
__HEDDLE_ACCESS(4, uchar4)
__HEDDLE_ACCESS(4, short4)
__HEDDLE_ACCESS(4, ushort4)
__HEDDLE_ACCESS(4, int4)
__HEDDLE_ACCESS(4, uint4)
__HEDDLE_ACCESS(4, float4)

#undef __HEDDLE_ACCESS
#undef __HEDDLE_STORE_4
#undef __HEDDLE_STORE_2
#undef __HEDDLE_STORE_1
#undef __HEDDLE_LOAD_4
#undef __HEDDLE_LOAD_2
#undef __HEDDLE_LOAD_1
#undef __HEDDLE_VOLATILE
#undef __HEDDLE_LOADS_PLAIN

// The predicates are const, so that they may stand in __builtin_assume.
#define __HEDDLE_SPACE(PREDICATE, SPACE, NUMBER, CAST)                                             \
  __HEDDLE_DEVICE__ __attribute__((const)) unsigned PREDICATE(const void *pointer) {               \
    return __nvvm_isspacep_##SPACE(pointer);                                                       \
  }                                                                                                \
  __HEDDLE_DEVICE__ size_t __cvta_generic_to_##CAST(const void *pointer) {                         \
    return (size_t)(__attribute__((address_space(NUMBER))) const void *)pointer;                   \
  }                                                                                                \
  __HEDDLE_DEVICE__ void *__cvta_##CAST##_to_generic(size_t address) {                             \
    return (void *)(__attribute__((address_space(NUMBER))) void *)address;                         \
  }
__HEDDLE_SPACE(__isGlobal, global, 1, global)
__HEDDLE_SPACE(__isShared, shared, 3, shared)
__HEDDLE_SPACE(__isConstant, const, 4, constant)
__HEDDLE_SPACE(__isLocal, local, 5, local)
#undef __HEDDLE_SPACE
__HEDDLE_DEVICE__ size_t __cvta_generic_to_grid_constant(const void *pointer) {
  return (size_t)pointer;
}
__HEDDLE_DEVICE__ void *__cvta_grid_constant_to_generic(size_t address) { return (void *)address; }

// All parameters lie in one read-only buffer here, __grid_constant__ or not.
extern "C" __device__ __attribute__((const)) bool __heddle_is_parameter(const void *pointer);
__HEDDLE_DEVICE__ __attribute__((const)) unsigned __isGridConstant(const void *pointer) {
  return __heddle_is_parameter(pointer);
}
