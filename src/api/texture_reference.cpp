// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references, which CUDA had before version 12.
#include "api/entry.h"
#include "device/texture/reference.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::api;

namespace {

References &references() { return References::instance(); }

/// Moves the address to where a texture may begin, and says by how much; without a place to say it,
/// it must begin there already.
cudaError_t align(Device &device, const void *pointer, size_t *offset, const char *&base) {
  const size_t behind = reinterpret_cast<uintptr_t>(pointer) % device.gpu.texture_alignment;
  if (behind && !offset)
    return cudaErrorInvalidValue;
  if (offset)
    *offset = behind;
  base = static_cast<const char *>(pointer) - behind;
  return cudaSuccess;
}

cudaResourceDesc arrayResource(cudaArray_const_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return resource;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __cudaRegisterTexture(void **handle, const textureReference *host_variable, const void **,
                           const char *name, int, int normalized, int) {
  references().add(reinterpret_cast<Module *>(handle), host_variable, name, false, normalized);
}

void __cudaRegisterSurface(void **handle, const surfaceReference *host_variable, const void **,
                           const char *name, int, int) {
  references().add(reinterpret_cast<Module *>(handle), host_variable, name, true, false);
}
}
#pragma GCC visibility pop

cudaError_t cudaBindTexture(size_t *offset, const textureReference *texref, const void *devPtr,
                            const cudaChannelFormatDesc *desc, size_t size) {
  return callDevice([&](Device &device) {
    if (!texref || !devPtr || !desc)
      return cudaErrorInvalidValue;
    const char *base = nullptr;
    if (cudaError_t error = align(device, devPtr, offset, base))
      return error;
    const size_t behind = size_t(static_cast<const char *>(devPtr) - base);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<char *>(base);
    resource.res.linear.desc = *desc;
    // Programs leave the size at its default, which is more than any allocation.
    size_t bytes = size + behind;
    if (const std::optional<Allocation> found = device.memory.find(devPtr))
      bytes = std::min(bytes, found->size - size_t(base - static_cast<char *>(found->base)));
    resource.res.linear.sizeInBytes = bytes;
    return references().bindTexture(device, texref, resource, behind);
  });
}

cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *texref, const void *devPtr,
                              const cudaChannelFormatDesc *desc, size_t width, size_t height,
                              size_t pitch) {
  return callDevice([&](Device &device) {
    if (!texref || !devPtr || !desc)
      return cudaErrorInvalidValue;
    const char *base = nullptr;
    if (cudaError_t error = align(device, devPtr, offset, base))
      return error;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<char *>(base);
    resource.res.pitch2D.desc = *desc;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return references().bindTexture(device, texref, resource,
                                    size_t(static_cast<const char *>(devPtr) - base));
  });
}

cudaError_t cudaBindTextureToArray(const textureReference *texref, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *desc) {
  return callDevice([&](Device &device) {
    if (!texref || !desc)
      return cudaErrorInvalidValue;
    return references().bindTexture(device, texref, arrayResource(array));
  });
}

cudaError_t cudaBindTextureToMipmappedArray(const textureReference *texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const cudaChannelFormatDesc *desc) {
  return callDevice([&](Device &device) {
    if (!texref || !desc)
      return cudaErrorInvalidValue;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(mipmappedArray);
    return references().bindTexture(device, texref, resource);
  });
}

cudaError_t cudaUnbindTexture(const textureReference *texref) {
  return callDevice([&](Device &device) { return references().unbind(device, texref); });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *texref) {
  return callDevice([&](Device &device) {
    if (!offset)
      return cudaErrorInvalidValue;
    return references().offset(device, texref, *offset);
  });
}

cudaError_t cudaGetTextureReference(const textureReference **texref, const void *symbol) {
  return callDevice([&](Device &) {
    if (!texref || !references().known(symbol, false))
      return texref ? cudaErrorInvalidTexture : cudaErrorInvalidValue;
    *texref = static_cast<const textureReference *>(symbol);
    return cudaSuccess;
  });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference *surfref, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *desc) {
  return callDevice([&](Device &device) {
    if (!surfref || !desc)
      return cudaErrorInvalidValue;
    return references().bindSurface(device, surfref, arrayResource(array));
  });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference **surfref, const void *symbol) {
  return callDevice([&](Device &) {
    if (!surfref || !references().known(symbol, true))
      return surfref ? cudaErrorInvalidSurface : cudaErrorInvalidValue;
    *surfref = static_cast<const surfaceReference *>(symbol);
    return cudaSuccess;
  });
}
