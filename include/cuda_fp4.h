// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_fp4.h: the 4-bit floating-point type __nv_fp4_e2m1 (0, 0.5, 1, 1.5, 2, 3, 4, 6 and their
// negatives), also as two values in a byte (x2) and four in two (x4). It is for storage: it
// converts, and has no arithmetic. There is no infinity and no NaN: conversions saturate, and those
// of the types round to nearest even.
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__
#define __CUDA_FP4_TYPES_EXIST__

#include "cuda_fp8.h"

#ifdef __cplusplus

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

__HEDDLE_HALF__ __nv_fp4_storage_t __nv_cvt_double_to_fp4(const double value,
                                                          const __nv_fp4_interpretation_t,
                                                          const enum cudaRoundMode mode) {
  const __heddle_half::Rounding rounding =
      __heddle_half::toRounding(mode, __heddle_half::to_nearest_even);
  return __heddle_half::E2M1::encode(value, true, rounding);
}

#define __HEDDLE_FP fp4
#define __HEDDLE_HOW const __nv_fp4_interpretation_t format, const enum cudaRoundMode mode
#define __HEDDLE_PASS format, mode
#define __HEDDLE_DECODE(bits) (static_cast<void>(format), __heddle_half::E2M1::decode(bits))
#define __HEDDLE_SPACING 4
#include "__heddle_half/small_conversions.inc"
#undef __HEDDLE_FP
#undef __HEDDLE_HOW
#undef __HEDDLE_PASS
#undef __HEDDLE_DECODE
#undef __HEDDLE_SPACING

__HEDDLE_SMALL_TYPES(__nv_fp4, e2m1, E2M1)

#endif // __cplusplus

#endif
