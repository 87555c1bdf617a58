// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes threadIdx and its kin usable where a dim3 or a uint3 is wanted.
#pragma once

#include <__heddle/builtin_vars.h>

#define __HEDDLE_CONVERSIONS(NAME)                                                                 \
  inline __attribute__((always_inline, device)) __heddle_##NAME##_t::operator dim3() const {       \
    return dim3(x, y, z);                                                                          \
  }                                                                                                \
  inline __attribute__((always_inline, device)) __heddle_##NAME##_t::operator uint3() const {      \
    return {x, y, z};                                                                              \
  }

__HEDDLE_CONVERSIONS(threadIdx)
__HEDDLE_CONVERSIONS(blockIdx)
__HEDDLE_CONVERSIONS(blockDim)
__HEDDLE_CONVERSIONS(gridDim)
#undef __HEDDLE_CONVERSIONS
