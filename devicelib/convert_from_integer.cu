// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions from integers to floating point, and from double to float and float to half, in the
// four rounding modes (CUDA Math API, "Type Casting Intrinsics").
#include "rounding.h"

using namespace heddle;

namespace {

// A 64-bit integer as the sum of two doubles: the 32-bit halves convert exactly, and their sum is
// rounded once.
template <Rounding mode> HEDDLE_INLINE double sumOfHalves(double high, u32 low) {
  double sum = high + double(low);
  double result = roundTowards<mode>(sum, double(low) - (sum - high));
  return mode == Rounding::Nearest ? sum : result;
}
template <Rounding mode> HEDDLE_INLINE double toDouble(i64 a) {
  return sumOfHalves<mode>(double(i32(a >> 32)) * 0x1p32, u32(a));
}
template <Rounding mode> HEDDLE_INLINE double toDouble(u64 a) {
  return sumOfHalves<mode>(double(u32(a >> 32)) * 0x1p32, u32(a));
}

} // namespace

HEDDLE_API double __nv_int2double_rn(int a) { return double(a); }
HEDDLE_API double __nv_uint2double_rn(unsigned int a) { return double(a); }
HEDDLE_API float __nv_int2float_rn(int a) { return float(a); }
HEDDLE_API float __nv_uint2float_rn(unsigned int a) { return float(a); }
HEDDLE_API double __nv_ll2double_rn(long long a) { return double(a); }
HEDDLE_API double __nv_ull2double_rn(unsigned long long a) { return double(a); }
HEDDLE_API float __nv_ll2float_rn(long long a) { return float(a); }
HEDDLE_API float __nv_ull2float_rn(unsigned long long a) { return float(a); }
HEDDLE_API float __nv_double2float_rn(double a) { return float(a); }

// Rounding twice in one and the same direction is rounding once.
#define DIRECTED(suffix, mode)                                                                     \
  HEDDLE_API float __nv_double2float_##suffix(double a) { return narrowTowards<mode>(a, 0.0); }    \
  HEDDLE_API float __nv_int2float_##suffix(int a) { return narrowTowards<mode>(double(a), 0.0); }  \
  HEDDLE_API float __nv_uint2float_##suffix(unsigned int a) {                                      \
    return narrowTowards<mode>(double(a), 0.0);                                                    \
  }                                                                                                \
  HEDDLE_API double __nv_ll2double_##suffix(long long a) { return toDouble<mode>(i64(a)); }        \
  HEDDLE_API double __nv_ull2double_##suffix(unsigned long long a) {                               \
    return toDouble<mode>(u64(a));                                                                 \
  }                                                                                                \
  HEDDLE_API float __nv_ll2float_##suffix(long long a) {                                           \
    return narrowTowards<mode>(toDouble<mode>(i64(a)), 0.0);                                       \
  }                                                                                                \
  HEDDLE_API float __nv_ull2float_##suffix(unsigned long long a) {                                 \
    return narrowTowards<mode>(toDouble<mode>(u64(a)), 0.0);                                       \
  }
DIRECTED(rz, Rounding::Zero)
DIRECTED(rd, Rounding::Down)
DIRECTED(ru, Rounding::Up)

HEDDLE_API unsigned short __nv_float2half_rn(float a) {
  return __builtin_bit_cast(u16, static_cast<_Float16>(a));
}
HEDDLE_API float __nv_half2float(unsigned short a) {
  return float(__builtin_bit_cast(_Float16, a));
}
