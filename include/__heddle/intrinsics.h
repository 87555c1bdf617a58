// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer, bit, conversion, rounding and fast-math intrinsics (CUDA Math API, "Integer Intrinsics",
// "Type Casting Intrinsics", "Single/Double Precision Intrinsics").
//
// Integer operations are plain C++ or LLVM intrinsics, so that the optimiser understands them;
// those that round in a given direction or approximate come from the device library (__nv_*).
#pragma once

#include <__heddle/define.h>

// --- Bits ---

__HEDDLE_DEVICE__ int __popc(unsigned x) { return __builtin_popcount(x); }
__HEDDLE_DEVICE__ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__HEDDLE_DEVICE__ int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__HEDDLE_DEVICE__ int __clzll(long long x) {
  return x ? __builtin_clzll((unsigned long long)x) : 64;
}
__HEDDLE_DEVICE__ int __ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
__HEDDLE_DEVICE__ int __ffsll(long long x) {
  return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0;
}
__HEDDLE_DEVICE__ unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__HEDDLE_DEVICE__ unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}

__HEDDLE_DEVICE__ unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
__HEDDLE_DEVICE__ unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
__HEDDLE_DEVICE__ unsigned long long __nv_bswap64(unsigned long long x) {
  return __builtin_bswap64(x);
}

// Each selector nibble picks a byte of b:a in its low three bits; its top bit, which __byte_perm
// ignores, would replicate the sign (PTX ISA, "prmt").
__HEDDLE_DEVICE__ unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned long long bytes = (unsigned long long)b << 32 | a;
  return (unsigned)(bytes >> (selector & 7) * 8 & 0xff) |
         (unsigned)(bytes >> (selector >> 4 & 7) * 8 & 0xff) << 8 |
         (unsigned)(bytes >> (selector >> 8 & 7) * 8 & 0xff) << 16 |
         (unsigned)(bytes >> (selector >> 12 & 7) * 8 & 0xff) << 24;
}

// Shift high:low; _l keeps the upper word, _r the lower. Counts wrap at 32, or with c stop there.
__HEDDLE_DEVICE__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
__HEDDLE_DEVICE__ unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift < 32 ? shift : 32) >> 32);
}
__HEDDLE_DEVICE__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__HEDDLE_DEVICE__ unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift < 32 ? shift : 32));
}

// The position of the offset-th set bit of `mask`, counting from bit `base` upwards, or downwards
// if offset is negative; 0 asks for bit `base` itself. All ones if there is none (PTX ISA, "fns").
__HEDDLE_DEVICE__ unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (base > 31)
    return 0xffffffffu;
  if (offset == 0)
    return mask >> base & 1 ? base : 0xffffffffu;
  bool down = offset < 0;
  // Mirrored, counting down is counting up.
  unsigned bits = down ? __builtin_bitreverse32(mask) : mask;
  unsigned start = down ? 31 - base : base;
  unsigned remaining = down ? 0u - (unsigned)offset : (unsigned)offset;
  bits &= 0xffffffffu << start;
  if ((unsigned)__builtin_popcount(bits) < remaining)
    return 0xffffffffu;
  for (; remaining > 1; --remaining)
    bits &= bits - 1;
  unsigned position = (unsigned)__builtin_ctz(bits);
  return down ? 31 - position : position;
}

// --- Integer arithmetic ---

__HEDDLE_DEVICE__ int __mul24(int a, int b) {
  return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8));
}
__HEDDLE_DEVICE__ unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
__HEDDLE_DEVICE__ int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__HEDDLE_DEVICE__ unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
__HEDDLE_DEVICE__ long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
__HEDDLE_DEVICE__ unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
__HEDDLE_DEVICE__ int mulhi(int a, int b) { return __mulhi(a, b); }
__HEDDLE_DEVICE__ unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
__HEDDLE_DEVICE__ unsigned mulhi(int a, unsigned b) { return __umulhi((unsigned)a, b); }
__HEDDLE_DEVICE__ unsigned mulhi(unsigned a, int b) { return __umulhi(a, (unsigned)b); }
__HEDDLE_DEVICE__ long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
__HEDDLE_DEVICE__ unsigned long long mul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
__HEDDLE_DEVICE__ int mul24(int a, int b) { return __mul24(a, b); }
__HEDDLE_DEVICE__ unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }

// Averages without overflow: rounded down, and (r) rounded up.
__HEDDLE_DEVICE__ int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
__HEDDLE_DEVICE__ int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
__HEDDLE_DEVICE__ unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
__HEDDLE_DEVICE__ unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

// |a - b| + c
__HEDDLE_DEVICE__ unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
__HEDDLE_DEVICE__ unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (a > b ? a - b : b - a) + c;
}

// --- Dot products of small integers, added to c (PTX ISA, "dp4a", "dp2a") ---

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define __HEDDLE_DOT(SUFFIX, TYPE, BYTE, HALF)                                                     \
  __HEDDLE_DEVICE__ TYPE __dp4a(TYPE a, TYPE b, TYPE c) {                                          \
    unsigned x = (unsigned)a, y = (unsigned)b, sum = (unsigned)c;                                  \
    sum += (unsigned)((TYPE)(BYTE)x * (TYPE)(BYTE)y);                                              \
    sum += (unsigned)((TYPE)(BYTE)(x >> 8) * (TYPE)(BYTE)(y >> 8));                                \
    sum += (unsigned)((TYPE)(BYTE)(x >> 16) * (TYPE)(BYTE)(y >> 16));                              \
    sum += (unsigned)((TYPE)(BYTE)(x >> 24) * (TYPE)(BYTE)(y >> 24));                              \
    return (TYPE)sum;                                                                              \
  }                                                                                                \
  __HEDDLE_DEVICE__ TYPE __dp2a_lo(TYPE a, TYPE b, TYPE c) {                                       \
    unsigned x = (unsigned)a, y = (unsigned)b, sum = (unsigned)c;                                  \
    sum += (unsigned)((TYPE)(HALF)x * (TYPE)(BYTE)y);                                              \
    sum += (unsigned)((TYPE)(HALF)(x >> 16) * (TYPE)(BYTE)(y >> 8));                               \
    return (TYPE)sum;                                                                              \
  }                                                                                                \
  __HEDDLE_DEVICE__ TYPE __dp2a_hi(TYPE a, TYPE b, TYPE c) {                                       \
    return __dp2a_lo(a, (TYPE)((unsigned)b >> 16), c);                                             \
  }
__HEDDLE_DOT(s, int, signed char, short)
__HEDDLE_DOT(u, unsigned, unsigned char, unsigned short)
#undef __HEDDLE_DOT

#define __HEDDLE_DOT_VECTOR(TYPE, BYTES, HALVES)                                                   \
  __HEDDLE_DEVICE__ TYPE __dp4a(BYTES a, BYTES b, TYPE c) {                                        \
    return __dp4a(__builtin_bit_cast(TYPE, a), __builtin_bit_cast(TYPE, b), c);                    \
  }                                                                                                \
  __HEDDLE_DEVICE__ TYPE __dp2a_lo(HALVES a, BYTES b, TYPE c) {                                    \
    return __dp2a_lo(__builtin_bit_cast(TYPE, a), __builtin_bit_cast(TYPE, b), c);                 \
  }                                                                                                \
  __HEDDLE_DEVICE__ TYPE __dp2a_hi(HALVES a, BYTES b, TYPE c) {                                    \
    return __dp2a_hi(__builtin_bit_cast(TYPE, a), __builtin_bit_cast(TYPE, b), c);                 \
  }
__HEDDLE_DOT_VECTOR(int, char4, short2)
__HEDDLE_DOT_VECTOR(unsigned, uchar4, ushort2)
#undef __HEDDLE_DOT_VECTOR
#endif

// --- The same bits seen as another type ---

__HEDDLE_DEVICE__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__HEDDLE_DEVICE__ unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__HEDDLE_DEVICE__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__HEDDLE_DEVICE__ float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__HEDDLE_DEVICE__ long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
__HEDDLE_DEVICE__ double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__HEDDLE_DEVICE__ int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__HEDDLE_DEVICE__ int __double2loint(double x) { return (int)__double_as_longlong(x); }
__HEDDLE_DEVICE__ double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
__HEDDLE_DEVICE__ int float_as_int(float x) { return __float_as_int(x); }
__HEDDLE_DEVICE__ unsigned float_as_uint(float x) { return __float_as_uint(x); }
__HEDDLE_DEVICE__ float int_as_float(int x) { return __int_as_float(x); }
__HEDDLE_DEVICE__ float uint_as_float(unsigned x) { return __uint_as_float(x); }

// --- Conversions and arithmetic in a given rounding mode: _rn, _rz, _ru, _rd ---

#define __HEDDLE_ROUND_1(TO, NAME, FROM)                                                           \
  __HEDDLE_DEVICE__ TO __##NAME##_rn(FROM x) { return __nv_##NAME##_rn(x); }                       \
  __HEDDLE_DEVICE__ TO __##NAME##_rz(FROM x) { return __nv_##NAME##_rz(x); }                       \
  __HEDDLE_DEVICE__ TO __##NAME##_ru(FROM x) { return __nv_##NAME##_ru(x); }                       \
  __HEDDLE_DEVICE__ TO __##NAME##_rd(FROM x) { return __nv_##NAME##_rd(x); }
#define __HEDDLE_ROUND_2(TYPE, NAME)                                                               \
  __HEDDLE_DEVICE__ TYPE __##NAME##_rn(TYPE x, TYPE y) { return __nv_##NAME##_rn(x, y); }          \
  __HEDDLE_DEVICE__ TYPE __##NAME##_rz(TYPE x, TYPE y) { return __nv_##NAME##_rz(x, y); }          \
  __HEDDLE_DEVICE__ TYPE __##NAME##_ru(TYPE x, TYPE y) { return __nv_##NAME##_ru(x, y); }          \
  __HEDDLE_DEVICE__ TYPE __##NAME##_rd(TYPE x, TYPE y) { return __nv_##NAME##_rd(x, y); }
#define __HEDDLE_ROUND_3(TYPE, NAME)                                                               \
  __HEDDLE_DEVICE__ TYPE __##NAME##_rn(TYPE x, TYPE y, TYPE z) {                                   \
    return __nv_##NAME##_rn(x, y, z);                                                              \
  }                                                                                                \
  __HEDDLE_DEVICE__ TYPE __##NAME##_rz(TYPE x, TYPE y, TYPE z) {                                   \
    return __nv_##NAME##_rz(x, y, z);                                                              \
  }                                                                                                \
  __HEDDLE_DEVICE__ TYPE __##NAME##_ru(TYPE x, TYPE y, TYPE z) {                                   \
    return __nv_##NAME##_ru(x, y, z);                                                              \
  }                                                                                                \
  __HEDDLE_DEVICE__ TYPE __##NAME##_rd(TYPE x, TYPE y, TYPE z) { return __nv_##NAME##_rd(x, y, z); }

__HEDDLE_ROUND_1(int, float2int, float)
__HEDDLE_ROUND_1(unsigned, float2uint, float)
__HEDDLE_ROUND_1(long long, float2ll, float)
__HEDDLE_ROUND_1(unsigned long long, float2ull, float)
__HEDDLE_ROUND_1(int, double2int, double)
__HEDDLE_ROUND_1(unsigned, double2uint, double)
__HEDDLE_ROUND_1(long long, double2ll, double)
__HEDDLE_ROUND_1(unsigned long long, double2ull, double)
__HEDDLE_ROUND_1(float, double2float, double)
__HEDDLE_ROUND_1(float, int2float, int)
__HEDDLE_ROUND_1(float, uint2float, unsigned)
__HEDDLE_ROUND_1(float, ll2float, long long)
__HEDDLE_ROUND_1(float, ull2float, unsigned long long)
__HEDDLE_ROUND_1(double, ll2double, long long)
__HEDDLE_ROUND_1(double, ull2double, unsigned long long)
__HEDDLE_DEVICE__ double __int2double_rn(int x) { return x; }
__HEDDLE_DEVICE__ double __uint2double_rn(unsigned x) { return x; }

__HEDDLE_ROUND_2(float, fadd)
__HEDDLE_ROUND_2(float, fsub)
__HEDDLE_ROUND_2(float, fmul)
__HEDDLE_ROUND_2(float, fdiv)
__HEDDLE_ROUND_1(float, frcp, float)
__HEDDLE_ROUND_1(float, fsqrt, float)
__HEDDLE_ROUND_3(float, fmaf)
__HEDDLE_ROUND_3(float, fmaf_ieee)
__HEDDLE_DEVICE__ float __frsqrt_rn(float x) { return __nv_frsqrt_rn(x); }

__HEDDLE_ROUND_2(double, dadd)
__HEDDLE_ROUND_2(double, dsub)
__HEDDLE_ROUND_2(double, dmul)
__HEDDLE_ROUND_2(double, ddiv)
__HEDDLE_ROUND_1(double, drcp, double)
__HEDDLE_ROUND_1(double, dsqrt, double)
__HEDDLE_ROUND_3(double, fma)

#undef __HEDDLE_ROUND_3
#undef __HEDDLE_ROUND_2
#undef __HEDDLE_ROUND_1

// --- Fast, less exact functions ---

__HEDDLE_DEVICE__ float __sinf(float x) { return __nv_fast_sinf(x); }
__HEDDLE_DEVICE__ float __cosf(float x) { return __nv_fast_cosf(x); }
__HEDDLE_DEVICE__ float __tanf(float x) { return __nv_fast_tanf(x); }
__HEDDLE_DEVICE__ void __sincosf(float x, float *sine, float *cosine) {
  __nv_fast_sincosf(x, sine, cosine);
}
__HEDDLE_DEVICE__ float __expf(float x) { return __nv_fast_expf(x); }
__HEDDLE_DEVICE__ float __exp10f(float x) { return __nv_fast_exp10f(x); }
__HEDDLE_DEVICE__ float __logf(float x) { return __nv_fast_logf(x); }
__HEDDLE_DEVICE__ float __log2f(float x) { return __nv_fast_log2f(x); }
__HEDDLE_DEVICE__ float __log10f(float x) { return __nv_fast_log10f(x); }
__HEDDLE_DEVICE__ float __powf(float x, float y) { return __nv_fast_powf(x, y); }
__HEDDLE_DEVICE__ float __fdividef(float x, float y) { return __nv_fast_fdividef(x, y); }
__HEDDLE_DEVICE__ float __saturatef(float x) { return __nv_saturatef(x); }
__HEDDLE_DEVICE__ float saturate(float x) { return __nv_saturatef(x); }

// --- Classification: what isnan() and its kin are made of ---

__HEDDLE_DEVICE__ int __finitef(float x) { return __builtin_isfinite(x); }
__HEDDLE_DEVICE__ int __finite(double x) { return __builtin_isfinite(x); }
__HEDDLE_DEVICE__ int __isfinited(double x) { return __builtin_isfinite(x); }
__HEDDLE_DEVICE__ int __isinff(float x) { return __builtin_isinf(x); }
__HEDDLE_DEVICE__ int __isinf(double x) { return __builtin_isinf(x); }
__HEDDLE_DEVICE__ int __isnanf(float x) { return __builtin_isnan(x); }
__HEDDLE_DEVICE__ int __isnan(double x) { return __builtin_isnan(x); }
__HEDDLE_DEVICE__ int __signbitf(float x) { return __builtin_bit_cast(unsigned, x) >> 31; }
__HEDDLE_DEVICE__ int __signbitd(double x) {
  return (int)(__builtin_bit_cast(unsigned long long, x) >> 63);
}
