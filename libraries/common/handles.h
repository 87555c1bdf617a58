// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which handles of a library live, so that one that was destroyed or never made is refused instead
// of followed.
#pragma once

#include <mutex>
#include <unordered_set>

namespace heddle::library {

/// The live handles of one type. Safe from many threads. Declare it with `handles<T>()`, which
/// never destroys it: programs destroy handles in the destructors of their own static objects.
template <typename T> class Handles {
public:
  T *add(T *handle) {
    const std::lock_guard lock(mutex_);
    set_.insert(handle);
    return handle;
  }
  bool has(const T *handle) const {
    const std::lock_guard lock(mutex_);
    return set_.contains(const_cast<T *>(handle));
  }
  /// Forgets the handle; returns false if it does not live.
  bool remove(T *handle) {
    const std::lock_guard lock(mutex_);
    return set_.erase(handle) != 0;
  }

private:
  mutable std::mutex mutex_;
  std::unordered_set<T *> set_;
};

template <typename T> Handles<T> &handles() {
  static auto &set = *new Handles<T>;
  return set;
}

} // namespace heddle::library
