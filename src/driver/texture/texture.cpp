// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects: the runtime's.
#include "driver/texture/texture.h"
#include "device/texture/texture.h"

#include <algorithm>
#include <cstring>

using namespace heddle;
using namespace heddle::driver;

CUresult driver::convert(const CUDA_RESOURCE_DESC &from, cudaResourceDesc &to) {
  to = {};
  to.resType = cudaResourceType(from.resType);
  switch (from.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    to.res.array.array = runtimeArray(from.res.array.hArray);
    return to.res.array.array ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    to.res.mipmap.mipmap = runtimeMipmaps(from.res.mipmap.hMipmappedArray);
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_LINEAR:
    to.res.linear.devPtr = at(from.res.linear.devPtr);
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    return channelFormat(from.res.linear.format, from.res.linear.numChannels, to.res.linear.desc)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  case CU_RESOURCE_TYPE_PITCH2D:
    to.res.pitch2D.devPtr = at(from.res.pitch2D.devPtr);
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    return channelFormat(from.res.pitch2D.format, from.res.pitch2D.numChannels, to.res.pitch2D.desc)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

void driver::convert(const cudaResourceDesc &from, CUDA_RESOURCE_DESC &to) {
  to = {};
  to.resType = CUresourcetype(from.resType);
  switch (from.resType) {
  case cudaResourceTypeArray:
    to.res.array.hArray = reinterpret_cast<CUarray>(from.res.array.array);
    break;
  case cudaResourceTypeMipmappedArray:
    to.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
    break;
  case cudaResourceTypeLinear:
    to.res.linear.devPtr = reinterpret_cast<CUdeviceptr>(from.res.linear.devPtr);
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    to.res.linear.format = arrayFormat(from.res.linear.desc, to.res.linear.numChannels);
    break;
  case cudaResourceTypePitch2D:
    to.res.pitch2D.devPtr = reinterpret_cast<CUdeviceptr>(from.res.pitch2D.devPtr);
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    to.res.pitch2D.format = arrayFormat(from.res.pitch2D.desc, to.res.pitch2D.numChannels);
    break;
  }
}

namespace {

/// Whether texels are integers of 8 or 16 bits, which a texture can read as fractions.
bool readsFractions(const cudaResourceDesc &resource) {
  cudaChannelFormatDesc desc = {};
  cudaArray_t array = nullptr;
  switch (resource.resType) {
  case cudaResourceTypeArray:
    array = resource.res.array.array;
    break;
  case cudaResourceTypeMipmappedArray:
    if (cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, 0) != cudaSuccess)
      return false;
    break;
  case cudaResourceTypeLinear:
    desc = resource.res.linear.desc;
    break;
  case cudaResourceTypePitch2D:
    desc = resource.res.pitch2D.desc;
    break;
  }
  if (array && cudaGetChannelDesc(&desc, array) != cudaSuccess)
    return false;
  return desc.f != cudaChannelFormatKindFloat && desc.x < 32;
}

} // namespace

// In the driver API, reading fractions is the default, and a flag asks for integers.
cudaTextureDesc driver::convert(const CUDA_TEXTURE_DESC &from, const cudaResourceDesc &resource) {
  cudaTextureDesc to = {};
  for (int i = 0; i < 3; ++i)
    to.addressMode[i] = cudaTextureAddressMode(from.addressMode[i]);
  to.filterMode = cudaTextureFilterMode(from.filterMode);
  to.readMode = !(from.flags & CU_TRSF_READ_AS_INTEGER) && readsFractions(resource)
                    ? cudaReadModeNormalizedFloat
                    : cudaReadModeElementType;
  to.sRGB = (from.flags & CU_TRSF_SRGB) != 0;
  to.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  to.disableTrilinearOptimization = (from.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  to.seamlessCubemap = (from.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = cudaTextureFilterMode(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::copy_n(from.borderColor, 4, to.borderColor);
  return to;
}

CUDA_TEXTURE_DESC driver::convert(const cudaTextureDesc &from) {
  CUDA_TEXTURE_DESC to = {};
  for (int i = 0; i < 3; ++i)
    to.addressMode[i] = CUaddress_mode(from.addressMode[i]);
  to.filterMode = CUfilter_mode(from.filterMode);
  to.flags = (from.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
             (from.sRGB ? CU_TRSF_SRGB : 0) |
             (from.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
             (from.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
             (from.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = CUfilter_mode(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::copy_n(from.borderColor, 4, to.borderColor);
  return to;
}

namespace {

/// Runs a body with what an object was made of.
template <class Body> CUresult callObject(unsigned long long handle, bool surface, Body body) {
  return callContext([&](Context &) {
    const std::optional<Texture> found = Textures::instance().find(handle, surface);
    return found ? body(*found) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult resourceOf(CUDA_RESOURCE_DESC *resource, unsigned long long object, bool surface) {
  return callObject(object, surface, [&](const Texture &texture) {
    if (!resource)
      return CUDA_ERROR_INVALID_VALUE;
    convert(texture.resource, *resource);
    return CUDA_SUCCESS;
  });
}

} // namespace

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  return callContext([&](Context &) -> CUresult {
    cudaResourceDesc converted;
    cudaResourceViewDesc seen = {};
    if (!object || !resource || !texture || resource->flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = convert(*resource, converted))
      return error;
    const cudaTextureDesc desc = convert(*texture, converted);
    if (view)
      memcpy(&seen, view, sizeof seen);
    return result(cudaCreateTextureObject(object, &converted, &desc, view ? &seen : nullptr));
  });
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  return callContext([&] { return cudaDestroyTextureObject(object); });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object) {
  return resourceOf(resource, object, false);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object) {
  return callObject(object, false, [&](const Texture &found) {
    if (!texture)
      return CUDA_ERROR_INVALID_VALUE;
    *texture = convert(found.desc);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object) {
  return callObject(object, false, [&](const Texture &found) {
    if (!view)
      return CUDA_ERROR_INVALID_VALUE;
    *view = {};
    memcpy(view, &found.view, sizeof found.view);
    return CUDA_SUCCESS;
  });
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  return callContext([&](Context &) -> CUresult {
    cudaResourceDesc converted;
    if (!object || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = convert(*resource, converted))
      return error;
    return result(cudaCreateSurfaceObject(object, &converted));
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return callContext([&] { return cudaDestroySurfaceObject(object); });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object) {
  return resourceOf(resource, object, true);
}
