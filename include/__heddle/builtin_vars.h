// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx, blockIdx, blockDim, gridDim and warpSize (CUDA C++ Programming Guide, "Built-in
// Variables").
//
// Each is an empty object whose members x, y and z read a special register. Copies are allowed, so
// `auto t = threadIdx;` works as it does where threadIdx is a real uint3: a thread's copy always
// reads that thread's own registers.
#pragma once

struct uint3;
struct dim3;

// One component: `FIELD` is a property whose getter reads the register.
#define __HEDDLE_COMPONENT(FIELD, INTRINSIC)                                                       \
  __declspec(property(get = __get_##FIELD)) unsigned int FIELD;                                    \
  static inline __attribute__((always_inline, device)) unsigned int __get_##FIELD(void) {          \
    return INTRINSIC();                                                                            \
  }

#define __HEDDLE_BUILTIN_VAR(NAME, REGISTER)                                                       \
  struct __heddle_##NAME##_t {                                                                     \
    __HEDDLE_COMPONENT(x, __nvvm_read_ptx_sreg_##REGISTER##_x)                                     \
    __HEDDLE_COMPONENT(y, __nvvm_read_ptx_sreg_##REGISTER##_y)                                     \
    __HEDDLE_COMPONENT(z, __nvvm_read_ptx_sreg_##REGISTER##_z)                                     \
    __attribute__((device)) operator dim3() const;                                                 \
    __attribute__((device)) operator uint3() const;                                                \
  };                                                                                               \
  __attribute__((device)) const __heddle_##NAME##_t NAME = {};

__HEDDLE_BUILTIN_VAR(threadIdx, tid)
__HEDDLE_BUILTIN_VAR(blockIdx, ctaid)
__HEDDLE_BUILTIN_VAR(blockDim, ntid)
__HEDDLE_BUILTIN_VAR(gridDim, nctaid)

#undef __HEDDLE_BUILTIN_VAR
#undef __HEDDLE_COMPONENT

__attribute__((device)) const int warpSize = 32;
