// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/texture/texture.h"

#include <algorithm>

namespace heddle {
namespace {

/// Lets accesses find `base`, which says why there is nothing. Sizes stay as they are, so that
/// accesses come to the address.
void poison(texture::Descriptor &descriptor, texture::Level *levels, unsigned long long base) {
  descriptor.level.base = base;
  for (unsigned i = 0; i < texture::most_levels; ++i)
    levels[i].base = base;
}

} // namespace

Textures &Textures::instance() {
  // Never destroyed: programs destroy textures at the very end.
  static auto *textures = new Textures;
  return *textures;
}

void Textures::collect() {
  std::erase_if(retired, [&](const Retired &entry) {
    if (!std::all_of(entry.users.begin(), entry.users.end(),
                     [](const Point &point) { return point.reached(); }))
      return false;
    poison(entry.slot->descriptor, entry.slot->levels, texture::object_destroyed);
    free.push_back(entry.slot);
    return true;
  });
}

Textures::Slot *Textures::take() {
  collect();
  // Not at once again, so that a stale handle is noticed.
  constexpr size_t kept = 64;
  if (free.size() > kept) {
    Slot *slot = free.front();
    free.pop_front();
    return slot;
  }
  Slot *slot = &slots.emplace_back();
  lent.emplace_back(slot, sizeof *slot);
  return slot;
}

cudaError_t Textures::create(Device &device, const cudaResourceDesc &resource,
                             const cudaTextureDesc *desc, const cudaResourceViewDesc *view,
                             unsigned long long &handle) {
  Slot made;
  const cudaError_t error =
      desc ? describeTexture(device, resource, *desc, view, made.descriptor, made.levels)
           : describeSurface(resource, made.descriptor);
  if (error)
    return error;
  std::lock_guard lock(mutex);
  Slot *slot = take();
  *slot = made;
  slot->descriptor.table = reinterpret_cast<uintptr_t>(slot->levels);
  handle = reinterpret_cast<uintptr_t>(&slot->descriptor);
  Texture object{&device, device.generation(), !desc, resource, {}, {}};
  if (desc)
    object.desc = *desc;
  if (view)
    object.view = *view;
  objects[handle] = object;
  return cudaSuccess;
}

void Textures::destroy(unsigned long long handle) {
  std::lock_guard lock(mutex);
  const auto it = objects.find(handle);
  if (it == objects.end())
    return;
  auto *slot = reinterpret_cast<Slot *>(static_cast<uintptr_t>(handle));
  retired.push_back({slot, it->second.device->lastPoints()});
  objects.erase(it);
  collect();
}

std::optional<Texture> Textures::find(unsigned long long handle, bool surface) const {
  std::lock_guard lock(mutex);
  const auto it = objects.find(handle);
  if (it == objects.end() || it->second.surface != surface ||
      it->second.generation != it->second.device->generation())
    return std::nullopt;
  return it->second;
}

void Textures::forget(const Array &array) {
  const auto base = reinterpret_cast<uintptr_t>(array.base());
  std::lock_guard lock(mutex);
  for (const auto &[handle, object] : objects) {
    auto *slot = reinterpret_cast<Slot *>(static_cast<uintptr_t>(handle));
    const bool uses = slot->descriptor.level.base == base ||
                      std::any_of(std::begin(slot->levels), std::end(slot->levels),
                                  [&](const texture::Level &level) { return level.base == base; });
    if (uses)
      poison(slot->descriptor, slot->levels, texture::texels_freed);
  }
}

} // namespace heddle
