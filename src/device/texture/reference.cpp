// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/texture/reference.h"

namespace heddle {

References &References::instance() {
  // Never destroyed, as the registry.
  static auto *references = new References;
  return *references;
}

void References::add(Module *module, const void *host, const char *name, bool surface,
                     bool normalized) {
  Registry::instance().addVariable(module, host, name, sizeof(unsigned long long));
  std::lock_guard lock(mutex);
  references[host] = {surface, normalized};
}

bool References::known(const void *host, bool surface) const {
  std::lock_guard lock(mutex);
  const auto it = references.find(host);
  return it != references.end() && it->second.surface == surface;
}

cudaError_t References::bind(Device &device, const void *host, const cudaResourceDesc &resource,
                             const cudaTextureDesc *desc, size_t offset) {
  void *variable = nullptr;
  size_t size = 0;
  // A static reference that no kernel uses is not in the image: nothing need be stored.
  if (cudaError_t error = Registry::instance().findVariable(device, host, variable, size);
      error && error != cudaErrorInvalidSymbol)
    return error;
  unsigned long long handle = 0;
  if (cudaError_t error = Textures::instance().create(device, resource, desc, nullptr, handle))
    return error;
  if (variable)
    device.submit(*device.legacyStream(), makeWork([variable, handle] {
      *static_cast<unsigned long long *>(variable) = handle;
    }),
                  Start::AtOnceIfIdle);
  Binding &binding = bindings[{host, device.ordinal}];
  if (binding.handle)
    Textures::instance().destroy(binding.handle);
  binding = {handle, offset, true};
  return cudaSuccess;
}

cudaError_t References::bindTexture(Device &device, const textureReference *reference,
                                    const cudaResourceDesc &resource, size_t offset) {
  std::lock_guard lock(mutex);
  const auto it = references.find(reference);
  if (it == references.end() || it->second.surface)
    return cudaErrorInvalidTexture;
  cudaTextureDesc desc = {};
  for (int i = 0; i < 3; ++i)
    desc.addressMode[i] = reference->addressMode[i];
  desc.filterMode = reference->filterMode;
  desc.readMode = it->second.normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  desc.sRGB = reference->sRGB;
  desc.normalizedCoords = reference->normalized;
  desc.maxAnisotropy = reference->maxAnisotropy;
  desc.mipmapFilterMode = reference->mipmapFilterMode;
  desc.mipmapLevelBias = reference->mipmapLevelBias;
  desc.minMipmapLevelClamp = reference->minMipmapLevelClamp;
  desc.maxMipmapLevelClamp = reference->maxMipmapLevelClamp;
  return bind(device, reference, resource, &desc, offset);
}

cudaError_t References::bindSurface(Device &device, const surfaceReference *reference,
                                    const cudaResourceDesc &resource) {
  std::lock_guard lock(mutex);
  const auto it = references.find(reference);
  if (it == references.end() || !it->second.surface)
    return cudaErrorInvalidSurface;
  return bind(device, reference, resource, nullptr, 0);
}

cudaError_t References::unbind(Device &device, const void *host) {
  std::lock_guard lock(mutex);
  if (!references.count(host))
    return cudaErrorInvalidTexture;
  if (const auto it = bindings.find({host, device.ordinal}); it != bindings.end())
    it->second.bound = false;
  return cudaSuccess;
}

cudaError_t References::offset(Device &device, const void *host, size_t &bytes) const {
  std::lock_guard lock(mutex);
  if (!references.count(host))
    return cudaErrorInvalidTexture;
  const auto it = bindings.find({host, device.ordinal});
  if (it == bindings.end() || !it->second.bound)
    return cudaErrorInvalidTextureBinding;
  bytes = it->second.offset;
  return cudaSuccess;
}

} // namespace heddle
