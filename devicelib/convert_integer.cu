// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions from floating point to integers in the four rounding modes (PTX ISA, cvt): results
// out of range saturate. NaN gives 0 when a float becomes a 32-bit integer, and only the top bit
// set when the source is double or the result has 64 bits.
#include "common.h"

using namespace heddle;

namespace {

template <typename Int> struct Limits;
template <> struct Limits<i32> {
  static constexpr i32 min = i32(1u << 31), max = i32(~0u >> 1);
  static constexpr double past_max = 0x1p31;
};
template <> struct Limits<u32> {
  static constexpr u32 min = 0, max = ~0u;
  static constexpr double past_max = 0x1p32;
};
template <> struct Limits<i64> {
  static constexpr i64 min = i64(1ull << 63), max = i64(~0ull >> 1);
  static constexpr double past_max = 0x1p63;
};
template <> struct Limits<u64> {
  static constexpr u64 min = 0, max = ~0ull;
  static constexpr double past_max = 0x1p64;
};

// What NaN becomes.
template <typename Int, typename Float> constexpr Int nanResult() {
  return sizeof(Float) == 4 && sizeof(Int) == 4 ? Int(0) : Int(1ull << (8 * sizeof(Int) - 1));
}

// `x` is already integral, or its fraction is to be cut off. The value that is converted is always
// in range, so that lanes with other values do nothing undefined.
template <typename Int, typename Float> HEDDLE_INLINE Int saturate(Float x) {
  constexpr Float low = Float(Limits<Int>::min), past = Float(Limits<Int>::past_max);
  bool fits = x >= low && x < past;
  Int converted = Int(fits ? x : Float(0));
  Int limit = x >= past ? Limits<Int>::max : Limits<Int>::min;
  Int result = fits ? converted : limit;
  return x != x ? nanResult<Int, Float>() : result;
}

} // namespace

#define CONVERSIONS(prefix, Int, source, Float, floor, ceil, rint)                                 \
  HEDDLE_API Int __nv_##source##2##prefix##_rz(Float a) { return saturate<Int>(a); }               \
  HEDDLE_API Int __nv_##source##2##prefix##_rd(Float a) { return saturate<Int>(floor(a)); }        \
  HEDDLE_API Int __nv_##source##2##prefix##_ru(Float a) { return saturate<Int>(ceil(a)); }         \
  HEDDLE_API Int __nv_##source##2##prefix##_rn(Float a) { return saturate<Int>(rint(a)); }
#define FROM_FLOAT(prefix, Int)                                                                    \
  CONVERSIONS(prefix, Int, float, float, __builtin_floorf, __builtin_ceilf, __builtin_rintf)
#define FROM_DOUBLE(prefix, Int)                                                                   \
  CONVERSIONS(prefix, Int, double, double, __builtin_floor, __builtin_ceil, __builtin_rint)

FROM_FLOAT(int, int)
FROM_FLOAT(uint, unsigned int)
FROM_FLOAT(ll, long long)
FROM_FLOAT(ull, unsigned long long)
FROM_DOUBLE(int, int)
FROM_DOUBLE(uint, unsigned int)
FROM_DOUBLE(ll, long long)
FROM_DOUBLE(ull, unsigned long long)
