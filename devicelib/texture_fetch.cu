// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches without a level of detail: tex1Dfetch, tex1D, tex2D, tex3D, layers.
//
// Each function has a short way for textures whose texels are just what the program asked for (or
// normalised bytes, where it asked for floats): that is inlined, and runs for all lanes at once.
// All else is done by a function that is called lane by lane.
#include "texture_entry.h"

namespace heddle::texture {
namespace {

constexpr u32 floats(u32 channels) { return form(Channel::Float, 32, channels, false); }
constexpr u32 bytes(u32 channels) { return form(Channel::Unsigned, 8, channels, true); }

constexpr u32 texelBytes(u32 form) { return (form >> 8 & 255) / 8 * (form >> 4 & 15); }

/// Where the texels of a simple texture lie: offsets fit 31 bits, which is what gathers take. All
/// are multiples of a texel, so nothing need be asked of each lane's address.
struct Image {
  const char *base;
  i32 row_bytes, slice_bytes, texel_bytes;
};

HEDDLE_INLINE const char *texelOf(const Image &image, i32 x, i32 y, i32 z) {
  return image.base + (z * image.slice_bytes + y * image.row_bytes + x * image.texel_bytes);
}

HEDDLE_INLINE Image imageOf(HEDDLE_DESCRIPTOR d, u32 form) {
  const i32 bytes = i32(texelBytes(form));
  return {reinterpret_cast<const char *>(d->level.base & -u64(bytes)),
          i32(d->level.row_bytes) & -bytes, i32(d->level.slice_bytes) & -bytes, bytes};
}

/// The weighted mean of raw texels, of which `raw` returns the i-th one's channel.
template <i32 count, u32 form, class Raw>
HEDDLE_INLINE Texels blended(const Weights &weights, const Raw &raw) {
  Texels result = {{0, 0, 0, 0x3f800000}};
#pragma unroll
  for (u32 channel = 0; channel < channelsOf(form); ++channel) {
    if constexpr (Channel(form >> 16) == Channel::Float) {
      float texels[count];
#pragma unroll
      for (i32 i = 0; i < count; ++i)
        texels[i] = floatOf(raw(i, channel));
      result.bits[channel] = bitsOf(blend<count>(texels, weights));
    } else {
      i32 texels[count];
#pragma unroll
      for (i32 i = 0; i < count; ++i)
        texels[i] = i32(raw(i, channel));
      result.bits[channel] = bitsOf(blendIntegers<count>(texels, weights, Channel::Unsigned, 8));
    }
  }
  return result;
}

/// Two floats side by side, which are loaded at once.
struct __attribute__((packed, aligned(4))) TwoFloats {
  u64 bits;
};

/// Where coordinates are clamped, neighbours always lie side by side. Those along x are loaded
/// together: a gather costs what its elements cost.
template <i32 dimensions, u32 form>
HEDDLE_INLINE Texels filteredClamped(HEDDLE_DESCRIPTOR d, float x, float y, float z, i32 layer) {
  const Clamped px = clampedNeighbours(x, i32(d->level.width), d->normalized);
  Clamped py = {0, 0}, pz = {layer, 0};
  if constexpr (dimensions > 1)
    py = clampedNeighbours(y, i32(d->level.height), d->normalized);
  if constexpr (dimensions > 2)
    pz = clampedNeighbours(z, i32(d->level.depth), d->normalized);
  Weights weights;
  weigh<dimensions>(weights, 0, 256, px.weight, py.weight, pz.weight);
  const Image image = imageOf(d, form);
  const char *first = texelOf(image, px.first, py.first, pz.first);
  const i32 below = d->level.height > 1 ? image.row_bytes : 0;
  const i32 behind = d->level.depth > 1 ? image.slice_bytes : 0;
  constexpr i32 count = 1 << dimensions;
  const auto pair = [&](i32 i) { return first + ((i & 2 ? below : 0) + (i & 4 ? behind : 0)); };
  if constexpr (form == floats(1)) {
    u64 pairs[count / 2];
#pragma unroll
    for (i32 i = 0; i < count / 2; ++i)
      pairs[i] = loadAt<TwoFloats>(pair(2 * i)).bits;
    return blended<count, form>(weights,
                                [&](i32 i, u32) { return u32(pairs[i / 2] >> (i & 1 ? 32 : 0)); });
  } else {
    return blended<count, form>(weights, [&](i32 i, u32 channel) {
      return rawChannel(pair(i) + (i & 1 ? texelBytes(form) : 0), channel, form);
    });
  }
}

template <i32 dimensions, u32 form>
HEDDLE_INLINE Texels filtered(HEDDLE_DESCRIPTOR d, float x, float y, float z, i32 layer) {
  constexpr u32 axes = (1 << dimensions) - 1;
  if ((d->clamped & axes) == axes)
    return filteredClamped<dimensions, form>(d, x, y, z, layer);
  // Only normalised coordinates can be anything else.
  const Pair px = neighbours(x, i32(d->level.width), true, d->address[0]);
  Pair py = {0, 0, 0, false, false}, pz = {layer, layer, 0, false, false};
  if constexpr (dimensions > 1)
    py = neighbours(y, i32(d->level.height), true, d->address[1]);
  if constexpr (dimensions > 2)
    pz = neighbours(z, i32(d->level.depth), true, d->address[2]);
  Weights weights;
  weigh<dimensions>(weights, 0, 256, px.weight, py.weight, pz.weight);
  const Image image = imageOf(d, form);
  return blended<1 << dimensions, form>(weights, [&](i32 i, u32 channel) {
    return rawChannel(texelOf(image, i & 1 ? px.second : px.first, i & 2 ? py.second : py.first,
                              i & 4 ? pz.second : pz.first),
                      channel, form);
  });
}

HEDDLE_INLINE Texels picked(HEDDLE_DESCRIPTOR d, u32 form, i32 dimensions, float x, float y,
                            float z, i32 layer) {
  bool outside;
  const i32 ix = nearest(x, i32(d->level.width), d->normalized, d->address[0], outside);
  i32 iy = 0, iz = layer;
  if (dimensions > 1)
    iy = nearest(y, i32(d->level.height), d->normalized, d->address[1], outside);
  if (dimensions > 2)
    iz = nearest(z, i32(d->level.depth), d->normalized, d->address[2], outside);
  const char *address = texelOf(imageOf(d, form), ix, iy, iz);
  Texels result;
#pragma unroll
  for (u32 channel = 0; channel < 4; ++channel)
    result.bits[channel] = channel < channelsOf(form) ? channelAt(address, channel, form)
                                                      : missingChannel(channel, form);
  return result;
}

template <i32 dimensions, u32 channels>
HEDDLE_INLINE Texels fetchFloats(HEDDLE_DESCRIPTOR d, float x, float y, float z, i32 layer) {
  if (d->simple == floats(channels)) {
    if (d->linear)
      return filtered<dimensions, floats(channels)>(d, x, y, z, layer);
    return picked(d, floats(channels), dimensions, x, y, z, layer);
  }
  if (d->simple == bytes(channels)) {
    if (d->linear)
      return filtered<dimensions, bytes(channels)>(d, x, y, z, layer);
    return picked(d, bytes(channels), dimensions, x, y, z, layer);
  }
  return unpacked(__heddle_lane_texture(reinterpret_cast<u64>(d), dimensions, x, y, z, layer));
}

template <i32 dimensions>
HEDDLE_INLINE Texels fetch(HEDDLE_DESCRIPTOR d, u32 want, float x, float y, float z, i32 layer) {
  if (want == floats(1))
    return fetchFloats<dimensions, 1>(d, x, y, z, layer);
  if (want == floats(2))
    return fetchFloats<dimensions, 2>(d, x, y, z, layer);
  if (want == floats(4))
    return fetchFloats<dimensions, 4>(d, x, y, z, layer);
  if (d->simple == want && !d->linear)
    return picked(d, want, dimensions, x, y, z, layer);
  return unpacked(__heddle_lane_texture(reinterpret_cast<u64>(d), dimensions, x, y, z, layer));
}

} // namespace

extern "C" {

HEDDLE_TEXTURE_API Texels __heddle_tex_linear(u64 handle, u32 want, i32 x) {
  __heddle_fetch(handle, u32(Fetch::Linear), u32(x), 0, 0, 0, 0);
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  const u32 size = d->level.width;
  Texels result = {{0, 0, 0, 0}};
  if (d->form == want) {
    if (u32(x) < size) {
      const char *address = texelOf(imageOf(d, want), x, 0, 0);
#pragma unroll
      for (u32 channel = 0; channel < 4; ++channel)
        result.bits[channel] = channel < channelsOf(want) ? channelAt(address, channel, want)
                                                          : missingChannel(channel, want);
    }
    return result;
  }
  return unpacked(__heddle_lane_texel(handle, x));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_1d(u64 handle, u32 want, float x) {
  noteFetch(handle, Fetch::Axis1, x, 0, 0);
  return fetch<1>(descriptorOf(handle), want, x, 0, 0, 0);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_2d(u64 handle, u32 want, float x, float y) {
  noteFetch(handle, Fetch::Axis2, x, y, 0);
  return fetch<2>(descriptorOf(handle), want, x, y, 0, 0);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_3d(u64 handle, u32 want, float x, float y, float z) {
  noteFetch(handle, Fetch::Axis3, x, y, z);
  return fetch<3>(descriptorOf(handle), want, x, y, z, 0);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_1d_layer(u64 handle, u32 want, float x, i32 layer) {
  noteFetch(handle, Fetch::Axis1, x, 0, 0, layer);
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  return fetch<1>(d, want, x, 0, 0, layerOf(d, layer));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_2d_layer(u64 handle, u32 want, float x, float y, i32 layer) {
  noteFetch(handle, Fetch::Axis2, x, y, 0, layer);
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  return fetch<2>(d, want, x, y, 0, layerOf(d, layer));
}

} // extern "C"
} // namespace heddle::texture
