// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_fp8.h: the 8-bit floating-point types __nv_fp8_e4m3 (4 exponent bits, no infinities, up to
// 448), __nv_fp8_e5m2 (5 exponent bits, up to 57344) and __nv_fp8_e8m0 (a power of two), each also
// as two (x2) and four (x4) values. They are for storage: they convert, and have no arithmetic.
// Conversions round to nearest even, those to E8M0 as they are told, its type's up; those of the
// types saturate to finite values.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"

#ifdef __cplusplus

#include "__heddle_half/small.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

__HEDDLE_HALF__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double value,
                                                          const __nv_saturation_t saturate,
                                                          const __nv_fp8_interpretation_t format) {
  const bool finite = saturate != __NV_NOSAT;
  return format == __NV_E5M2 ? __heddle_half::E5M2::encode(value, finite)
                             : __heddle_half::E4M3::encode(value, finite);
}

#define __HEDDLE_FP fp8
#define __HEDDLE_HOW const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format
#define __HEDDLE_PASS saturate, format
#define __HEDDLE_DECODE(bits)                                                                      \
  (format == __NV_E5M2 ? __heddle_half::E5M2::decode(bits) : __heddle_half::E4M3::decode(bits))
#define __HEDDLE_SPACING 8
#include "__heddle_half/small_conversions.inc"
#undef __HEDDLE_FP
#undef __HEDDLE_HOW
#undef __HEDDLE_PASS
#undef __HEDDLE_DECODE
#undef __HEDDLE_SPACING

// ---- E8M0 -------------------------------------------------------------------------------------

__HEDDLE_HALF__ __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double value,
                                                           const __nv_saturation_t saturate,
                                                           const enum cudaRoundMode rounding) {
  return __heddle_half::E8M0::encode(value, saturate != __NV_NOSAT,
                                     __heddle_half::toRounding(rounding, __heddle_half::upward));
}
__HEDDLE_HALF__ __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float value,
                                                          const __nv_saturation_t saturate,
                                                          const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(value, saturate, rounding);
}
__HEDDLE_HALF__ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw value,
                                                                const __nv_saturation_t saturate,
                                                                const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(__heddle_half::Bfloat16::widen(value.x), saturate, rounding);
}
__HEDDLE_HALF__ __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(const double2 value,
                                                                const __nv_saturation_t saturate,
                                                                const enum cudaRoundMode rounding) {
  return __nv_fp8x2_storage_t(__nv_cvt_double_to_e8m0(value.x, saturate, rounding) |
                              __nv_cvt_double_to_e8m0(value.y, saturate, rounding) << 8);
}
__HEDDLE_HALF__ __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(const float2 value,
                                                               const __nv_saturation_t saturate,
                                                               const enum cudaRoundMode rounding) {
  return __nv_cvt_double2_to_e8m0x2(double2{value.x, value.y}, saturate, rounding);
}
__HEDDLE_HALF__ __nv_fp8x2_storage_t
__nv_cvt_bfloat162raw_to_e8m0x2(const __nv_bfloat162_raw value, const __nv_saturation_t saturate,
                                const enum cudaRoundMode rounding) {
  return __nv_cvt_float2_to_e8m0x2(
      float2{__heddle_half::Bfloat16::widen(value.x), __heddle_half::Bfloat16::widen(value.y)},
      saturate, rounding);
}
__HEDDLE_HALF__ __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t bits) {
  return __nv_bfloat16_raw{__heddle_half::E8M0::toBfloat16(bits)};
}
__HEDDLE_HALF__ __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t bits) {
  return __nv_bfloat162_raw{__heddle_half::E8M0::toBfloat16(bits & 0xff),
                            __heddle_half::E8M0::toBfloat16(bits >> 8)};
}

// ---- Types ------------------------------------------------------------------------------------

__HEDDLE_SMALL_TYPES(__nv_fp8, e4m3, E4M3)
__HEDDLE_SMALL_TYPES(__nv_fp8, e5m2, E5M2)
__HEDDLE_SMALL_TYPES(__nv_fp8, e8m0, E8M0)

#endif // __cplusplus

#endif
