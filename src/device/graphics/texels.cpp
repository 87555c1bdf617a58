// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graphics/texels.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace heddle::gl {
namespace {

// Of packing (texels read) and unpacking: SWAP_BYTES, LSB_FIRST, ROW_LENGTH, SKIP_ROWS,
// SKIP_PIXELS, ALIGNMENT, SKIP_IMAGES, IMAGE_HEIGHT.
constexpr Enum pixel_parameters[16] = {0x0D00, 0x0D01, 0x0D02, 0x0D03, 0x0D04, 0x0D05,
                                       0x806B, 0x806C, 0x0CF0, 0x0CF1, 0x0CF2, 0x0CF3,
                                       0x0CF4, 0x0CF5, 0x806D, 0x806E};

bool isAlignment(size_t parameter) { return parameter % 8 == 5; }

struct Target {
  Enum target, binding;
  unsigned flags;
  bool has_depth;
};
constexpr Target targets[] = {
    {texture_2d, texture_binding_2d, 0, false},
    {texture_rectangle, texture_binding_rectangle, 0, false},
    {texture_cube_map, texture_binding_cube_map, cudaArrayCubemap, false},
    {texture_3d, texture_binding_3d, 0, true},
    {texture_2d_array, texture_binding_2d_array, cudaArrayLayered, true},
};

const Target *find(Enum target) {
  const auto *const found = std::find_if(std::begin(targets), std::end(targets),
                                         [&](const Target &each) { return each.target == target; });
  return found == std::end(targets) ? nullptr : found;
}

/// How the texture is called where a level of it is meant.
Enum levelTarget(Enum target, unsigned face) {
  return target == texture_cube_map ? texture_cube_map_positive_x + face : target;
}

int levelParameter(const Context &gl, Enum target, unsigned level, Enum what) {
  int value = 0;
  gl.GetTexLevelParameteriv(target, int(level), what, &value);
  return value;
}

cudaExtent levelExtent(const Context &gl, const Target &target, unsigned level, unsigned face = 0) {
  const Enum where = levelTarget(target.target, face);
  cudaExtent extent = {size_t(levelParameter(gl, where, level, texture_width)),
                       size_t(levelParameter(gl, where, level, texture_height)), 0};
  if (target.has_depth)
    extent.depth = size_t(levelParameter(gl, where, level, texture_depth));
  else if (target.target == texture_cube_map)
    extent.depth = 6;
  return extent;
}

/// Of the bound texture: levels from the largest on, each half as large as the one before.
unsigned countLevels(const Context &gl, const Target &target, const ImageShape &shape) {
  if (target.target == texture_rectangle)
    return 1;
  const size_t depth = target.target == texture_3d ? shape.extent.depth : 1;
  const auto most =
      unsigned(std::bit_width(std::max({shape.extent.width, shape.extent.height, depth})));
  unsigned level = 1;
  for (; level < most; ++level) {
    const auto half = [&](size_t size) { return std::max(size >> level, size_t(1)); };
    const cudaExtent extent = levelExtent(gl, target, level);
    if (extent.width != half(shape.extent.width) || extent.height != half(shape.extent.height) ||
        extent.depth != (target.target == texture_3d ? half(depth) : shape.extent.depth) ||
        Enum(levelParameter(gl, levelTarget(target.target, 0), level, texture_internal_format)) !=
            shape.internal)
      break;
  }
  return level;
}

} // namespace

PlainPixels::PlainPixels(const Context &gl) : gl(gl) {
  for (size_t i = 0; i < std::size(pixel_parameters); ++i) {
    before[i] = gl.integer(pixel_parameters[i]);
    gl.PixelStorei(pixel_parameters[i], isAlignment(i) ? 1 : 0);
  }
  if (!gl.atLeast(21, 30))
    return;
  pack_buffer = gl.integer(pixel_pack_buffer_binding);
  unpack_buffer = gl.integer(pixel_unpack_buffer_binding);
  gl.BindBuffer(pixel_pack_buffer, 0);
  gl.BindBuffer(pixel_unpack_buffer, 0);
}

PlainPixels::~PlainPixels() {
  for (size_t i = 0; i < std::size(pixel_parameters); ++i)
    gl.PixelStorei(pixel_parameters[i], before[i]);
  if (!gl.atLeast(21, 30))
    return;
  gl.BindBuffer(pixel_pack_buffer, Name(pack_buffer));
  gl.BindBuffer(pixel_unpack_buffer, Name(unpack_buffer));
}

bool isImageTarget(Enum target) { return target == renderbuffer || find(target); }

cudaError_t describe(const Context &gl, const ImageName &image, ImageShape &shape) {
  if (image.target == renderbuffer)
    return describeRenderbuffer(gl, image.name, shape);
  const Target *const target = find(image.target);
  if (!target)
    return cudaErrorInvalidValue;
  if (!gl.IsTexture(image.name))
    return cudaErrorInvalidResourceHandle;
  const BoundTexture texture(gl, target->target, target->binding, image.name);
  if (Name(gl.integer(target->binding)) != image.name) {
    gl.GetError(); // ours: the texture is one of another target
    return cudaErrorInvalidValue;
  }
  shape.flags = target->flags;
  shape.extent = levelExtent(gl, *target, 0);
  shape.internal =
      Enum(levelParameter(gl, levelTarget(target->target, 0), 0, texture_internal_format));
  const std::optional<ImageFormat> format = imageFormat(shape.internal);
  if (!format || !shape.extent.width || !shape.extent.height ||
      (target->has_depth && !shape.extent.depth))
    return cudaErrorInvalidValue;
  shape.format = *format;
  shape.levels = countLevels(gl, *target, shape);
  for (unsigned face = 1; target->target == texture_cube_map && face < 6; ++face)
    if (levelExtent(gl, *target, shape.levels - 1, face).width !=
        levelExtent(gl, *target, shape.levels - 1).width)
      return cudaErrorInvalidValue; // a face is missing
  return cudaSuccess;
}

void readTexels(const Context &gl, const ImageName &image, const ImageShape &shape, unsigned level,
                void *texels) {
  const PlainPixels plain(gl);
  if (image.target == renderbuffer)
    return readRenderbuffer(gl, image.name, shape, texels);
  const Target &target = *find(image.target);
  const BoundTexture texture(gl, target.target, target.binding, image.name);
  const unsigned faces = target.target == texture_cube_map ? 6 : 1;
  const cudaExtent extent = levelExtent(gl, target, level);
  for (unsigned face = 0; face < faces; ++face)
    gl.GetTexImage(levelTarget(target.target, face), int(level), shape.format.format,
                   shape.format.type,
                   static_cast<char *>(texels) +
                       face * extent.width * extent.height * shape.format.texelBytes());
}

void writeTexels(const Context &gl, const ImageName &image, const ImageShape &shape, unsigned level,
                 const cudaExtent &extent, const void *texels) {
  const PlainPixels plain(gl);
  if (image.target == renderbuffer)
    return writeRenderbuffer(gl, image.name, shape, texels);
  const Target &target = *find(image.target);
  const BoundTexture texture(gl, target.target, target.binding, image.name);
  const auto width = int(extent.width), height = int(extent.height);
  if (target.has_depth)
    return gl.TexSubImage3D(target.target, int(level), 0, 0, 0, width, height, int(extent.depth),
                            shape.format.format, shape.format.type, texels);
  const unsigned faces = target.target == texture_cube_map ? 6 : 1;
  for (unsigned face = 0; face < faces; ++face)
    gl.TexSubImage2D(levelTarget(target.target, face), int(level), 0, 0, width, height,
                     shape.format.format, shape.format.type,
                     static_cast<const char *>(texels) +
                         face * extent.width * extent.height * shape.format.texelBytes());
}

} // namespace heddle::gl
