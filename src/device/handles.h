// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects behind opaque CUDA handles (cudaStream_t, cudaEvent_t). A handle is looked up before
// it is used, so that a destroyed or invented one gives an error and not a crash.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace heddle {

/// Thread-safe.
template <class Object> class Handles {
public:
  void add(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex);
    const void *handle = object.get();
    objects[handle] = std::move(object);
  }
  /// Null if there is no such object (any more).
  std::shared_ptr<Object> find(const void *handle) const {
    std::shared_lock lock(mutex);
    auto it = objects.find(handle);
    return it == objects.end() ? nullptr : it->second;
  }
  /// Null if there was no such object.
  std::shared_ptr<Object> remove(const void *handle) {
    std::lock_guard lock(mutex);
    auto node = objects.extract(handle);
    return node ? std::move(node.mapped()) : nullptr;
  }

  /// Calls `each` with every object that there is now.
  template <class Each> void forEach(Each each) const {
    std::vector<std::shared_ptr<Object>> all;
    {
      std::shared_lock lock(mutex);
      for (const auto &[handle, object] : objects)
        all.push_back(object);
    }
    for (const auto &object : all)
      each(*object);
  }
  template <class Wanted> void removeIf(Wanted wanted) {
    std::lock_guard lock(mutex);
    std::erase_if(objects, [&](const auto &entry) { return wanted(*entry.second); });
  }

private:
  mutable std::shared_mutex mutex;
  std::unordered_map<const void *, std::shared_ptr<Object>> objects;
};

} // namespace heddle
