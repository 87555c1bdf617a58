// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channel formats: which exist, and how large their texels are.
#pragma once

#include "__heddle/texture/descriptor.h"
#include "gpu/gpu.h"

#include <driver_types.h>
#include <optional>

namespace heddle {

/// What a cudaChannelFormatDesc says.
struct TexelFormat {
  texture::Channel kind = texture::Channel::Unsigned;
  unsigned bits = 0;     // of each channel
  unsigned channels = 0; // 1, 2 or 4

  unsigned texelBytes() const { return bits / 8 * channels; }
  unsigned form(bool normalized) const { return texture::form(kind, bits, channels, normalized); }
  bool operator==(const TexelFormat &) const = default;
};

/// Nothing if texels cannot be like that: 1, 2 or 4 channels of 8, 16 or 32 bits each, floats of 16
/// or 32 (CUDA C++ Programming Guide, "CUDA Arrays").
std::optional<TexelFormat> texelFormat(const cudaChannelFormatDesc &desc);

/// The format that a view gives to the texels; nothing for block-compressed ones.
std::optional<TexelFormat> texelFormat(cudaResourceViewFormat format);

/// Texels of linear memory that one texture may have (cudaDeviceGetTexture1DLinearMaxWidth).
size_t maxLinearTexels(const gpu::Gpu &gpu, const TexelFormat &format);

} // namespace heddle
