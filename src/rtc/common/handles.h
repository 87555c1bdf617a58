// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The live objects of one type behind a library's handles, so that a handle that was destroyed or
// never made is refused instead of followed.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

namespace heddle::rtc {

/// Safe from many threads. An object that is in use elsewhere ends when it no longer is.
template <typename T> class Handles {
public:
  void *add(std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    void *handle = object.get();
    objects_[handle] = std::move(object);
    return handle;
  }
  /// Null if the handle does not live.
  std::shared_ptr<T> find(const void *handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  bool remove(const void *handle) {
    const std::lock_guard lock(mutex_);
    return objects_.erase(handle) != 0;
  }

private:
  mutable std::mutex mutex_;
  std::unordered_map<const void *, std::shared_ptr<T>> objects_;
};

/// Never destroyed: programs destroy handles in the destructors of their own static objects.
template <typename T> Handles<T> &handles() {
  static auto &all = *new Handles<T>;
  return all;
}

} // namespace heddle::rtc
