// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references, as CUDA had them before version 12: global variables of type
// texture<...> that the host binds to memory. On the device such a variable holds the handle of a
// texture object; binding makes one and stores its handle, in the order of the default stream.
#pragma once

#include "device/registry.h"
#include "device/texture/texture.h"

#include <map>

namespace heddle {

/// Thread-safe.
class References {
public:
  static References &instance();

  /// `host`: the program's variable; `normalized`: fetches return floats from 0 (or -1) to 1.
  void add(Module *module, const void *host, const char *name, bool surface, bool normalized);
  /// Binds the reference on this device. `offset`: bytes from where the texture begins to where
  /// the program's data does.
  cudaError_t bindTexture(Device &device, const textureReference *reference,
                          const cudaResourceDesc &resource, size_t offset = 0);
  cudaError_t bindSurface(Device &device, const surfaceReference *reference,
                          const cudaResourceDesc &resource);
  /// What is bound stays readable until something else is bound: kernels may still run.
  cudaError_t unbind(Device &device, const void *host);
  /// cudaErrorInvalidTextureBinding if nothing is bound.
  cudaError_t offset(Device &device, const void *host, size_t &bytes) const;
  bool known(const void *host, bool surface) const;

private:
  struct Reference {
    bool surface = false, normalized = false;
  };
  struct Binding {
    unsigned long long handle = 0;
    size_t offset = 0;
    bool bound = false;
  };
  mutable std::mutex mutex;
  std::unordered_map<const void *, Reference> references;
  std::map<std::pair<const void *, int>, Binding> bindings; // by variable and device

  cudaError_t bind(Device &device, const void *host, const cudaResourceDesc &resource,
                   const cudaTextureDesc *desc, size_t offset);
};

} // namespace heddle
