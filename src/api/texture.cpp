// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects.
#include "device/texture/texture.h"
#include "api/entry.h"

using namespace heddle;
using namespace heddle::api;

namespace {

/// What the object was made of; an unknown handle gives cudaErrorInvalidValue.
template <class Body> cudaError_t callObject(unsigned long long handle, bool surface, Body body) {
  return callDevice([&](Device &) {
    const std::optional<Texture> found = Textures::instance().find(handle, surface);
    return found ? body(*found) : cudaErrorInvalidValue;
  });
}

template <class Value> cudaError_t answer(Value *to, const Value &value) {
  if (!to)
    return cudaErrorInvalidValue;
  *to = value;
  return cudaSuccess;
}

} // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resDesc,
                                    const cudaTextureDesc *texDesc,
                                    const cudaResourceViewDesc *viewDesc) {
  return callDevice([&](Device &device) {
    if (!object || !resDesc)
      return cudaErrorInvalidValue;
    if (!texDesc)
      return cudaErrorInvalidResourceHandle;
    return Textures::instance().create(device, *resDesc, texDesc, viewDesc, *object);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return callDevice([&](Device &) {
    Textures::instance().destroy(object);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *desc, cudaTextureObject_t object) {
  return callObject(object, false, [&](const Texture &t) { return answer(desc, t.resource); });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *desc, cudaTextureObject_t object) {
  return callObject(object, false, [&](const Texture &t) { return answer(desc, t.desc); });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *desc,
                                                 cudaTextureObject_t object) {
  return callObject(object, false, [&](const Texture &t) { return answer(desc, t.view); });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resDesc) {
  return callDevice([&](Device &device) {
    if (!object || !resDesc)
      return cudaErrorInvalidValue;
    return Textures::instance().create(device, *resDesc, nullptr, nullptr, *object);
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return cudaDestroyTextureObject(object);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *desc, cudaSurfaceObject_t object) {
  return callObject(object, true, [&](const Texture &t) { return answer(desc, t.resource); });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                 const cudaChannelFormatDesc *fmtDesc, int device) {
  return callPlatform([&](Platform &platform) {
    if (!maxWidthInElements || !fmtDesc)
      return cudaErrorInvalidValue;
    if (device < 0 || device >= platform.deviceCount())
      return cudaErrorInvalidDevice;
    const std::optional<TexelFormat> format = texelFormat(*fmtDesc);
    if (!format)
      return cudaErrorInvalidChannelDescriptor;
    *maxWidthInElements = maxLinearTexels(platform.device(device).gpu, *format);
    return cudaSuccess;
  });
}
