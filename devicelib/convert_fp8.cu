// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 8-bit floating point (PTX ISA, "Alternate Floating-Point Data Formats"): e4m3 has no infinities
// and one NaN of each sign, e5m2 is the upper half of a 16-bit number.
#include "common.h"

using namespace heddle;

namespace {

// Rounded to nearest even; what is too large becomes the largest number.
HEDDLE_INLINE u32 narrowed(float value, int mantissa, int bias, u32 largest) {
  const u32 bits = bitsOf(value), magnitude = bits & 0x7fffffff;
  const int shift = 23 - mantissa;
  const u32 rounded = magnitude + (1u << (shift - 1)) - 1 + (magnitude >> shift & 1);
  const u32 normal = (rounded >> shift) - (u32(127 - bias) << mantissa);
  // Below the normal numbers all have the same distance.
  const float steps = rint(abs(value) * exp2Int(bias - 1 + mantissa));
  const bool is_small = abs(value) < exp2Int(1 - bias);
  const u32 small = is_small ? u32(i32(steps)) : 0;
  u32 result = is_small ? small : normal;
  result = magnitude >= 0x7f800000 || result > largest ? largest : result;
  return isNan(value) ? 0x7f : result | (bits >> 24 & 0x80);
}

} // namespace

HEDDLE_API u32 __heddle_float_to_e4m3(float value) { return narrowed(value, 3, 7, 0x7e); }
HEDDLE_API u32 __heddle_float_to_e5m2(float value) { return narrowed(value, 2, 15, 0x7b); }

HEDDLE_API float __heddle_e4m3_to_float(u32 bits) {
  const float value = floatOf((bits & 0x7f) << 20) * exp2Int(120);
  const float number = (bits & 0x7f) == 0x7f ? quietNan<float>() : value;
  return bits & 0x80 ? -number : number;
}
