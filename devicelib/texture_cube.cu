// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubemaps: the direction's largest coordinate picks one of six faces, and the other two are a
// place on it (CUDA C++ Programming Guide, "Cubemap Textures"); and gathering. For one lane.
#include "texture_entry.h"

namespace heddle::texture {
namespace {

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

} // namespace

extern "C" {

HEDDLE_LANE_API Returned __heddle_lane_cube(u64 handle, float x, float y, float z, i32 layer,
                                            float level) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  const Face face = faceOf(x, y, z);
  const i32 slice = 6 * layerOf(d, layer) + face.number;
  return __heddle_lane_level(handle, 2, face.s, face.t, 0, slice, level);
}

HEDDLE_LANE_API Returned __heddle_lane_gather(u64 handle, float x, float y, i32 channel) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  const Address modes[2] = {d->address[0], d->address[1]};
  const Pair px = neighbours(x, i32(d->level.width), d->normalized, modes[0], false);
  const Pair py = neighbours(y, i32(d->level.height), d->normalized, modes[1], false);
  Texels result;
  // Counterclockwise from the lower left one.
  const bool right[4] = {false, true, true, false}, below[4] = {true, true, false, false};
  for (i32 i = 0; i < 4; ++i) {
    const bool outside =
        ((right[i] ? px.second_outside : px.first_outside) && modes[0] == Address::Border) ||
        ((below[i] ? py.second_outside : py.first_outside) && modes[1] == Address::Border);
    const char *address = texelAddress(d->level, d->texel_bytes, right[i] ? px.second : px.first,
                                       below[i] ? py.second : py.first, 0);
    if (outside)
      result.bits[i] = decoded(d->border[channel & 3], d->form);
    else if (u32(channel) >= channelsOf(d->form))
      result.bits[i] = missingChannel(u32(channel), d->form);
    else
      result.bits[i] = channelAt(address, u32(channel), d->form);
  }
  return returned(result);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_cube(u64 handle, u32 want, float x, float y, float z,
                                            i32 layer) {
  return unpacked(__heddle_lane_cube(handle, x, y, z, layer, 0));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_cube_level(u64 handle, float x, float y, float z, i32 layer,
                                                  float level) {
  return unpacked(__heddle_lane_cube(handle, x, y, z, layer, level));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_cube_grad(u64 handle, float x, float y, float z, i32 layer,
                                                 float dxx, float dxy, float dxz, float dyx,
                                                 float dyy, float dyz) {
  const float size = float(descriptorOf(handle)->level.width);
  const float one = (dxx * dxx + dxy * dxy + dxz * dxz) * size * size;
  const float other = (dyx * dyx + dyy * dyy + dyz * dyz) * size * size;
  const float scale = one > other ? one : other;
  const i32 exponent = i32(bitsOf(scale) >> 23) - 127;
  return unpacked(__heddle_lane_cube(handle, x, y, z, layer, 0.5f * float(exponent)));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_gather(u64 handle, u32 want, float x, float y, i32 channel) {
  return unpacked(__heddle_lane_gather(handle, x, y, channel));
}

} // extern "C"
} // namespace heddle::texture
