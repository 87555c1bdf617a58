// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer functions and bit-counting intrinsics (CUDA Math API, "Integer Mathematical Functions"
// and "Integer Intrinsics"). Arithmetic that may wrap is done on unsigned types.
#include "common.h"

using namespace heddle;

HEDDLE_API int __nv_abs(int a) { return a < 0 ? i32(0u - u32(a)) : a; }
HEDDLE_API long long __nv_llabs(long long a) { return a < 0 ? i64(0ull - u64(a)) : a; }

HEDDLE_API int __nv_max(int a, int b) { return a > b ? a : b; }
HEDDLE_API int __nv_min(int a, int b) { return a < b ? a : b; }
HEDDLE_API unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
HEDDLE_API unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
HEDDLE_API long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
HEDDLE_API long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
HEDDLE_API unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
HEDDLE_API unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}

HEDDLE_API int __nv_brev(int a) { return i32(__builtin_bitreverse32(u32(a))); }
HEDDLE_API long long __nv_brevll(long long a) { return i64(__builtin_bitreverse64(u64(a))); }
HEDDLE_API int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz(u32(a)); }
HEDDLE_API int __nv_clzll(long long a) { return a == 0 ? 64 : __builtin_clzll(u64(a)); }
HEDDLE_API int __nv_ffs(int a) { return a == 0 ? 0 : __builtin_ctz(u32(a)) + 1; }
HEDDLE_API int __nv_ffsll(long long a) { return a == 0 ? 0 : __builtin_ctzll(u64(a)) + 1; }
HEDDLE_API int __nv_popc(unsigned int a) { return __builtin_popcount(a); }
HEDDLE_API int __nv_popcll(unsigned long long a) { return __builtin_popcountll(a); }

// One byte of the result: three bits of the selector name one of eight bytes.
HEDDLE_INLINE u32 permutedByte(u64 bytes, u32 selectors, u32 index) {
  u32 selector = (selectors >> (4 * index)) & 7;
  return (u32(bytes >> (8 * selector)) & 0xff) << (8 * index);
}

HEDDLE_API int __nv_byte_perm(int a, int b, int c) {
  u64 bytes = u64(u32(b)) << 32 | u32(a);
  u32 s = u32(c);
  return i32(permutedByte(bytes, s, 0) | permutedByte(bytes, s, 1) | permutedByte(bytes, s, 2) |
             permutedByte(bytes, s, 3));
}

// Averages, rounded down (hadd) and up (rhadd), without the carry that a + b would lose.
HEDDLE_API int __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
HEDDLE_API int __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
HEDDLE_API int __nv_uhadd(unsigned int a, unsigned int b) { return i32((a & b) + ((a ^ b) >> 1)); }
HEDDLE_API unsigned int __nv_urhadd(unsigned int a, unsigned int b) {
  return (a | b) - ((a ^ b) >> 1);
}

HEDDLE_API int __nv_sad(int a, int b, int c) {
  u32 difference = a > b ? u32(a) - u32(b) : u32(b) - u32(a);
  return i32(difference + u32(c));
}
HEDDLE_API unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}

HEDDLE_API int __nv_mul24(int a, int b) {
  return i32(u32(i32(u32(a) << 8) >> 8) * u32(i32(u32(b) << 8) >> 8));
}
HEDDLE_API unsigned int __nv_umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
HEDDLE_API int __nv_mulhi(int a, int b) { return i32((i64(a) * b) >> 32); }
HEDDLE_API unsigned int __nv_umulhi(unsigned int a, unsigned int b) {
  return u32((u64(a) * b) >> 32);
}

// The high half of a 128-bit product from four 32-bit ones, since lanes have no 128-bit integers.
HEDDLE_API unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  u64 a_lo = u32(a), a_hi = a >> 32, b_lo = u32(b), b_hi = b >> 32;
  u64 middle = a_hi * b_lo + ((a_lo * b_lo) >> 32);
  u64 other = a_lo * b_hi + u32(middle);
  return a_hi * b_hi + (middle >> 32) + (other >> 32);
}
HEDDLE_API long long __nv_mul64hi(long long a, long long b) {
  u64 high = __nv_umul64hi(u64(a), u64(b));
  return i64(high - (a < 0 ? u64(b) : 0) - (b < 0 ? u64(a) : 0));
}
