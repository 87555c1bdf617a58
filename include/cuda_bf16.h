// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_bf16.h: __nv_bfloat16, the upper 16 bits of a float, and pairs of them, for host and device
// code. Results are correctly rounded, to nearest even unless the name says otherwise; the
// mathematical functions (hexp, hsin …) are computed in float and rounded.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#ifndef __CUDACC_RTC__
#include <math.h>
#endif

#include "vector_types.h"

#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

#ifdef __cplusplus

#include "__heddle_half/rounding.h"
#include "cuda_fp16.h"

/// The bits, for programs that take values apart.
struct __attribute__((aligned(2))) __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x;
  unsigned short y;
};

struct __attribute__((aligned(2))) __nv_bfloat16 {
protected:
  unsigned short __x;

public:
  __nv_bfloat16() = default;
  __HEDDLE_HALF_MEMBER__ constexpr __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
  __HEDDLE_HALF_MEMBER__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &raw) {
    __x = raw.x;
    return *this;
  }
  __HEDDLE_HALF_MEMBER__ volatile __nv_bfloat16 &operator=(const __nv_bfloat16_raw &raw) volatile {
    __x = raw.x;
    return *this;
  }
  __HEDDLE_HALF_MEMBER__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  __HEDDLE_HALF_MEMBER__ operator __nv_bfloat16_raw() const volatile {
    return __nv_bfloat16_raw{__x};
  }

#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
  __HEDDLE_HALF_MEMBER__ __nv_bfloat16(float value) : __x(__heddle_half::Bfloat16::round(value)) {}
  __HEDDLE_HALF_MEMBER__ __nv_bfloat16(double value)
      : __x(__heddle_half::roundDouble<__heddle_half::Bfloat16>(value)) {}
#ifndef __CUDA_NO_HALF_CONVERSIONS__
  explicit __HEDDLE_HALF_MEMBER__ __nv_bfloat16(__half value)
      : __x(__heddle_half::Bfloat16::round(static_cast<float>(value))) {}
#endif
  __HEDDLE_HALF_MEMBER__ operator float() const { return __heddle_half::Bfloat16::widen(__x); }

#define __HEDDLE_CONVERT(Integer, Wide)                                                            \
  __HEDDLE_HALF_MEMBER__ __nv_bfloat16(Integer value)                                              \
      : __x(fromInteger(static_cast<Wide>(value))) {}                                              \
  __HEDDLE_HALF_MEMBER__ operator Integer() const {                                                \
    return __heddle_half::toInteger<Integer>(__heddle_half::Bfloat16::widen(__x),                  \
                                             __heddle_half::toward_zero);                          \
  }
  __HEDDLE_CONVERT(short, long long)
  __HEDDLE_CONVERT(unsigned short, unsigned long long)
  __HEDDLE_CONVERT(int, long long)
  __HEDDLE_CONVERT(unsigned int, unsigned long long)
  __HEDDLE_CONVERT(long, long long)
  __HEDDLE_CONVERT(unsigned long, unsigned long long)
  __HEDDLE_CONVERT(long long, long long)
  __HEDDLE_CONVERT(unsigned long long, unsigned long long)
#undef __HEDDLE_CONVERT
#define __HEDDLE_CONVERT(Integer)                                                                  \
  __HEDDLE_HALF_MEMBER__ operator Integer() const {                                                \
    return __heddle_half::toInteger<Integer>(__heddle_half::Bfloat16::widen(__x),                  \
                                             __heddle_half::toward_zero);                          \
  }
  __HEDDLE_CONVERT(char)
  __HEDDLE_CONVERT(signed char)
  __HEDDLE_CONVERT(unsigned char)
#undef __HEDDLE_CONVERT
  /// True unless it is zero of either sign.
  __HEDDLE_HALF_MEMBER__ operator bool() const { return (__x & 0x7fff) != 0; }

private:
  __HEDDLE_HALF_MEMBER__ static unsigned short fromInteger(long long value) {
    return __heddle_half::roundInteger<__heddle_half::Bfloat16>(value,
                                                                __heddle_half::to_nearest_even);
  }
  __HEDDLE_HALF_MEMBER__ static unsigned short fromInteger(unsigned long long value) {
    return __heddle_half::roundInteger<__heddle_half::Bfloat16>(value,
                                                                __heddle_half::to_nearest_even);
  }
#endif
};

#if !defined(__CUDA_NO_HALF_CONVERSIONS__) && !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
__HEDDLE_HALF_MEMBER__ __half::__half(__nv_bfloat16 value)
    : __x(__heddle_half::Half::round(static_cast<float>(value))) {}
#endif

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x;
  __nv_bfloat16 y;

  __nv_bfloat162() = default;
  __HEDDLE_HALF_MEMBER__ constexpr __nv_bfloat162(const __nv_bfloat16 &low,
                                                  const __nv_bfloat16 &high)
      : x(low), y(high) {}
  __HEDDLE_HALF_MEMBER__ __nv_bfloat162(const __nv_bfloat162_raw &raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __HEDDLE_HALF_MEMBER__ __nv_bfloat162 &operator=(const __nv_bfloat162_raw &raw) {
    return *this = __nv_bfloat162(raw);
  }
  __HEDDLE_HALF_MEMBER__ operator __nv_bfloat162_raw() const {
    return __nv_bfloat162_raw{__nv_bfloat16_raw(x).x, __nv_bfloat16_raw(y).x};
  }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define __HEDDLE_T __nv_bfloat16
#define __HEDDLE_T2 __nv_bfloat162
#define __HEDDLE_FORMAT __heddle_half::Bfloat16
#define __HEDDLE_H bfloat16
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define __HEDDLE_OPERATORS
#endif
#include "__heddle_half/functions.inc"
#undef __HEDDLE_T
#undef __HEDDLE_T2
#undef __HEDDLE_FORMAT
#undef __HEDDLE_H
#undef __HEDDLE_OPERATORS

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

#endif // __cplusplus

#endif
