// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_fp16.h: __half, the 16-bit floating-point type of IEEE 754 (binary16), and pairs of them,
// for host and device code. Results are correctly rounded, to nearest even unless the name says
// otherwise; the mathematical functions (hexp, hsin …) are computed in float and rounded.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#ifndef __CUDACC_RTC__
#include <math.h>
#endif

#include "vector_types.h"

#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

#ifdef __cplusplus

#include "__heddle_half/rounding.h"

/// The bits, for programs that take values apart.
struct __attribute__((aligned(2))) __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x;
  unsigned short y;
};

struct __nv_bfloat16;

struct __attribute__((aligned(2))) __half {
protected:
  unsigned short __x;

public:
  __half() = default;
  __HEDDLE_HALF_MEMBER__ constexpr __half(const __half_raw &raw) : __x(raw.x) {}
  __HEDDLE_HALF_MEMBER__ __half &operator=(const __half_raw &raw) {
    __x = raw.x;
    return *this;
  }
  __HEDDLE_HALF_MEMBER__ volatile __half &operator=(const __half_raw &raw) volatile {
    __x = raw.x;
    return *this;
  }
  __HEDDLE_HALF_MEMBER__ operator __half_raw() const { return __half_raw{__x}; }
  __HEDDLE_HALF_MEMBER__ operator __half_raw() const volatile { return __half_raw{__x}; }

#ifndef __CUDA_NO_HALF_CONVERSIONS__
  __HEDDLE_HALF_MEMBER__ __half(float value) : __x(__heddle_half::Half::round(value)) {}
  __HEDDLE_HALF_MEMBER__ __half(double value)
      : __x(__heddle_half::roundDouble<__heddle_half::Half>(value)) {}
  explicit __HEDDLE_HALF_MEMBER__ __half(__nv_bfloat16 value); // cuda_bf16.h
  __HEDDLE_HALF_MEMBER__ operator float() const { return __heddle_half::Half::widen(__x); }

#define __HEDDLE_CONVERT(Integer, Wide)                                                            \
  __HEDDLE_HALF_MEMBER__ __half(Integer value) : __x(fromInteger(static_cast<Wide>(value))) {}     \
  __HEDDLE_HALF_MEMBER__ operator Integer() const {                                                \
    return __heddle_half::toInteger<Integer>(__heddle_half::Half::widen(__x),                      \
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
    return __heddle_half::toInteger<Integer>(__heddle_half::Half::widen(__x),                      \
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
    return __heddle_half::roundInteger<__heddle_half::Half>(value, __heddle_half::to_nearest_even);
  }
  __HEDDLE_HALF_MEMBER__ static unsigned short fromInteger(unsigned long long value) {
    return __heddle_half::roundInteger<__heddle_half::Half>(value, __heddle_half::to_nearest_even);
  }
#endif
};

struct __attribute__((aligned(4))) __half2 {
  __half x;
  __half y;

  __half2() = default;
  __HEDDLE_HALF_MEMBER__ constexpr __half2(const __half &low, const __half &high)
      : x(low), y(high) {}
  __HEDDLE_HALF_MEMBER__ __half2(const __half2_raw &raw)
      : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __HEDDLE_HALF_MEMBER__ __half2 &operator=(const __half2_raw &raw) { return *this = __half2(raw); }
  __HEDDLE_HALF_MEMBER__ operator __half2_raw() const {
    return __half2_raw{__half_raw(x).x, __half_raw(y).x};
  }
};

typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half __nv_half;
typedef __half2 __nv_half2;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#define __HEDDLE_T __half
#define __HEDDLE_T2 __half2
#define __HEDDLE_FORMAT __heddle_half::Half
#define __HEDDLE_H half
#ifndef __CUDA_NO_HALF_OPERATORS__
#define __HEDDLE_OPERATORS
#endif
#include "__heddle_half/functions.inc"
#undef __HEDDLE_T
#undef __HEDDLE_T2
#undef __HEDDLE_FORMAT
#undef __HEDDLE_H
#undef __HEDDLE_OPERATORS

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#endif // __cplusplus

#endif
