// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/user_object.h"

namespace heddle {

Handles<UserObject> &UserObject::handles() {
  static auto *handles = new Handles<UserObject>; // outlives the program's static objects
  return *handles;
}

void UserObject::release(unsigned count) {
  if (references.fetch_sub(count) > count)
    return;
  std::shared_ptr<UserObject> self = handles().remove(this);
  if (self)
    destroy(data);
}

ObjectReferences::~ObjectReferences() {
  for (auto &[object, count] : counts)
    object->release(count);
}

void ObjectReferences::add(const std::shared_ptr<UserObject> &object, unsigned count, bool move) {
  if (!move)
    object->retain(count);
  counts[object] += count;
}

bool ObjectReferences::remove(const std::shared_ptr<UserObject> &object, unsigned count) {
  auto it = counts.find(object);
  if (it == counts.end() || it->second < count)
    return false;
  it->second -= count;
  if (it->second == 0)
    counts.erase(it);
  object->release(count);
  return true;
}

} // namespace heddle
