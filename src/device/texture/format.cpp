// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/texture/format.h"

#include <algorithm>

namespace heddle {

using texture::Channel;

std::optional<TexelFormat> texelFormat(const cudaChannelFormatDesc &desc) {
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0)
    ++channels;
  for (unsigned i = 0; i < 4; ++i)
    if (bits[i] != (i < channels ? bits[0] : 0))
      return std::nullopt;
  if (channels == 0 || channels == 3)
    return std::nullopt;
  const bool wide = bits[0] == 16 || bits[0] == 32;
  switch (desc.f) {
  case cudaChannelFormatKindSigned:
  case cudaChannelFormatKindUnsigned:
    if (!wide && bits[0] != 8)
      return std::nullopt;
    return TexelFormat{desc.f == cudaChannelFormatKindSigned ? Channel::Signed : Channel::Unsigned,
                       unsigned(bits[0]), channels};
  case cudaChannelFormatKindFloat:
    if (!wide)
      return std::nullopt;
    return TexelFormat{Channel::Float, unsigned(bits[0]), channels};
  default:
    return std::nullopt;
  }
}

std::optional<TexelFormat> texelFormat(cudaResourceViewFormat format) {
  if (format < cudaResViewFormatUnsignedChar1 || format > cudaResViewFormatFloat4)
    return std::nullopt;
  // In threes of 1, 2 and 4 channels: unsigned and signed integers of 8, 16, 32 bits, halves,
  // floats.
  const unsigned group = unsigned(format - cudaResViewFormatUnsignedChar1) / 3;
  const unsigned channels = 1u << unsigned(format - cudaResViewFormatUnsignedChar1) % 3;
  if (group >= 6)
    return TexelFormat{Channel::Float, group == 6 ? 16u : 32u, channels};
  return TexelFormat{group % 2 ? Channel::Signed : Channel::Unsigned, 8u << group / 2, channels};
}

// An H200 takes 2^30 texels, and 4 GiB; its attribute, of texels of 16 bytes, is a quarter of that.
size_t maxLinearTexels(const gpu::Gpu &gpu, const TexelFormat &format) {
  const auto base = size_t(gpu.max_texture_1d_linear);
  return std::min(4 * base, 16 * base / format.texelBytes());
}

} // namespace heddle
