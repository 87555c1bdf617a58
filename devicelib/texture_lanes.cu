// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches of every kind of texture, for one lane (texture_entry.h).
#include "texture_entry.h"

namespace heddle::texture {
extern "C" {

HEDDLE_LANE_API Returned __heddle_lane_texture(u64 handle, i32 dimensions, float x, float y,
                                               float z, i32 layer) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  if (d->levels > 1) // no derivatives in kernels: the first level, as far as the bias says so
    return __heddle_lane_level(handle, dimensions, x, y, z, layer, 0);
  return returned(sampleLevel(d, d->level, {{x, y, z}, dimensions, layer}));
}

HEDDLE_LANE_API Returned __heddle_lane_texel(u64 handle, i32 x) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  Texels result = {{0, 0, 0, 0}};
  if (u32(x) >= d->level.width)
    return returned(result);
  const char *address = texelAddress(d->level, d->texel_bytes, x, 0, 0);
  for (u32 channel = 0; channel < 4; ++channel)
    result.bits[channel] = channel < channelsOf(d->form) ? channelAt(address, channel, d->form)
                                                         : missingChannel(channel, d->form);
  return returned(result);
}

} // extern "C"
} // namespace heddle::texture
