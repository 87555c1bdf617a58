// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on pairs of floats, which GPUs from sm_100 on have instructions for: each half is what
// __fadd_rn and its kin give.
#pragma once

#include <__heddle/define.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
#define __HEDDLE_PAIRS(MODE)                                                                       \
  __HEDDLE_DEVICE__ float2 __fadd2_##MODE(float2 x, float2 y) {                                    \
    return make_float2(__fadd_##MODE(x.x, y.x), __fadd_##MODE(x.y, y.y));                          \
  }                                                                                                \
  __HEDDLE_DEVICE__ float2 __fmul2_##MODE(float2 x, float2 y) {                                    \
    return make_float2(__fmul_##MODE(x.x, y.x), __fmul_##MODE(x.y, y.y));                          \
  }                                                                                                \
  __HEDDLE_DEVICE__ float2 __ffma2_##MODE(float2 x, float2 y, float2 z) {                          \
    return make_float2(__fmaf_##MODE(x.x, y.x, z.x), __fmaf_##MODE(x.y, y.y, z.y));                \
  }
__HEDDLE_PAIRS(rn)
__HEDDLE_PAIRS(rz)
__HEDDLE_PAIRS(ru)
__HEDDLE_PAIRS(rd)
#undef __HEDDLE_PAIRS
#endif
