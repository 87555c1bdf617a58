// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every file of the device library shares: the device library is the set of `__nv_*` functions
// that Clang's CUDA headers call for CUDA's mathematics and intrinsics. Each file of it is device
// code for the engine, and the same text compiles as ordinary C++ so that the unit tests can call
// the functions on the host.
//
// The engine runs these functions with one CUDA thread in each lane of a SIMD register. Code here
// therefore has no data-dependent branches and reads no tables where arithmetic does the job: every
// lane computes every case and selects.
//
// Floating-point contraction is off: what is fused is written as fma.
#ifndef HEDDLE_DEVICELIB_COMMON_H
#define HEDDLE_DEVICELIB_COMMON_H

#ifndef __device__
#ifdef __CUDA__
#define __device__ __attribute__((device))
#else
#define __device__
#endif
#endif

// A function of the library, and a helper that is inlined into them.
#define HEDDLE_API extern "C" __device__
#define HEDDLE_INLINE static inline __device__ __attribute__((always_inline))

namespace heddle {

using u8 = unsigned char;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;

HEDDLE_INLINE u32 bitsOf(float x) { return __builtin_bit_cast(u32, x); }
HEDDLE_INLINE u64 bitsOf(double x) { return __builtin_bit_cast(u64, x); }
HEDDLE_INLINE float floatOf(u32 bits) { return __builtin_bit_cast(float, bits); }
HEDDLE_INLINE double doubleOf(u64 bits) { return __builtin_bit_cast(double, bits); }

HEDDLE_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HEDDLE_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

// The polynomial c0*x^n + c1*x^(n-1) + ... + cn by Horner's rule: coefficients from the highest
// power down.
HEDDLE_INLINE float poly(float x, float c) { return c; }
HEDDLE_INLINE double poly(double x, double c) { return c; }
template <typename T> HEDDLE_INLINE T hornerFrom(T acc, T x) { return acc; }
template <typename T, typename... Rest> HEDDLE_INLINE T hornerFrom(T acc, T x, T c, Rest... rest) {
  return hornerFrom(fma(acc, x, c), x, rest...);
}
template <typename T, typename... Rest> HEDDLE_INLINE T poly(T x, T first, T second, Rest... rest) {
  return hornerFrom(first, x, second, rest...);
}

template <typename T> HEDDLE_INLINE T infinity() { return T(__builtin_inf()); }
template <typename T> HEDDLE_INLINE T quietNan() { return T(__builtin_nan("")); }

HEDDLE_INLINE float abs(float x) { return __builtin_fabsf(x); }
HEDDLE_INLINE double abs(double x) { return __builtin_fabs(x); }
HEDDLE_INLINE float copysign(float x, float s) { return __builtin_copysignf(x, s); }
HEDDLE_INLINE double copysign(double x, double s) { return __builtin_copysign(x, s); }
HEDDLE_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
HEDDLE_INLINE double sqrt(double x) { return __builtin_sqrt(x); }
HEDDLE_INLINE float rint(float x) { return __builtin_rintf(x); }
HEDDLE_INLINE double rint(double x) { return __builtin_rint(x); }
HEDDLE_INLINE float floor(float x) { return __builtin_floorf(x); }
HEDDLE_INLINE double floor(double x) { return __builtin_floor(x); }
HEDDLE_INLINE float trunc(float x) { return __builtin_truncf(x); }
HEDDLE_INLINE double trunc(double x) { return __builtin_trunc(x); }
HEDDLE_INLINE bool isNan(float x) { return x != x; }
HEDDLE_INLINE bool isNan(double x) { return x != x; }
HEDDLE_INLINE bool isInf(float x) { return abs(x) == infinity<float>(); }
HEDDLE_INLINE bool isInf(double x) { return abs(x) == infinity<double>(); }
// True when the sign bit is set, so also for -0 and negative NaNs.
HEDDLE_INLINE bool isNegative(float x) { return i32(bitsOf(x)) < 0; }
HEDDLE_INLINE bool isNegative(double x) { return i64(bitsOf(x)) < 0; }

// 2^n for n in the range of normal numbers.
HEDDLE_INLINE float exp2Int(i32 n) { return floatOf(u32(n + 127) << 23); }
HEDDLE_INLINE double exp2Int(i64 n) { return doubleOf(u64(n + 1023) << 52); }

} // namespace heddle

#endif
