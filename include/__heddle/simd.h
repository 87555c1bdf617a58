// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on two 16-bit or four 8-bit integers packed in one word (CUDA Math API, "SIMD
// Intrinsics"), and the DPX functions for dynamic programming ("DPX" in the Programming Guide).
//
// A name says what it works on: 2 or 4 elements, s or u for signed or unsigned, ss or us for a
// result that saturates. Plain C++ over the elements; the optimiser unrolls the loops.
#pragma once

#include <__heddle/define.h>

// One element at a time: EXPRESSION of x and y (ints), its low BITS bits stored.
#define __HEDDLE_SIMD_ELEMENTS(NAME, ELEMENT, BITS, EXPRESSION)                                    \
  __HEDDLE_DEVICE__ unsigned NAME(unsigned a, unsigned b) {                                        \
    unsigned result = 0;                                                                           \
    for (int shift = 0; shift < 32; shift += BITS) {                                               \
      int x = (ELEMENT)(a >> shift), y = (ELEMENT)(b >> shift);                                    \
      result |= ((unsigned)(EXPRESSION) & (0xffffffffu >> (32 - BITS))) << shift;                  \
    }                                                                                              \
    return result;                                                                                 \
  }
#define __HEDDLE_SIMD_UNARY(NAME, ELEMENT, BITS, EXPRESSION)                                       \
  __HEDDLE_DEVICE__ unsigned NAME(unsigned a) {                                                    \
    unsigned result = 0;                                                                           \
    for (int shift = 0; shift < 32; shift += BITS) {                                               \
      int x = (ELEMENT)(a >> shift);                                                               \
      result |= ((unsigned)(EXPRESSION) & (0xffffffffu >> (32 - BITS))) << shift;                  \
    }                                                                                              \
    return result;                                                                                 \
  }
// The sum over the elements.
#define __HEDDLE_SIMD_SUM(NAME, ELEMENT, BITS, EXPRESSION)                                         \
  __HEDDLE_DEVICE__ unsigned NAME(unsigned a, unsigned b) {                                        \
    unsigned sum = 0;                                                                              \
    for (int shift = 0; shift < 32; shift += BITS) {                                               \
      int x = (ELEMENT)(a >> shift), y = (ELEMENT)(b >> shift);                                    \
      sum += (unsigned)(EXPRESSION);                                                               \
    }                                                                                              \
    return sum;                                                                                    \
  }

__HEDDLE_DEVICE__ int __heddle_clamp(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}

#define __HEDDLE_SIMD_SIGNED(N, S, BITS, LOW, HIGH)                                                \
  __HEDDLE_SIMD_UNARY(__vabs##N, S, BITS, x < 0 ? -x : x)                                          \
  __HEDDLE_SIMD_UNARY(__vabsss##N, S, BITS, x == LOW ? HIGH : x < 0 ? -x : x)                      \
  __HEDDLE_SIMD_UNARY(__vneg##N, S, BITS, -x)                                                      \
  __HEDDLE_SIMD_UNARY(__vnegss##N, S, BITS, x == LOW ? HIGH : -x)                                  \
  __HEDDLE_SIMD_ELEMENTS(__vaddss##N, S, BITS, __heddle_clamp(x + y, LOW, HIGH))                   \
  __HEDDLE_SIMD_ELEMENTS(__vsubss##N, S, BITS, __heddle_clamp(x - y, LOW, HIGH))                   \
  __HEDDLE_SIMD_ELEMENTS(__vabsdiffs##N, S, BITS, x > y ? x - y : y - x)                           \
  __HEDDLE_SIMD_ELEMENTS(__vavgs##N, S, BITS, (x + y + (x + y >= 0)) >> 1)                         \
  __HEDDLE_SIMD_ELEMENTS(__vmaxs##N, S, BITS, x > y ? x : y)                                       \
  __HEDDLE_SIMD_ELEMENTS(__vmins##N, S, BITS, x < y ? x : y)                                       \
  __HEDDLE_SIMD_SUM(__vsads##N, S, BITS, x > y ? x - y : y - x)

#define __HEDDLE_SIMD_UNSIGNED(N, U, BITS, HIGH)                                                   \
  __HEDDLE_SIMD_ELEMENTS(__vadd##N, U, BITS, x + y)                                                \
  __HEDDLE_SIMD_ELEMENTS(__vsub##N, U, BITS, x - y)                                                \
  __HEDDLE_SIMD_ELEMENTS(__vaddus##N, U, BITS, __heddle_clamp(x + y, 0, HIGH))                     \
  __HEDDLE_SIMD_ELEMENTS(__vsubus##N, U, BITS, __heddle_clamp(x - y, 0, HIGH))                     \
  __HEDDLE_SIMD_ELEMENTS(__vabsdiffu##N, U, BITS, x > y ? x - y : y - x)                           \
  __HEDDLE_SIMD_ELEMENTS(__vavgu##N, U, BITS, (x + y + 1) >> 1)                                    \
  __HEDDLE_SIMD_ELEMENTS(__vhaddu##N, U, BITS, (x + y) >> 1)                                       \
  __HEDDLE_SIMD_ELEMENTS(__vmaxu##N, U, BITS, x > y ? x : y)                                       \
  __HEDDLE_SIMD_ELEMENTS(__vminu##N, U, BITS, x < y ? x : y)                                       \
  __HEDDLE_SIMD_SUM(__vsadu##N, U, BITS, x > y ? x - y : y - x)

// __vcmp gives all ones where true, __vset gives one.
#define __HEDDLE_SIMD_COMPARE_1(NAME, ELEMENT, BITS, OPERATOR)                                     \
  __HEDDLE_SIMD_ELEMENTS(__vcmp##NAME, ELEMENT, BITS, x OPERATOR y ? -1 : 0)                       \
  __HEDDLE_SIMD_ELEMENTS(__vset##NAME, ELEMENT, BITS, x OPERATOR y)
#define __HEDDLE_SIMD_COMPARE(N, S, U, BITS)                                                       \
  __HEDDLE_SIMD_COMPARE_1(eq##N, U, BITS, ==)                                                      \
  __HEDDLE_SIMD_COMPARE_1(ne##N, U, BITS, !=)                                                      \
  __HEDDLE_SIMD_COMPARE_1(ges##N, S, BITS, >=)                                                     \
  __HEDDLE_SIMD_COMPARE_1(geu##N, U, BITS, >=)                                                     \
  __HEDDLE_SIMD_COMPARE_1(gts##N, S, BITS, >)                                                      \
  __HEDDLE_SIMD_COMPARE_1(gtu##N, U, BITS, >)                                                      \
  __HEDDLE_SIMD_COMPARE_1(les##N, S, BITS, <=)                                                     \
  __HEDDLE_SIMD_COMPARE_1(leu##N, U, BITS, <=)                                                     \
  __HEDDLE_SIMD_COMPARE_1(lts##N, S, BITS, <)                                                      \
  __HEDDLE_SIMD_COMPARE_1(ltu##N, U, BITS, <)

__HEDDLE_SIMD_SIGNED(2, short, 16, -32768, 32767)
__HEDDLE_SIMD_SIGNED(4, signed char, 8, -128, 127)
__HEDDLE_SIMD_UNSIGNED(2, unsigned short, 16, 65535)
__HEDDLE_SIMD_UNSIGNED(4, unsigned char, 8, 255)
__HEDDLE_SIMD_COMPARE(2, short, unsigned short, 16)
__HEDDLE_SIMD_COMPARE(4, signed char, unsigned char, 8)

#undef __HEDDLE_SIMD_COMPARE
#undef __HEDDLE_SIMD_COMPARE_1
#undef __HEDDLE_SIMD_UNSIGNED
#undef __HEDDLE_SIMD_SIGNED
#undef __HEDDLE_SIMD_SUM
#undef __HEDDLE_SIMD_UNARY
#undef __HEDDLE_SIMD_ELEMENTS

// --- DPX: max and min of sums and of three values, in 32 bits or twice 16; host code may call
// them.

template <typename __T> __HEDDLE_HOST_DEVICE__ __T __heddle_max(__T a, __T b) {
  return a > b ? a : b;
}
template <typename __T> __HEDDLE_HOST_DEVICE__ __T __heddle_min(__T a, __T b) {
  return a < b ? a : b;
}

// NAME for TYPE in 32 bits; EXPRESSION of x, y and z.
#define __HEDDLE_DPX_32(NAME, TYPE, EXPRESSION)                                                    \
  __HEDDLE_HOST_DEVICE__ TYPE NAME(TYPE x, TYPE y, TYPE z) { return (EXPRESSION); }
// The same for two 16-bit elements in a word.
#define __HEDDLE_DPX_16(NAME, TYPE, EXPRESSION)                                                    \
  __HEDDLE_HOST_DEVICE__ unsigned NAME(unsigned a, unsigned b, unsigned c) {                       \
    unsigned result = 0;                                                                           \
    for (int shift = 0; shift < 32; shift += 16) {                                                 \
      TYPE x = (TYPE)(a >> shift), y = (TYPE)(b >> shift), z = (TYPE)(c >> shift);                 \
      result |= (unsigned)(unsigned short)(EXPRESSION) << shift;                                   \
    }                                                                                              \
    return result;                                                                                 \
  }

#define __HEDDLE_DPX(BITS, SUFFIX, TYPE, BIG)                                                      \
  __HEDDLE_DPX_##BITS(__vi##BIG##3_##SUFFIX, TYPE, __heddle_##BIG(__heddle_##BIG(x, y), z))        \
      __HEDDLE_DPX_##BITS(__viadd##BIG##_##SUFFIX, TYPE,                                           \
                          __heddle_##BIG((TYPE)((unsigned)x + (unsigned)y), z))
#define __HEDDLE_DPX_RELU(BITS, SUFFIX, TYPE, BIG)                                                 \
  __HEDDLE_DPX(BITS, SUFFIX, TYPE, BIG)                                                            \
  __HEDDLE_DPX_##BITS(__vi##BIG##3_##SUFFIX##_relu, TYPE,                                          \
                      __heddle_max((TYPE)0, __heddle_##BIG(__heddle_##BIG(x, y), z)))              \
      __HEDDLE_DPX_##BITS(                                                                         \
          __viadd##BIG##_##SUFFIX##_relu, TYPE,                                                    \
          __heddle_max((TYPE)0, __heddle_##BIG((TYPE)((unsigned)x + (unsigned)y), z)))

__HEDDLE_DPX_RELU(32, s32, int, max)
__HEDDLE_DPX_RELU(32, s32, int, min)
__HEDDLE_DPX(32, u32, unsigned, max)
__HEDDLE_DPX(32, u32, unsigned, min)
__HEDDLE_DPX_RELU(16, s16x2, short, max)
__HEDDLE_DPX_RELU(16, s16x2, short, min)
__HEDDLE_DPX(16, u16x2, unsigned short, max)
__HEDDLE_DPX(16, u16x2, unsigned short, min)
#undef __HEDDLE_DPX_RELU
#undef __HEDDLE_DPX
#undef __HEDDLE_DPX_16
#undef __HEDDLE_DPX_32

// Two values: clamped at zero from below, or telling which one was chosen.
#define __HEDDLE_DPX_PAIR(BIG, CHOOSES_FIRST)                                                      \
  __HEDDLE_HOST_DEVICE__ int __vi##BIG##_s32_relu(int a, int b) {                                  \
    return __vi##BIG##3_s32_relu(a, b, b);                                                         \
  }                                                                                                \
  __HEDDLE_HOST_DEVICE__ unsigned __vi##BIG##_s16x2_relu(unsigned a, unsigned b) {                 \
    return __vi##BIG##3_s16x2_relu(a, b, b);                                                       \
  }                                                                                                \
  __HEDDLE_HOST_DEVICE__ int __vib##BIG##_s32(int a, int b, bool *first) {                         \
    return (*first = a CHOOSES_FIRST b) ? a : b;                                                   \
  }                                                                                                \
  __HEDDLE_HOST_DEVICE__ unsigned __vib##BIG##_u32(unsigned a, unsigned b, bool *first) {          \
    return (*first = a CHOOSES_FIRST b) ? a : b;                                                   \
  }                                                                                                \
  __HEDDLE_HOST_DEVICE__ unsigned __vib##BIG##_s16x2(unsigned a, unsigned b, bool *first_high,     \
                                                     bool *first_low) {                            \
    *first_high = (short)(a >> 16) CHOOSES_FIRST(short)(b >> 16);                                  \
    *first_low = (short)a CHOOSES_FIRST(short) b;                                                  \
    return ((*first_high ? a : b) & 0xffff0000u) | ((*first_low ? a : b) & 0xffffu);               \
  }                                                                                                \
  __HEDDLE_HOST_DEVICE__ unsigned __vib##BIG##_u16x2(unsigned a, unsigned b, bool *first_high,     \
                                                     bool *first_low) {                            \
    *first_high = (a >> 16) CHOOSES_FIRST(b >> 16);                                                \
    *first_low = (a & 0xffffu) CHOOSES_FIRST(b & 0xffffu);                                         \
    return ((*first_high ? a : b) & 0xffff0000u) | ((*first_low ? a : b) & 0xffffu);               \
  }
__HEDDLE_DPX_PAIR(max, >=)
__HEDDLE_DPX_PAIR(min, <=)
#undef __HEDDLE_DPX_PAIR
