// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches with a level of detail, given or from derivatives (CUDA C++ Programming Guide, "Texture
// Functions": tex2DLod, tex2DGrad), for one lane.
#include "texture_entry.h"

extern "C" __device__ float __nv_log2f(float x);

namespace heddle::texture {
namespace {

/// The level at which one step of the texture is as long as the longer derivative, whose square
/// this is. (Hardware's lengths are up to 0.2 levels off, in ways that are not documented.)
HEDDLE_INLINE float levelOfScale(float squared) { return 0.5f * __nv_log2f(squared); }

} // namespace

extern "C" {

HEDDLE_LANE_API Returned __heddle_lane_level(u64 handle, i32 dimensions, float x, float y, float z,
                                             i32 layer, float level) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  Footprint around;
  findTexels(around, d, {{x, y, z}, dimensions, layer}, level);
  return returned(sampled(d, around));
}

/// The level of detail of a fetch with these derivatives.
HEDDLE_LANE_API float __heddle_lane_grad(u64 handle, i32 dimensions, float dxx, float dxy,
                                         float dxz, float dyx, float dyy, float dyz) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  const float across = dxx * d->level.width, down = dxy * d->level.height,
              in = dxz * d->level.depth;
  const float across2 = dyx * d->level.width, down2 = dyy * d->level.height,
              in2 = dyz * d->level.depth;
  const float one = across * across + down * down + (dimensions > 2 ? in * in : 0.0f);
  const float other = across2 * across2 + down2 * down2 + (dimensions > 2 ? in2 * in2 : 0.0f);
  return levelOfScale(one > other ? one : other);
}

HEDDLE_TEXTURE_API Texels __heddle_tex_1d_level(u64 handle, float x, i32 layer, float level) {
  noteFetch(handle, Fetch::Axis1, x, 0, 0, layer, level);
  return unpacked(
      __heddle_lane_level(handle, 1, x, 0, 0, layerOf(descriptorOf(handle), layer), level));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_2d_level(u64 handle, float x, float y, i32 layer,
                                                float level) {
  noteFetch(handle, Fetch::Axis2, x, y, 0, layer, level);
  return unpacked(
      __heddle_lane_level(handle, 2, x, y, 0, layerOf(descriptorOf(handle), layer), level));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_3d_level(u64 handle, float x, float y, float z,
                                                float level) {
  noteFetch(handle, Fetch::Axis3, x, y, z, 0, level);
  return unpacked(__heddle_lane_level(handle, 3, x, y, z, 0, level));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_1d_grad(u64 handle, float x, i32 layer, float dx, float dy) {
  return __heddle_tex_1d_level(handle, x, layer, __heddle_lane_grad(handle, 1, dx, 0, 0, dy, 0, 0));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_2d_grad(u64 handle, float x, float y, i32 layer, float dxx,
                                               float dxy, float dyx, float dyy) {
  return __heddle_tex_2d_level(handle, x, y, layer,
                               __heddle_lane_grad(handle, 2, dxx, dxy, 0, dyx, dyy, 0));
}

HEDDLE_TEXTURE_API Texels __heddle_tex_3d_grad(u64 handle, float x, float y, float z, float dxx,
                                               float dxy, float dxz, float dyx, float dyy,
                                               float dyz) {
  return __heddle_tex_3d_level(handle, x, y, z,
                               __heddle_lane_grad(handle, 3, dxx, dxy, dxz, dyx, dyy, dyz));
}

} // extern "C"
} // namespace heddle::texture
