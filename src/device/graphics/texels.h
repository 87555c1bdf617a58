// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures and renderbuffers of OpenGL: what they are, and their texels read and written. The
// program's state of OpenGL is afterwards as it was.
#pragma once

#include "device/graphics/image_format.h"

namespace heddle::gl {

/// A texture, or a renderbuffer.
struct ImageName {
  Name name = 0;
  Enum target = 0;
};

/// As an array or a mipmapped array would have it.
struct ImageShape {
  Enum internal = 0;
  ImageFormat format = {};
  cudaExtent extent = {}; // of the largest level
  unsigned levels = 0;
  unsigned flags = 0; // cudaArrayLayered, cudaArrayCubemap

  bool sameAs(const ImageShape &other) const {
    return internal == other.internal && extent.width == other.extent.width &&
           extent.height == other.extent.height && extent.depth == other.extent.depth &&
           levels == other.levels && flags == other.flags;
  }
};

/// Whether images of this target can be described at all.
bool isImageTarget(Enum target);

/// cudaErrorInvalidResourceHandle if there is no such object, cudaErrorInvalidValue if kernels
/// cannot have it as an array.
cudaError_t describe(const Context &gl, const ImageName &image, ImageShape &shape);

/// All texels of a level, rows, slices and faces one behind the other.
void readTexels(const Context &gl, const ImageName &image, const ImageShape &shape, unsigned level,
                void *texels);
/// `extent`: of the level.
void writeTexels(const Context &gl, const ImageName &image, const ImageShape &shape, unsigned level,
                 const cudaExtent &extent, const void *texels);

// Of renderbuffers. Only framebuffers read and write them.
cudaError_t describeRenderbuffer(const Context &gl, Name name, ImageShape &shape);
void readRenderbuffer(const Context &gl, Name name, const ImageShape &shape, void *texels);
void writeRenderbuffer(const Context &gl, Name name, const ImageShape &shape, const void *texels);

/// Texels come and go as they lie in memory, without gaps, until the end of the block.
class PlainPixels {
public:
  explicit PlainPixels(const Context &gl);
  ~PlainPixels();
  PlainPixels(const PlainPixels &) = delete;
  PlainPixels &operator=(const PlainPixels &) = delete;

private:
  const Context &gl;
  int before[16] = {};
  int pack_buffer = 0, unpack_buffer = 0;
};

} // namespace heddle::gl
