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

/// Where a texel of a simple texture begins: offsets fit 31 bits.
HEDDLE_INLINE i32 offsetOf(HEDDLE_DESCRIPTOR d, u32 texel_bytes, i32 x, i32 y, i32 z) {
  return z * i32(d->level.slice_bytes) + y * i32(d->level.row_bytes) + x * i32(texel_bytes);
}

HEDDLE_INLINE u64 addressAt(HEDDLE_DESCRIPTOR d, i32 offset) {
  return reinterpret_cast<u64>(reinterpret_cast<const char *>(d->level.base) + offset);
}

constexpr u32 texelBytes(u32 form) { return (form >> 8 & 255) / 8 * (form >> 4 & 15); }

template <i32 dimensions, u32 form>
HEDDLE_INLINE Texels filtered(HEDDLE_DESCRIPTOR d, float x, float y, float z, i32 layer) {
  const Pair px = neighbours(x, i32(d->level.width), d->normalized, d->address[0]);
  Pair py = {0, 0, 0, false, false}, pz = {layer, layer, 0, false, false};
  if constexpr (dimensions > 1)
    py = neighbours(y, i32(d->level.height), d->normalized, d->address[1]);
  if constexpr (dimensions > 2)
    pz = neighbours(z, i32(d->level.depth), d->normalized, d->address[2]);
  Weights weights;
  weigh<dimensions>(weights, 0, 256, px.weight, py.weight, pz.weight);
  constexpr i32 count = 1 << dimensions;
  u64 address[count];
#pragma unroll
  for (i32 i = 0; i < count; ++i)
    address[i] = addressAt(d, offsetOf(d, texelBytes(form), i & 1 ? px.second : px.first,
                                       i & 2 ? py.second : py.first, i & 4 ? pz.second : pz.first));
  Texels result = {{0, 0, 0, 0x3f800000}};
#pragma unroll
  for (u32 channel = 0; channel < channelsOf(form); ++channel) {
    if constexpr (Channel(form >> 16) == Channel::Float) {
      float texels[count];
#pragma unroll
      for (i32 i = 0; i < count; ++i)
        texels[i] = floatOf(rawChannel(address[i], channel, form));
      result.bits[channel] = bitsOf(blend<count>(texels, weights));
    } else {
      i32 texels[count];
#pragma unroll
      for (i32 i = 0; i < count; ++i)
        texels[i] = i32(rawChannel(address[i], channel, form));
      result.bits[channel] = bitsOf(blendIntegers<count>(texels, weights, Channel::Unsigned, 8));
    }
  }
  return result;
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
  const u64 address = addressAt(d, offsetOf(d, texelBytes(form), ix, iy, iz));
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
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  const u32 size = d->level.width;
  Texels result = {{0, 0, 0, 0}};
  if (d->form == want) {
    if (u32(x) < size) {
      const u64 address = d->level.base + u64(u32(x)) * texelBytes(want);
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
  return fetch<1>(descriptorOf(handle), want, x, 0, 0, 0);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_2d(u64 handle, u32 want, float x, float y) {
  return fetch<2>(descriptorOf(handle), want, x, y, 0, 0);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_3d(u64 handle, u32 want, float x, float y, float z) {
  return fetch<3>(descriptorOf(handle), want, x, y, z, 0);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_1d_layer(u64 handle, u32 want, float x, i32 layer) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  return fetch<1>(d, want, x, 0, 0, layerOf(d, layer));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_2d_layer(u64 handle, u32 want, float x, float y, i32 layer) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  return fetch<2>(d, want, x, y, 0, layerOf(d, layer));
}

} // extern "C"
} // namespace heddle::texture
