// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// User objects: what a program gives to graphs so that it lives as long as they need it.
#pragma once

#include "device/handles.h"

#include <atomic>
#include <driver_types.h>
#include <map>

namespace heddle {

/// What a cudaUserObject_t points to. Its destructor function is called when no reference is left;
/// it may be called by any thread, and may not call CUDA. Thread-safe.
class UserObject : public std::enable_shared_from_this<UserObject> {
public:
  UserObject(void *data, cudaHostFn_t destroy, unsigned references)
      : data(data), destroy(destroy), references(references) {}
  static Handles<UserObject> &handles();

  void retain(unsigned count) { references += count; }
  void release(unsigned count);

private:
  void *const data;
  const cudaHostFn_t destroy;
  std::atomic<unsigned> references;
};

/// The references that a graph holds. Not thread-safe.
class ObjectReferences {
public:
  ObjectReferences() = default;
  ObjectReferences(const ObjectReferences &) = delete;
  ObjectReferences &operator=(const ObjectReferences &) = delete;
  ~ObjectReferences();

  /// `move`: the references are the caller's own, and no new ones.
  void add(const std::shared_ptr<UserObject> &object, unsigned count, bool move);
  /// False if there are not so many.
  bool remove(const std::shared_ptr<UserObject> &object, unsigned count);

  const std::map<std::shared_ptr<UserObject>, unsigned> &all() const { return counts; }

private:
  std::map<std::shared_ptr<UserObject>, unsigned> counts;
};

} // namespace heddle
