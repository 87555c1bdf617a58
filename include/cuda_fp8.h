// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_fp8.h: the 8-bit floating-point types __nv_fp8_e4m3 (4 exponent bits, no infinities, up to
// 448) and __nv_fp8_e5m2 (5 exponent bits, up to 57344), for storage: they convert, and have no
// arithmetic. Conversions round to nearest even; those of the types saturate to finite values.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

__HEDDLE_HALF__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double value,
                                                          const __nv_saturation_t saturate,
                                                          const __nv_fp8_interpretation_t format) {
  using namespace __heddle_half;
  if (value != value)
    return 0x7f;
  // With five exponent bits E4M3's exponents are 8 higher. Scaling by 2^-8 makes up for it, and
  // leaves its largest exponent, which an IEEE format would keep for infinity, a normal one.
  const bool e4m3 = format == __NV_E4M3;
  const unsigned bits = e4m3 ? narrow<5, 3>(value * 0.00390625, to_nearest_even)
                             : narrow<5, 2>(value, to_nearest_even);
  const unsigned sign = bits >> (e4m3 ? 8 : 7) << 7;
  const unsigned magnitude = bits & (e4m3 ? 0xffu : 0x7fu);
  const unsigned largest = e4m3 ? 0x7eu : 0x7bu;
  if (magnitude <= largest)
    return sign | magnitude;
  return sign | (saturate == __NV_SATFINITE ? largest : e4m3 ? 0x7fu : 0x7cu);
}

__HEDDLE_HALF__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float value,
                                                         const __nv_saturation_t saturate,
                                                         const __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(value, saturate, format);
}
__HEDDLE_HALF__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw value,
                                                           const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(__heddle_half::Half::widen(value.x), saturate, format);
}
__HEDDLE_HALF__ __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw value, const __nv_saturation_t saturate,
                            const __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(__heddle_half::Bfloat16::widen(value.x), saturate, format);
}
__HEDDLE_HALF__ __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    const float2 value, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(value.x, saturate, format) |
         __nv_cvt_float_to_fp8(value.y, saturate, format) << 8;
}

/// Every 8-bit value is a half: E5M2 is its upper byte, E4M3 needs its exponent moved.
__HEDDLE_HALF__ __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t bits,
                                                   const __nv_fp8_interpretation_t format) {
  const unsigned sign = unsigned(bits & 0x80) << 8, magnitude = bits & 0x7f;
  __half_raw raw;
  if (format == __NV_E5M2)
    raw.x = magnitude > 0x7c ? 0x7fff : unsigned(bits) << 8;
  else if (magnitude == 0x7f)
    raw.x = 0x7fff;
  else
    raw.x = sign | __heddle_half::Half::round(__heddle_half::Half::widen(magnitude << 7) * 256.0f);
  return raw;
}
__HEDDLE_HALF__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t bits,
                                                       const __nv_fp8_interpretation_t format) {
  __half2_raw raw;
  raw.x = __nv_cvt_fp8_to_halfraw(bits & 0xff, format).x;
  raw.y = __nv_cvt_fp8_to_halfraw(bits >> 8, format).x;
  return raw;
}

#define __HEDDLE_FP8(T, FORMAT)                                                                    \
  struct T {                                                                                       \
    __nv_fp8_storage_t __x;                                                                        \
    T() = default;                                                                                 \
    explicit __HEDDLE_HALF_MEMBER__ T(const float f)                                               \
        : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, FORMAT)) {}                                 \
    explicit __HEDDLE_HALF_MEMBER__ T(const double d)                                              \
        : __x(__nv_cvt_double_to_fp8(d, __NV_SATFINITE, FORMAT)) {}                                \
    explicit __HEDDLE_HALF_MEMBER__ T(const int i)                                                 \
        : __x(__nv_cvt_double_to_fp8(i, __NV_SATFINITE, FORMAT)) {}                                \
    explicit __HEDDLE_HALF_MEMBER__ T(const __half h)                                              \
        : __x(__nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, FORMAT)) {}                               \
    explicit __HEDDLE_HALF_MEMBER__ T(const __nv_bfloat16 h)                                       \
        : __x(__nv_cvt_bfloat16raw_to_fp8(h, __NV_SATFINITE, FORMAT)) {}                           \
    explicit __HEDDLE_HALF_MEMBER__ operator float() const {                                       \
      return __heddle_half::Half::widen(__nv_cvt_fp8_to_halfraw(__x, FORMAT).x);                   \
    }                                                                                              \
    explicit __HEDDLE_HALF_MEMBER__ operator double() const { return float(*this); }               \
    explicit __HEDDLE_HALF_MEMBER__ operator __half() const {                                      \
      return __half(__nv_cvt_fp8_to_halfraw(__x, FORMAT));                                         \
    }                                                                                              \
    explicit __HEDDLE_HALF_MEMBER__ operator bool() const { return (__x & 0x7f) != 0; }            \
  };
__HEDDLE_FP8(__nv_fp8_e4m3, __NV_E4M3)
__HEDDLE_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef __HEDDLE_FP8

#endif // __cplusplus

#endif
