// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal formats of OpenGL's textures that arrays can have: 1, 2 or 4 channels of floats,
// integers, and integers that stand for fractions of 1 (CUDA runtime API,
// cudaGraphicsGLRegisterImage).
#pragma once

#include "device/graphics/gl.h"

#include <driver_types.h>
#include <optional>

namespace heddle {

struct ImageFormat {
  cudaChannelFormatDesc desc;
  gl::Enum format, type; // by which the texels are read and written

  size_t texelBytes() const { return size_t(desc.x + desc.y + desc.z + desc.w) / 8; }
};

/// Nothing for others.
std::optional<ImageFormat> imageFormat(gl::Enum internal);

} // namespace heddle
