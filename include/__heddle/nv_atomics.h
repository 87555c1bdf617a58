// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The __nv_atomic_* functions: atomics with a memory order and a thread scope, in the style of
// GCC's
// __atomic builtins (CUDA C++ Programming Guide, "Atomic Functions", since CUDA 12.8).
//
// As with atomicAdd, the scope changes nothing here: all threads share one coherent memory.
#pragma once

#include <__heddle/define.h>

enum {
  __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME = __ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE = __ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE = __ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL = __ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST = __ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

// Keeps a parameter out of template deduction, so that `__nv_atomic_fetch_add(u64_pointer, 1, ...)`
// takes its type from the pointer alone.
template <typename __T> struct __heddle_type {
  typedef __T type;
};
#define __HEDDLE_VALUE typename __heddle_type<__T>::type
#define __HEDDLE_SCOPE int = __NV_THREAD_SCOPE_SYSTEM

template <typename __T>
__HEDDLE_DEVICE__ __T __nv_atomic_load_n(const __T *address, int order, __HEDDLE_SCOPE) {
  return __atomic_load_n(address, order);
}
template <typename __T>
__HEDDLE_DEVICE__ void __nv_atomic_load(const __T *address, __T *result, int order,
                                        __HEDDLE_SCOPE) {
  __atomic_load(address, result, order);
}
template <typename __T>
__HEDDLE_DEVICE__ void __nv_atomic_store_n(__T *address, __HEDDLE_VALUE value, int order,
                                           __HEDDLE_SCOPE) {
  __atomic_store_n(address, value, order);
}
template <typename __T>
__HEDDLE_DEVICE__ void __nv_atomic_store(__T *address, __T *value, int order, __HEDDLE_SCOPE) {
  __atomic_store(address, value, order);
}
template <typename __T>
__HEDDLE_DEVICE__ __T __nv_atomic_exchange_n(__T *address, __HEDDLE_VALUE value, int order,
                                             __HEDDLE_SCOPE) {
  return __atomic_exchange_n(address, value, order);
}
template <typename __T>
__HEDDLE_DEVICE__ void __nv_atomic_exchange(__T *address, __T *value, __T *result, int order,
                                            __HEDDLE_SCOPE) {
  __atomic_exchange(address, value, result, order);
}
template <typename __T>
__HEDDLE_DEVICE__ bool __nv_atomic_compare_exchange_n(__T *address, __T *expected,
                                                      __HEDDLE_VALUE desired, bool weak,
                                                      int success, int failure, __HEDDLE_SCOPE) {
  return __atomic_compare_exchange_n(address, expected, desired, weak, success, failure);
}
template <typename __T>
__HEDDLE_DEVICE__ bool __nv_atomic_compare_exchange(__T *address, __T *expected, __T *desired,
                                                    bool weak, int success, int failure,
                                                    __HEDDLE_SCOPE) {
  return __atomic_compare_exchange(address, expected, desired, weak, success, failure);
}

#define __HEDDLE_NV_FETCH(OPERATION)                                                               \
  template <typename __T>                                                                          \
  __HEDDLE_DEVICE__ __T __nv_atomic_fetch_##OPERATION(__T *address, __HEDDLE_VALUE value,          \
                                                      int order, __HEDDLE_SCOPE) {                 \
    return __atomic_fetch_##OPERATION(address, value, order);                                      \
  }                                                                                                \
  template <typename __T>                                                                          \
  __HEDDLE_DEVICE__ void __nv_atomic_##OPERATION(__T *address, __HEDDLE_VALUE value, int order,    \
                                                 __HEDDLE_SCOPE) {                                 \
    __atomic_fetch_##OPERATION(address, value, order);                                             \
  }
__HEDDLE_NV_FETCH(add)
__HEDDLE_NV_FETCH(sub)
__HEDDLE_NV_FETCH(and)
__HEDDLE_NV_FETCH(or)
__HEDDLE_NV_FETCH(xor)
__HEDDLE_NV_FETCH(min)
__HEDDLE_NV_FETCH(max)
#undef __HEDDLE_NV_FETCH

__HEDDLE_DEVICE__ void __nv_atomic_thread_fence(int order, __HEDDLE_SCOPE) {
  __atomic_thread_fence(order);
}

#undef __HEDDLE_SCOPE
#undef __HEDDLE_VALUE
