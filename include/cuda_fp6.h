// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_fp6.h: the 6-bit floating-point types __nv_fp6_e2m3 (3 mantissa bits, up to 7.5) and
// __nv_fp6_e3m2 (2, up to 28), each also as two (x2) and four (x4) values, in the low bits of a
// byte each. They are for storage: they convert, and have no arithmetic. There is no infinity and
// no NaN: conversions saturate, and those of the types round to nearest even.
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__
#define __CUDA_FP6_TYPES_EXIST__

#include "cuda_fp8.h"

#ifdef __cplusplus

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

__HEDDLE_HALF__ __nv_fp6_storage_t __nv_cvt_double_to_fp6(const double value,
                                                          const __nv_fp6_interpretation_t format,
                                                          const enum cudaRoundMode mode) {
  const __heddle_half::Rounding rounding =
      __heddle_half::toRounding(mode, __heddle_half::to_nearest_even);
  return format == __NV_E3M2 ? __heddle_half::E3M2::encode(value, true, rounding)
                             : __heddle_half::E2M3::encode(value, true, rounding);
}

#define __HEDDLE_FP fp6
#define __HEDDLE_HOW const __nv_fp6_interpretation_t format, const enum cudaRoundMode mode
#define __HEDDLE_PASS format, mode
#define __HEDDLE_DECODE(bits)                                                                      \
  (format == __NV_E3M2 ? __heddle_half::E3M2::decode(bits) : __heddle_half::E2M3::decode(bits))
#define __HEDDLE_SPACING 8
#include "__heddle_half/small_conversions.inc"
#undef __HEDDLE_FP
#undef __HEDDLE_HOW
#undef __HEDDLE_PASS
#undef __HEDDLE_DECODE
#undef __HEDDLE_SPACING

__HEDDLE_SMALL_TYPES(__nv_fp6, e2m3, E2M3)
__HEDDLE_SMALL_TYPES(__nv_fp6, e3m2, E3M2)

#endif // __cplusplus

#endif
