// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubemaps: the direction's largest coordinate picks one of six faces, and the other two are a
// place on it (CUDA C++ Programming Guide, "Cubemap Textures"); and gathering. For one lane.
#include "texture_entry.h"

namespace heddle::texture {
extern "C" {

HEDDLE_LANE_API Returned __heddle_lane_cube(u64 handle, float x, float y, float z, i32 layer,
                                            float level) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  const Place place = placeOnCube(d, x, y, z, layer);
  return __heddle_lane_level(handle, 2, place.at[0], place.at[1], 0, place.layer, level);
}

HEDDLE_LANE_API Returned __heddle_lane_gather(u64 handle, float x, float y, i32 channel) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  Footprint around;
  gatherTexels(around, d, x, y);
  Texels result;
  for (i32 i = 0; i < 4; ++i) {
    if (around.outside[i])
      result.bits[i] = decoded(d->border[channel & 3], d->form);
    else if (u32(channel) >= channelsOf(d->form))
      result.bits[i] = missingChannel(u32(channel), d->form);
    else
      result.bits[i] = channelAt(around.address[i], u32(channel), d->form);
  }
  return returned(result);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_cube_level(u64 handle, float x, float y, float z, i32 layer,
                                                  float level) {
  noteFetch(handle, Fetch::Cube, x, y, z, layer, level);
  return unpacked(__heddle_lane_cube(handle, x, y, z, layer, level));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_cube(u64 handle, u32 want, float x, float y, float z,
                                            i32 layer) {
  return __heddle_tex_cube_level(handle, x, y, z, layer, 0);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_cube_grad(u64 handle, float x, float y, float z, i32 layer,
                                                 float dxx, float dxy, float dxz, float dyx,
                                                 float dyy, float dyz) {
  const float size = float(descriptorOf(handle)->level.width);
  const float one = (dxx * dxx + dxy * dxy + dxz * dxz) * size * size;
  const float other = (dyx * dyx + dyy * dyy + dyz * dyz) * size * size;
  const float scale = one > other ? one : other;
  const i32 exponent = i32(bitsOf(scale) >> 23) - 127;
  return __heddle_tex_cube_level(handle, x, y, z, layer, 0.5f * float(exponent));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_gather(u64 handle, u32 want, float x, float y, i32 channel) {
  noteFetch(handle, Fetch::Gather, x, y, 0);
  return unpacked(__heddle_lane_gather(handle, x, y, channel));
}

} // extern "C"
} // namespace heddle::texture
