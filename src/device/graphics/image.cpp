// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graphics/image.h"

#include "device/graphics/transfer.h"
#include "device/texture/texture.h"

namespace heddle {
namespace {

unsigned arrayFlags(unsigned flags) {
  return (flags & cudaGraphicsRegisterFlagsSurfaceLoadStore ? cudaArraySurfaceLoadStore : 0) |
         (flags & cudaGraphicsRegisterFlagsTextureGather ? cudaArrayTextureGather : 0);
}

/// All texels of a level.
Box boxOf(const Array &level) { return {level.usedRowBytes(), level.rows(), level.slices()}; }

void forget(const std::shared_ptr<Array> &array) {
  Textures::instance().forget(*array);
  Array::handles().remove(array.get());
}

} // namespace

GraphicsImage::GraphicsImage(Device &device, const gl::ImageName &image, unsigned flags)
    : GraphicsResource(device, flags), image(image), array_flags(arrayFlags(flags)) {}

GraphicsImage::~GraphicsImage() { release(); }

void GraphicsImage::release() {
  if (!content)
    return;
  for (const auto &[place, array] : slices)
    forget(array);
  slices.clear();
  for (const auto &level : content->levels)
    forget(level);
  MipmappedArray::handles().remove(content.get());
  content.reset();
}

cudaError_t GraphicsImage::prepare(const gl::Context &gl) {
  gl::ImageShape now;
  if (const cudaError_t error = gl::describe(gl, image, now))
    return error;
  if (content && now.sameAs(shape))
    return cudaSuccess;
  release(); // the program has given the texture another size
  shape = now;
  return MipmappedArray::create(device, &shape.format.desc, shape.extent, shape.levels,
                                shape.flags | array_flags, content);
}

cudaError_t GraphicsImage::load(const gl::Context &gl, DeviceStream &stream) {
  for (unsigned i = 0; i < content->levels.size(); ++i) {
    const Array &level = *content->levels[i];
    const Box box = boxOf(level);
    std::vector<char> texels(box.bytes());
    gl::readTexels(gl, image, shape, i, texels.data());
    BoxPlace place;
    if (const cudaError_t error = level.place(0, 0, 0, box, place))
      return error;
    if (const cudaError_t error = copyIn(stream, place, std::move(texels), box))
      return error;
  }
  return cudaSuccess;
}

cudaError_t GraphicsImage::store(const gl::Context &gl, DeviceStream &stream) {
  gl::ImageShape now;
  if (gl::describe(gl, image, now) != cudaSuccess || !now.sameAs(shape))
    return cudaErrorUnmapBufferObjectFailed; // deleted or changed meanwhile
  for (unsigned i = 0; i < content->levels.size(); ++i) {
    const Array &level = *content->levels[i];
    const Box box = boxOf(level);
    std::vector<char> texels;
    BoxPlace place;
    if (const cudaError_t error = level.place(0, 0, 0, box, place))
      return error;
    if (const cudaError_t error = copyOut(stream, texels, place, box))
      return error;
    gl::writeTexels(gl, image, shape, i, level.extent, texels.data());
  }
  return cudaSuccess;
}

std::shared_ptr<Array> GraphicsImage::slice(unsigned index, unsigned level) {
  const std::shared_ptr<Array> &whole = content->levels[level];
  if (!whole->layered() && !whole->cube())
    return index ? nullptr : whole;
  if (index >= whole->slices())
    return nullptr;
  std::shared_ptr<Array> &found = slices[{index, level}];
  if (!found)
    found = Array::sliceOf(*whole, index);
  return found;
}

} // namespace heddle
