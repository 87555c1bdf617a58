// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graphics/resource.h"

#include "device/graph/capture.h"
#include "device/graphics/buffer.h"
#include "device/graphics/image.h"

namespace heddle {
namespace {

using Resources = std::vector<std::shared_ptr<GraphicsResource>>;

/// For work in a stream.
cudaError_t findAll(std::span<const cudaGraphicsResource_t> handles, DeviceStream &stream,
                    Resources &resources) {
  if (const cudaError_t error = Capture::admit(stream, false))
    return error;
  for (const cudaGraphicsResource_t handle : handles) {
    std::shared_ptr<GraphicsResource> resource;
    if (const cudaError_t error = GraphicsResource::find(handle, resource))
      return error;
    resources.push_back(std::move(resource));
  }
  return cudaSuccess;
}

constexpr unsigned access_flags =
    cudaGraphicsRegisterFlagsReadOnly | cudaGraphicsRegisterFlagsWriteDiscard;

} // namespace

cudaError_t GraphicsResource::add(const std::shared_ptr<GraphicsResource> &made, bool flags_fit,
                                  std::shared_ptr<GraphicsResource> &resource) {
  if (!flags_fit)
    return cudaErrorInvalidValue;
  gl::Context gl;
  if (const cudaError_t error = gl::findContext(gl))
    return error;
  if (const cudaError_t error = made->prepare(gl))
    return error;
  handles().add(made);
  resource = made;
  return cudaSuccess;
}

cudaError_t GraphicsResource::registerBuffer(Device &device, gl::Name buffer, unsigned flags,
                                             std::shared_ptr<GraphicsResource> &resource) {
  return add(std::make_shared<GraphicsBuffer>(device, buffer, flags),
             (flags & ~access_flags) == 0 && flags != access_flags, resource);
}

cudaError_t GraphicsResource::registerImage(Device &device, gl::Name image, gl::Enum target,
                                            unsigned flags,
                                            std::shared_ptr<GraphicsResource> &resource) {
  constexpr unsigned known = access_flags | cudaGraphicsRegisterFlagsSurfaceLoadStore |
                             cudaGraphicsRegisterFlagsTextureGather;
  const bool both = (flags & access_flags) == access_flags;
  return add(std::make_shared<GraphicsImage>(device, gl::ImageName{image, target}, flags),
             (flags & ~known) == 0 && !both && gl::isImageTarget(target), resource);
}

Handles<GraphicsResource> &GraphicsResource::handles() {
  static auto *all = new Handles<GraphicsResource>;
  return *all;
}

cudaError_t GraphicsResource::find(cudaGraphicsResource_t handle,
                                   std::shared_ptr<GraphicsResource> &resource) {
  resource = handle ? handles().find(handle) : nullptr;
  if (resource && resource->generation != resource->device.generation())
    resource.reset();
  return resource ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t GraphicsResource::setMapFlags(unsigned wanted) {
  if (wanted > cudaGraphicsMapFlagsWriteDiscard)
    return cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  if (is_mapped)
    return cudaErrorAlreadyMapped;
  flags = wanted;
  return cudaSuccess;
}

cudaError_t GraphicsResource::mapOne(const gl::Context &gl, DeviceStream &stream) {
  std::lock_guard lock(mutex);
  if (is_mapped)
    return cudaErrorAlreadyMapped;
  if (const cudaError_t error = prepare(gl))
    return error;
  if (!(flags & cudaGraphicsMapFlagsWriteDiscard))
    if (const cudaError_t error = load(gl, stream))
      return error;
  is_mapped = true;
  return cudaSuccess;
}

cudaError_t GraphicsResource::unmapOne(const gl::Context &gl, DeviceStream &stream) {
  std::lock_guard lock(mutex);
  if (!is_mapped)
    return cudaErrorNotMapped;
  if (!(flags & cudaGraphicsMapFlagsReadOnly))
    if (const cudaError_t error = store(gl, stream))
      return error;
  is_mapped = false;
  return cudaSuccess;
}

cudaError_t GraphicsResource::map(std::span<const cudaGraphicsResource_t> all,
                                  DeviceStream &stream) {
  Resources resources;
  gl::Context gl;
  if (const cudaError_t error = findAll(all, stream, resources))
    return error;
  if (const cudaError_t error = gl::findContext(gl))
    return error;
  for (size_t i = 0; i < resources.size(); ++i)
    if (const cudaError_t error = resources[i]->mapOne(gl, stream)) {
      while (i--) { // nothing has been written to them
        std::lock_guard lock(resources[i]->mutex);
        resources[i]->is_mapped = false;
      }
      return error;
    }
  return cudaSuccess;
}

cudaError_t GraphicsResource::unmap(std::span<const cudaGraphicsResource_t> all,
                                    DeviceStream &stream) {
  Resources resources;
  gl::Context gl;
  if (const cudaError_t error = findAll(all, stream, resources))
    return error;
  for (const auto &resource : resources) {
    std::lock_guard lock(resource->mutex);
    if (!resource->is_mapped)
      return cudaErrorNotMapped;
  }
  if (const cudaError_t error = gl::findContext(gl))
    return error;
  for (const auto &resource : resources)
    if (const cudaError_t error = resource->unmapOne(gl, stream))
      return error;
  return cudaSuccess;
}

cudaError_t GraphicsResource::unregister(cudaGraphicsResource_t handle) {
  std::shared_ptr<GraphicsResource> resource;
  if (const cudaError_t error = find(handle, resource))
    return error;
  gl::Context gl;
  if (gl::findContext(gl) == cudaSuccess)
    resource->unmapOne(gl, *resource->device.legacyStream());
  handles().remove(handle);
  return resource->device.synchronize(); // work in streams may use the memory
}

cudaError_t GraphicsResource::pointer(void *&address, size_t &bytes) {
  std::lock_guard lock(mutex);
  if (!is_mapped)
    return cudaErrorNotMapped;
  return memory(address, bytes) ? cudaSuccess : cudaErrorNotMappedAsPointer;
}

cudaError_t GraphicsResource::array(unsigned index, unsigned level, cudaArray_t &array) {
  std::lock_guard lock(mutex);
  if (!is_mapped)
    return cudaErrorNotMapped;
  const MipmappedArray *const mipmaps = arrays();
  if (!mipmaps)
    return cudaErrorNotMappedAsArray;
  if (level >= mipmaps->levels.size())
    return cudaErrorInvalidValue;
  const std::shared_ptr<Array> found = slice(index, level);
  array = reinterpret_cast<cudaArray_t>(found.get());
  return found ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t GraphicsResource::mipmaps(cudaMipmappedArray_t &mipmaps) {
  std::lock_guard lock(mutex);
  if (!is_mapped)
    return cudaErrorNotMapped;
  mipmaps = reinterpret_cast<cudaMipmappedArray_t>(arrays());
  return mipmaps ? cudaSuccess : cudaErrorNotMappedAsArray;
}

} // namespace heddle
