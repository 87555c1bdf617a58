// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a fetch finds its texels: from coordinates to indices and weights, and from texels to bits.
//
// The CUDA guide ("Texture Fetching") gives the formulae; the fixed-point formats and roundings are
// those of an H200, found by comparing recorded fetches bit for bit (tests/conformance/textures):
// a coordinate in texels has 8 fractional bits, rounded half up; normalised coordinates have been
// cut off after 21 bits before they are multiplied by the size (more for sizes above 8192).
//
// Modes and formats come from the descriptor, so they are the same for all lanes: branches on them
// are scalar. What depends on coordinates is straight-line.
#ifndef HEDDLE_DEVICELIB_TEXTURE_ACCESS_H
#define HEDDLE_DEVICELIB_TEXTURE_ACCESS_H

#include "../include/__heddle/texture/descriptor.h"
#include "common.h"

#ifdef __CUDA__
// In constant memory for the compiler: no store of the kernel changes a descriptor.
#define HEDDLE_DESCRIPTOR const __attribute__((address_space(4))) ::heddle::texture::Descriptor *
#define HEDDLE_LEVELS const __attribute__((address_space(4))) ::heddle::texture::Level *
#else
#define HEDDLE_DESCRIPTOR const ::heddle::texture::Descriptor *
#define HEDDLE_LEVELS const ::heddle::texture::Level *
#endif

namespace heddle::texture {

/// What a fetch returns: four channels, as bits.
struct Texels {
  u32 bits[4];
};

/// Two neighbours along one axis, the second one's weight in 1/256, and whether each lies outside.
struct Pair {
  i32 first, second;
  i32 weight;
  bool first_outside, second_outside;
};

HEDDLE_INLINE i32 min(i32 a, i32 b) { return a < b ? a : b; }
HEDDLE_INLINE i32 max(i32 a, i32 b) { return a > b ? a : b; }
HEDDLE_INLINE float clamp(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/// Denormals, and what is no number, are 0.
HEDDLE_INLINE float flushed(float x) { return abs(x) >= 0x1p-126f ? x : 0.0f; }

/// Fractional bits that a normalised coordinate keeps.
HEDDLE_INLINE i32 keptBits(i32 size) {
  return 21 + max(0, 32 - 13 - __builtin_clz(u32(size - 1) | 1));
}

/// A normalised coordinate in units of 2^-bits, and whether its part of the texture is mirrored.
struct Normalized {
  i32 bits;
  bool mirrored;
};

HEDDLE_INLINE Normalized normalizedBits(float x, Address mode, i32 bits) {
  const float unit = exp2Int(bits);
  if (mode == Address::Wrap || mode == Address::Mirror) {
    x = abs(x) < 0x1p24f ? x : 0.0f; // whole and even
    const float whole = floor(x), half = whole * 0.5f;
    const i32 rest = i32(floor(x * unit) - whole * unit) & ((1 << bits) - 1);
    return {rest, mode == Address::Mirror && half != floor(half)};
  }
  return {i32(floor(clamp(x, -1.0f, 2.0f) * unit)), false};
}

/// bits * size / 2^shift, rounded down, without a product of more than 64 bits.
HEDDLE_INLINE i32 scaled(i32 bits, i32 size, i32 shift, i32 half) {
  const i32 high = bits >> shift, low = bits & ((1 << shift) - 1);
  return high * size + i32((u64(u32(low)) * u32(size) + u32(half)) >> shift);
}

HEDDLE_INLINE i32 clampIndex(i32 index, i32 size) { return min(max(index, 0), size - 1); }

/// The texel that point sampling takes; outside only matters with a border.
HEDDLE_INLINE i32 nearest(float x, i32 size, bool normalized, Address mode, bool &outside) {
  x = flushed(x);
  i32 index;
  if (normalized) {
    const i32 bits = keptBits(size);
    const Normalized place = normalizedBits(x, mode, bits);
    index = scaled(place.bits, size, bits, 0);
    index = place.mirrored ? size - 1 - index : index;
  } else {
    index = i32(floor(clamp(x, -1.0f, float(size))));
  }
  outside = u32(index) >= u32(size);
  return clampIndex(index, size);
}

/// A coordinate in texels, from the first one's centre, with 8 fractional bits.
struct Fixed {
  i32 at;
  bool mirrored;
};

HEDDLE_INLINE Fixed fixedPoint(float x, i32 size, bool normalized, Address mode) {
  x = flushed(x);
  if (normalized) {
    const i32 bits = keptBits(size), shift = bits - 8;
    const Normalized place = normalizedBits(x, mode, bits);
    return {scaled(place.bits, size, shift, 1 << (shift - 1)) - 128, place.mirrored};
  }
  const i32 halves = i32(floor(clamp(x, -2.0f, float(size) + 2.0f) * 512.0f));
  return {((halves + 1) >> 1) - 128, false};
}

/// The texels that linear filtering blends, and how; or that gathering finds.
HEDDLE_INLINE Pair neighbours(float x, i32 size, bool normalized, Address mode,
                              bool filters = true) {
  const Fixed place = fixedPoint(x, size, normalized, mode);
  const bool mirrored = place.mirrored;
  i32 fixed = place.at;
  // Clamped coordinates lie on the last texel's centre, where it has all the weight.
  fixed = filters && mode == Address::Clamp ? min(max(fixed, 0), (size - 1) << 8) : fixed;
  Pair pair;
  const i32 index = fixed >> 8;
  pair.weight = fixed & 255;
  const i32 first = mirrored ? size - 1 - index : index;
  const i32 second = mirrored ? size - 2 - index : index + 1;
  pair.first_outside = u32(first) >= u32(size);
  pair.second_outside = u32(second) >= u32(size);
  // Of each pair at most one is outside on either side, where coordinates wrap.
  const bool wraps = mode == Address::Wrap;
  pair.first = wraps && first < 0 ? size - 1 : clampIndex(first, size);
  pair.second = wraps && second >= size ? 0 : clampIndex(second, size);
  return pair;
}

/// The first of two texels that lie side by side, and the second one's weight, up to 256: what
/// filtering with clamped coordinates needs. A texture of one texel has no second one.
struct Clamped {
  i32 first, weight;
};

HEDDLE_INLINE Clamped clampedNeighbours(float x, i32 size, bool normalized) {
  const Fixed place = fixedPoint(x, size, normalized, Address::Clamp);
  const i32 fixed = min(max(place.at, 0), (size - 1) << 8);
  const i32 first = min(fixed >> 8, max(size - 2, 0));
  return {first, fixed - (first << 8)};
}

// ---- Texels -------------------------------------------------------------------------------------

template <class Type> HEDDLE_INLINE Type loadAt(const char *address) {
  return *reinterpret_cast<const Type *>(address);
}

HEDDLE_INLINE float halfToFloat(u32 half) {
  const u32 magnitude = half & 0x7fff;
  // Denormals by a multiplication that normalises them.
  const float small = float(i32(magnitude)) * 0x1p-24f;
  const u32 large =
      magnitude >= 0x7c00 ? (magnitude << 13) | 0x7f800000 : (magnitude << 13) + (112u << 23);
  const u32 bits = magnitude < 0x400 ? bitsOf(small) : large;
  return floatOf(bits | (half & 0x8000) << 16);
}

/// An integer channel as a number from 0, or -1, to 1.
HEDDLE_INLINE float normalizedChannel(u32 bits, Channel kind, u32 size) {
  if (kind == Channel::Unsigned)
    return float(i32(bits)) / (size == 8 ? 255.0f : 65535.0f);
  const float value = float(i32(bits)) / (size == 8 ? 127.0f : 32767.0f);
  return value < -1.0f ? -1.0f : value;
}

/// The raw channel `index` of the texel at `address`.
HEDDLE_INLINE u32 rawChannel(const char *address, u32 index, Channel kind, u32 size) {
  if (size == 8) {
    const u32 byte = loadAt<u8>(address + index);
    return kind == Channel::Signed ? u32(i32(byte << 24) >> 24) : byte;
  }
  if (size == 16) {
    const u32 half = loadAt<u16>(address + 2 * index);
    return kind == Channel::Signed ? u32(i32(half << 16) >> 16) : half;
  }
  return loadAt<u32>(address + 4 * index);
}

/// A raw channel as a fetch without filtering returns it.
HEDDLE_INLINE u32 decoded(u32 raw, u32 form) {
  const Channel kind = Channel(form >> 16);
  const u32 size = form >> 8 & 255;
  if (kind == Channel::Float)
    return size == 16 ? bitsOf(halfToFloat(raw)) : raw;
  return form & 1 ? bitsOf(normalizedChannel(raw, kind, size)) : raw;
}

HEDDLE_INLINE u32 rawChannel(const char *address, u32 index, u32 form) {
  return rawChannel(address, index, Channel(form >> 16), form >> 8 & 255);
}

HEDDLE_INLINE u32 channelAt(const char *address, u32 index, u32 form) {
  return decoded(rawChannel(address, index, form), form);
}

HEDDLE_INLINE u32 channelsOf(u32 form) { return form >> 4 & 15; }

template <class LevelType>
HEDDLE_INLINE const char *texelAddress(const LevelType &level, u32 texel_bytes, i32 x, i32 y,
                                       i32 z) {
  return reinterpret_cast<const char *>(level.base + u64(u32(z)) * level.slice_bytes +
                                        u64(u32(y)) * level.row_bytes + u64(u32(x)) * texel_bytes);
}

} // namespace heddle::texture

#endif
