// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIMD-in-a-word functions: two 16-bit or four 8-bit integers in each 32-bit word (CUDA Math API,
// "SIMD Intrinsics"). Each is an operation on one element, done for all of them; elements are
// widened to int, where none of these operations overflows.
//
// Names follow CUDA's: s or u for signed or unsigned elements, ss or us for saturating results,
// vset for results of 0 and 1, vcmp for masks.
#include "common.h"

using namespace heddle;

namespace {

// How the elements of a word are laid out and read.
template <int width_, bool is_signed> struct Elements {
  static constexpr int width = width_, count = 32 / width_;
  static constexpr u32 mask = (1u << width_) - 1;
  static constexpr i32 lowest = is_signed ? -(1 << (width_ - 1)) : 0;
  static constexpr i32 highest = lowest + i32(mask);

  static constexpr __device__ i32 read(u32 word, int index) {
    u32 top = word << (32 - width * (index + 1));
    return is_signed ? i32(top) >> (32 - width) : i32(top >> (32 - width));
  }
  static constexpr __device__ u32 place(i32 value, int index) {
    return (u32(value) & mask) << (width * index);
  }
  static constexpr __device__ i32 saturate(i32 value) {
    i32 capped = value > highest ? highest : value;
    return capped < lowest ? lowest : capped;
  }
};

template <typename E, typename Operation> HEDDLE_INLINE u32 forEach(u32 a, u32 b, Operation op) {
  u32 result = 0;
#pragma unroll
  for (int i = 0; i < E::count; ++i)
    result |= E::place(op(E::read(a, i), E::read(b, i)), i);
  return result;
}

template <typename E, typename Operation> HEDDLE_INLINE u32 sumOver(u32 a, u32 b, Operation op) {
  u32 result = 0;
#pragma unroll
  for (int i = 0; i < E::count; ++i)
    result += u32(op(E::read(a, i), E::read(b, i)));
  return result;
}

} // namespace

// One function for halfwords and one for bytes. `x` and `y` are the elements.
#define BINARY(name, is_signed, expression)                                                        \
  HEDDLE_API int __nv_##name##2(int a, int b) {                                                    \
    using E = Elements<16, is_signed>;                                                             \
    return i32(forEach<E>(u32(a), u32(b), [](i32 x, i32 y) -> i32 { return expression; }));        \
  }                                                                                                \
  HEDDLE_API int __nv_##name##4(int a, int b) {                                                    \
    using E = Elements<8, is_signed>;                                                              \
    return i32(forEach<E>(u32(a), u32(b), [](i32 x, i32 y) -> i32 { return expression; }));        \
  }
#define UNARY(name, expression)                                                                    \
  HEDDLE_API int __nv_##name##2(int a) {                                                           \
    using E = Elements<16, true>;                                                                  \
    return i32(forEach<E>(u32(a), 0, [](i32 x, i32) -> i32 { return expression; }));               \
  }                                                                                                \
  HEDDLE_API int __nv_##name##4(int a) {                                                           \
    using E = Elements<8, true>;                                                                   \
    return i32(forEach<E>(u32(a), 0, [](i32 x, i32) -> i32 { return expression; }));               \
  }
#define SUM(name, is_signed, expression)                                                           \
  HEDDLE_API int __nv_##name##2(int a, int b) {                                                    \
    using E = Elements<16, is_signed>;                                                             \
    return i32(sumOver<E>(u32(a), u32(b), [](i32 x, i32 y) -> i32 { return expression; }));        \
  }                                                                                                \
  HEDDLE_API int __nv_##name##4(int a, int b) {                                                    \
    using E = Elements<8, is_signed>;                                                              \
    return i32(sumOver<E>(u32(a), u32(b), [](i32 x, i32 y) -> i32 { return expression; }));        \
  }

UNARY(vabs, x < 0 ? -x : x)
UNARY(vabsss, E::saturate(x < 0 ? -x : x))
UNARY(vneg, -x)
UNARY(vnegss, E::saturate(-x))

BINARY(vadd, false, x + y)
BINARY(vaddss, true, E::saturate(x + y))
BINARY(vaddus, false, E::saturate(x + y))
BINARY(vsub, false, x - y)
BINARY(vsubss, true, E::saturate(x - y))
BINARY(vsubus, false, E::saturate(x - y))
BINARY(vabsdiffs, true, x > y ? x - y : y - x)
BINARY(vabsdiffu, false, x > y ? x - y : y - x)
BINARY(vmaxs, true, x > y ? x : y)
BINARY(vmaxu, false, x > y ? x : y)
BINARY(vmins, true, x < y ? x : y)
BINARY(vminu, false, x < y ? x : y)
// Averages: halves are rounded away from zero (PTX ISA, vavrg), or down for vhadd.
BINARY(vavgs, true, (x + y + (x + y >= 0)) >> 1)
BINARY(vavgu, false, (x + y + 1) >> 1)
BINARY(vhaddu, false, (x + y) >> 1)
SUM(vsads, true, x > y ? x - y : y - x)
SUM(vsadu, false, x > y ? x - y : y - x)

#define COMPARISON(suffix, is_signed, condition)                                                   \
  BINARY(vset##suffix, is_signed, condition)                                                       \
  BINARY(vcmp##suffix, is_signed, -i32(condition))
COMPARISON(eq, false, x == y)
COMPARISON(ne, false, x != y)
COMPARISON(ges, true, x >= y)
COMPARISON(geu, false, x >= y)
COMPARISON(gts, true, x > y)
COMPARISON(gtu, false, x > y)
COMPARISON(les, true, x <= y)
COMPARISON(leu, false, x <= y)
COMPARISON(lts, true, x < y)
COMPARISON(ltu, false, x < y)
