// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fetch from one level of any texture: every format, mode and number of dimensions, channel by
// channel.
#ifndef HEDDLE_DEVICELIB_TEXTURE_GENERAL_H
#define HEDDLE_DEVICELIB_TEXTURE_GENERAL_H

#include "texture_filter.h"

namespace heddle::texture {

/// sRGB to linear (IEC 61966-2-1), with the eight bits that a texture unit keeps.
HEDDLE_INLINE float linearized(float value) {
  const float base = (value + 0.055f) / 1.055f;
  // x^2.4 = x^2 * (x^0.2)^2; the fifth root by Newton's method.
  float root = 0.2f * base + 0.8f;
  for (i32 i = 0; i < 8; ++i) {
    const float square = root * root;
    root = 0.8f * root + 0.2f * base / (square * square);
  }
  const float linear = value <= 0.04045f ? value / 12.92f : base * base * root * root;
  const u32 bits = bitsOf(linear) + 0x8000;
  const float step = 0x1p-14f;
  return linear < 0x1p-7f ? floor(linear / step + 0.5f) * step : floatOf(bits & 0xffff0000);
}

/// Where a fetch looks.
struct Place {
  float at[3];
  i32 dimensions; // along which texels are found by coordinates
  i32 layer;      // slice of the first texel, where there are less than three
};

/// The texels around a place, in one level or two, and what each counts.
struct Footprint {
  const char *address[16];
  bool outside[16];
  Weights weights;
  i32 count = 0;
};

HEDDLE_INLINE void weighNeighbours(Footprint &result, i32 dimensions, i32 all, i32 x, i32 y,
                                   i32 z) {
  if (dimensions == 1)
    weigh<1>(result.weights, result.count, all, x, y, z);
  else if (dimensions == 2)
    weigh<2>(result.weights, result.count, all, x, y, z);
  else
    weigh<3>(result.weights, result.count, all, x, y, z);
}

/// Adds the texels of one level, whose weights add up to `all`.
template <class LevelType>
HEDDLE_INLINE void addLevel(Footprint &result, HEDDLE_DESCRIPTOR d, const LevelType &level,
                            const Place &place, i32 all) {
  const i32 sizes[3] = {i32(level.width), i32(level.height), i32(level.depth)};
  Pair pairs[3];
  for (i32 axis = 0; axis < 3; ++axis) {
    const Address mode = d->address[axis];
    if (axis >= place.dimensions) {
      const i32 index = axis == 2 ? place.layer : 0;
      pairs[axis] = {index, index, 0, false, false};
    } else if (d->linear) {
      pairs[axis] = neighbours(place.at[axis], sizes[axis], d->normalized, mode);
    } else {
      bool outside;
      const i32 index = nearest(place.at[axis], sizes[axis], d->normalized, mode, outside);
      pairs[axis] = {index, index, 0, outside, outside};
    }
    const bool bordered = axis < place.dimensions && mode == Address::Border;
    pairs[axis].first_outside &= bordered;
    pairs[axis].second_outside &= bordered;
  }
  if (d->linear)
    weighNeighbours(result, place.dimensions, all, pairs[0].weight, pairs[1].weight,
                    pairs[2].weight);
  else
    result.weights.of[result.count] = all;
  const i32 count = d->linear ? 1 << place.dimensions : 1;
  for (i32 i = 0; i < count; ++i) {
    const bool right = i & 1, below = i & 2, behind = i & 4;
    result.address[result.count + i] = texelAddress(
        level, d->texel_bytes, right ? pairs[0].second : pairs[0].first,
        below ? pairs[1].second : pairs[1].first, behind ? pairs[2].second : pairs[2].first);
    result.outside[result.count + i] = (right ? pairs[0].second_outside : pairs[0].first_outside) ||
                                       (below ? pairs[1].second_outside : pairs[1].first_outside) ||
                                       (behind ? pairs[2].second_outside : pairs[2].first_outside);
  }
  result.count += count;
}

/// Levels of detail, their bias and their limits have 8 fractional bits; the rest is cut off.
HEDDLE_INLINE i32 fixedLevel(HEDDLE_DESCRIPTOR d, float level) {
  const float most = float(i32(d->levels) - 1);
  const i32 wanted = i32(clamp(flushed(level), -64.0f, 64.0f) * 256.0f) + i32(d->bias * 256.0f);
  const i32 low = i32(clamp(d->min_level, 0.0f, most) * 256.0f);
  const i32 high = i32(clamp(d->max_level, 0.0f, most) * 256.0f);
  return min(max(wanted, low), high);
}

/// The texels of a fetch at a level of detail.
HEDDLE_INLINE void findTexels(Footprint &around, HEDDLE_DESCRIPTOR d, const Place &place,
                              float level) {
  if (d->levels <= 1)
    return addLevel(around, d, d->level, place, 256);
  HEDDLE_LEVELS levels = reinterpret_cast<HEDDLE_LEVELS>(d->table);
  const i32 fixed = fixedLevel(d, level), last = i32(d->levels) - 1;
  if (!d->mip_linear)
    return addLevel(around, d, levels[min((fixed + 128) >> 8, last)], place, 256);
  const i32 first = fixed >> 8, weight = fixed & 255;
  addLevel(around, d, levels[first], place, 256 - weight);
  if (weight)
    addLevel(around, d, levels[min(first + 1, last)], place, weight);
}

/// What a fetch gives for a channel that the texture lacks: nothing, but full alpha.
HEDDLE_INLINE u32 missingChannel(u32 index, u32 form) {
  const bool is_float = Channel(form >> 16) == Channel::Float || (form & 1);
  return index < 3 ? 0 : is_float ? 0x3f800000 : 1;
}

/// A raw channel of the i-th texel of a footprint.
HEDDLE_INLINE u32 rawOf(HEDDLE_DESCRIPTOR d, const Footprint &around, i32 i, u32 channel) {
  return around.outside[i] ? d->border[channel] : rawChannel(around.address[i], channel, d->form);
}

HEDDLE_INLINE float filteredChannel(HEDDLE_DESCRIPTOR d, const Footprint &around, u32 channel) {
  const Channel kind = Channel(d->form >> 16);
  const u32 size = d->form >> 8 & 255;
  Weights weights = around.weights;
  float texels[16];
  i32 raw[16];
  for (i32 i = 0; i < 16; ++i) {
    const bool counts = i < around.count;
    weights.of[i] = counts ? weights.of[i] : 0;
    raw[i] = counts ? i32(rawOf(d, around, i, channel)) : 0;
    texels[i] = floatOf(decoded(u32(raw[i]), d->form));
  }
  if (kind != Channel::Float)
    return blendIntegers<16>(raw, weights, kind, size);
  return size == 16 ? blendHalves<16>(texels, weights) : blend<16>(texels, weights);
}

/// What a footprint gives: its only texel, or the mean.
HEDDLE_INLINE Texels sampled(HEDDLE_DESCRIPTOR d, const Footprint &around) {
  Texels result;
  const u32 channels = channelsOf(d->form);
  for (u32 channel = 0; channel < 4; ++channel) {
    if (channel >= channels) {
      result.bits[channel] = missingChannel(channel, d->form);
      continue;
    }
    u32 bits = d->linear || around.count > 1 ? bitsOf(filteredChannel(d, around, channel))
                                             : decoded(rawOf(d, around, 0, channel), d->form);
    if (d->srgb && channel < 3)
      bits = bitsOf(linearized(floatOf(bits)));
    result.bits[channel] = bits;
  }
  return result;
}

template <class LevelType>
HEDDLE_INLINE Texels sampleLevel(HEDDLE_DESCRIPTOR d, const LevelType &level, const Place &place) {
  Footprint around;
  addLevel(around, d, level, place, 256);
  return sampled(d, around);
}

/// A layer's number, as hardware takes it: the last one if there is none such, negative or not.
HEDDLE_INLINE i32 layerOf(HEDDLE_DESCRIPTOR d, i32 layer) {
  return d->layers ? i32(u32(layer) < d->layers ? u32(layer) : d->layers - 1) : 0;
}

struct Face {
  i32 number;
  float s, t; // normalised place on the face
};

// CUDA C++ Programming Guide, table "Cubemap Fetch".
HEDDLE_INLINE Face faceOf(float x, float y, float z) {
  const float ax = abs(x), ay = abs(y), az = abs(z);
  float s, t, m;
  i32 number;
  if (ax > ay && ax > az) {
    const bool negative = isNegative(x);
    number = negative;
    s = negative ? z : -z;
    t = -y;
    m = ax;
  } else if (ay > az) {
    const bool negative = isNegative(y);
    number = 2 + negative;
    s = x;
    t = negative ? -z : z;
    m = ay;
  } else {
    const bool negative = isNegative(z);
    number = 4 + negative;
    s = negative ? -x : x;
    t = -y;
    m = az;
  }
  const float size = m == 0.0f ? 1.0f : m; // no direction: the middle of a face
  return {number, (s / size + 1.0f) / 2.0f, (t / size + 1.0f) / 2.0f};
}

/// The slice of a face, and the place on it.
HEDDLE_INLINE Place placeOnCube(HEDDLE_DESCRIPTOR d, float x, float y, float z, i32 layer) {
  const Face face = faceOf(x, y, z);
  return {{face.s, face.t, 0}, 2, 6 * layerOf(d, layer) + face.number};
}

/// The four texels that gathering takes, counterclockwise from the lower left one.
HEDDLE_INLINE void gatherTexels(Footprint &around, HEDDLE_DESCRIPTOR d, float x, float y) {
  const Pair px = neighbours(x, i32(d->level.width), d->normalized, d->address[0], false);
  const Pair py = neighbours(y, i32(d->level.height), d->normalized, d->address[1], false);
  const bool right[4] = {false, true, true, false}, below[4] = {true, true, false, false};
  for (i32 i = 0; i < 4; ++i) {
    around.outside[i] =
        ((right[i] ? px.second_outside : px.first_outside) && d->address[0] == Address::Border) ||
        ((below[i] ? py.second_outside : py.first_outside) && d->address[1] == Address::Border);
    around.address[i] = texelAddress(d->level, d->texel_bytes, right[i] ? px.second : px.first,
                                     below[i] ? py.second : py.first, 0);
  }
  around.count = 4;
}

/// What lies outside of a surface (cudaSurfaceBoundaryMode).
enum Boundary : u32 { Zero, ClampToEdge, Trap };

/// Where a surface access finds its bytes. A surface's descriptor has no modes but the sizes.
HEDDLE_INLINE u64 surfaceAddress(HEDDLE_DESCRIPTOR d, i32 x, i32 y, i32 z, u32 bytes, u32 mode) {
  const u32 row = d->level.width * d->texel_bytes;
  const i32 last = i32(row) - i32(bytes);
  const u32 misaligned_by = u32(x) & (bytes - 1);
  const bool inside = x >= 0 && x <= last && u32(y) < d->level.height && u32(z) < d->level.depth;
  if (mode == ClampToEdge) {
    x = min(max(x, 0), last);
    y = clampIndex(y, i32(d->level.height));
    z = clampIndex(z, i32(d->level.depth));
  }
  const u64 address = d->level.base + u64(u32(z)) * d->level.slice_bytes +
                      u64(u32(y)) * d->level.row_bytes + u64(u32(x));
  // The access faults there, whether inside or not: an H200 looks at the alignment first.
  if (misaligned_by)
    return d->level.base + misaligned_by;
  if (mode == ClampToEdge || inside)
    return address;
  // The access faults there, as a GPU's does.
  return mode == Trap ? outside_surface : 0;
}

} // namespace heddle::texture

#endif
