// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects: checked when they are made, then described in memory that kernels
// read (include/__heddle/texture/descriptor.h). A handle is its descriptor's address.
//
// Descriptors are never given back to the system, so that a kernel which fetches through a stale
// handle finds one: of a texture that was destroyed, or whose array was freed, it says that the
// texels lie where no memory is, and the fetch ends the kernel as a wild read does.
#pragma once

#include "device/texture/array.h"
#include "engine/observe/observer.h"

#include <deque>

namespace heddle {

/// A texture or surface object.
struct Texture {
  Device *device = nullptr;
  uint64_t generation = 0; // of the device, when this was made
  bool surface = false;
  cudaResourceDesc resource = {};
  cudaTextureDesc desc = {};
  cudaResourceViewDesc view = {};
};

/// All texture and surface objects. Thread-safe.
class Textures {
public:
  static Textures &instance();

  /// Null `desc` makes a surface. The error is the one that CUDA gives.
  cudaError_t create(Device &device, const cudaResourceDesc &resource, const cudaTextureDesc *desc,
                     const cudaResourceViewDesc *view, unsigned long long &handle);
  /// Nothing happens if there is no such object, as in CUDA.
  void destroy(unsigned long long handle);
  std::optional<Texture> find(unsigned long long handle, bool surface) const;
  /// Called before memory of an array goes: fetches from it will fault.
  void forget(const Array &array);

private:
  struct Slot {
    texture::Descriptor descriptor;
    texture::Level levels[texture::most_levels];
  };
  struct Retired {
    Slot *slot;
    std::vector<Point> users; // work that may still use it
  };
  mutable std::mutex mutex;
  std::deque<Slot> slots;
  std::vector<engine::observe::Lent> lent; // of all slots
  std::deque<Slot *> free;
  std::vector<Retired> retired;
  std::unordered_map<unsigned long long, Texture> objects;

  Slot *take();
  void collect();
};

/// Fills in a descriptor, and the table of levels if there are any. `levels` has most_levels
/// entries.
cudaError_t describeTexture(Device &device, const cudaResourceDesc &resource,
                            const cudaTextureDesc &desc, const cudaResourceViewDesc *view,
                            texture::Descriptor &descriptor, texture::Level *levels);
cudaError_t describeSurface(const cudaResourceDesc &resource, texture::Descriptor &descriptor);

} // namespace heddle
