// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear filtering with the arithmetic of an H200, bit for bit (found as texture_access.h says).
//
// Weights are whole numbers of 1/256 whose sum is 256. Floats with a weight are aligned to the
// largest exponent among them and cut off 27 bits below it (halves: 14); the sum of the products is
// exact, and rounded to nearest, ties away from zero. Normalised integers are added up as such.
#ifndef HEDDLE_DEVICELIB_TEXTURE_FILTER_H
#define HEDDLE_DEVICELIB_TEXTURE_FILTER_H

#include "texture_access.h"

namespace heddle::texture {

/// Of up to eight neighbours in each of two levels: x counts fastest, then y, z, the level.
struct Weights {
  i32 of[16];
};

/// Divides `all` between neighbours along x, then along y. What is rounded is the share of the
/// second one, or if that lies diagonally opposite, of the first.
HEDDLE_INLINE void share(i32 all, i32 x, i32 (&of)[2]) {
  of[1] = (all * x + 128) >> 8;
  of[0] = all - of[1];
}

HEDDLE_INLINE void share(i32 all, i32 x, i32 y, i32 (&of)[4]) {
  i32 columns[2];
  share(all, x, columns);
  of[3] = (columns[1] * y + 128) >> 8;
  of[1] = columns[1] - of[3];
  of[0] = (columns[0] * (256 - y) + 128) >> 8;
  of[2] = columns[0] - of[0];
}

/// Puts the weights of 2, 4 or 8 neighbours, which add up to `all`, where `first` says.
template <i32 dimensions>
HEDDLE_INLINE void weigh(Weights &weights, i32 first, i32 all, i32 x, i32 y, i32 z) {
  if constexpr (dimensions == 1) {
    i32 of[2];
    share(all, x, of);
    weights.of[first] = of[0];
    weights.of[first + 1] = of[1];
  } else {
    const i32 behind = dimensions == 3 ? (all * z + 128) >> 8 : 0;
#pragma unroll
    for (i32 slice = 0; slice < dimensions - 1; ++slice) {
      i32 of[4];
      share(slice ? behind : all - behind, x, y, of);
#pragma unroll
      for (i32 i = 0; i < 4; ++i)
        weights.of[first + 4 * slice + i] = of[i];
    }
  }
}

/// The largest exponent, in place, of the texels that count; those that do not become -0.
template <i32 count>
HEDDLE_INLINE i32 largestExponent(const float (&texels)[count], const Weights &weights,
                                  float (&kept)[count]) {
  i32 exponent = 0;
#pragma unroll
  for (i32 i = 0; i < count; ++i) {
    kept[i] = weights.of[i] ? texels[i] : -0.0f;
    exponent = max(exponent, i32(bitsOf(kept[i]) & 0x7f800000));
  }
  return exponent;
}

/// 2^-e of such an exponent, which may be denormal.
HEDDLE_INLINE float reciprocalPower(i32 exponent) {
  return floatOf(u32(max(0x7f000000 - exponent, 0x00400000)));
}

/// Denormal results are 0, and there is one number that is none.
HEDDLE_INLINE float finished(float value, float unscaled) {
  const float zero = unscaled == 0.0f ? unscaled : 0.0f;
  const float result = abs(value) < 0x1p-126f ? zero : value;
  return isNan(value) ? floatOf(0x7fffffff) : result;
}

/// The weighted mean of floats.
template <i32 count>
HEDDLE_INLINE float blend(const float (&texels)[count], const Weights &weights) {
  float kept[count];
  const i32 exponent = largestExponent(texels, weights, kept);
  const float scale = reciprocalPower(exponent);
  double sum = -0.0;
#pragma unroll
  for (i32 i = 0; i < count; ++i) {
    const float cut = trunc(kept[i] * scale * 0x1p27f);
    sum = fma(double(cut), double(weights.of[i]), sum);
  }
  // Sums have at most 40 bits: what decides a tie is less than any of them.
  const float rounded = float(sum * (1 + 0x1p-48));
  return finished(rounded * 0x1p-35f * floatOf(u32(exponent)), rounded);
}

/// The same of halves.
template <i32 count>
HEDDLE_INLINE float blendHalves(const float (&texels)[count], const Weights &weights) {
  float kept[count];
  const i32 exponent = largestExponent(texels, weights, kept);
  const float scale = reciprocalPower(exponent);
  float sum = -0.0f; // at most 24 bits
#pragma unroll
  for (i32 i = 0; i < count; ++i)
    sum += trunc(kept[i] * scale * 0x1p14f) * float(weights.of[i]);
  const float exact = sum * 0x1p-22f * floatOf(u32(exponent));
  // To 11 bits, or to 2^-24 if the half is denormal.
  const i32 last = max(i32(bitsOf(exact) & 0x7f800000) - (10 << 23), (127 - 24) << 23);
  const float unit = floatOf(u32(last));
  const float rounded = floor(abs(exact) * reciprocalPower(last) + 0.5f) * unit;
  const float result = abs(exact) < infinity<float>() ? copysign(rounded, exact) : exact;
  return isNan(result) ? floatOf(0x7fffe000) : result;
}

/// The weighted mean of raw channels that are read as numbers from 0, or -1, to 1.
template <i32 count>
HEDDLE_INLINE float blendIntegers(const i32 (&texels)[count], const Weights &weights, Channel kind,
                                  u32 size) {
  i32 sum = 0; // at most 24 bits
#pragma unroll
  for (i32 i = 0; i < count; ++i)
    sum += texels[i] * weights.of[i];
  if (kind == Channel::Unsigned) {
    const i32 mean = ((size == 8 ? sum * 257 : sum) + 128) >> 8;
    return float(mean) / 65535.0f;
  }
  // 7 bits and a sign are made 15 by repeating the upper ones.
  const i32 upper = sum >> 4;
  const i32 mean = size == 8 ? sum + ((upper + (upper >> 8) + 4) >> 3) : (sum + 128) >> 8;
  const float value = float(mean) / 32767.0f;
  return value < -1.0f ? -1.0f : value;
}

} // namespace heddle::texture

#endif
