// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// User objects.
#include "api/graph/entry.h"

using namespace heddle;
using namespace heddle::api;

namespace {

template <class Body> cudaError_t callObject(cudaUserObject_t handle, unsigned count, Body body) {
  return callPlatform([&](Platform &) {
    std::shared_ptr<UserObject> object = UserObject::handles().find(handle);
    return object && count > 0 ? body(object) : cudaErrorInvalidValue;
  });
}

} // namespace

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr, cudaHostFn_t destroy,
                                 unsigned initialRefcount, unsigned flags) {
  return callPlatform([&](Platform &) {
    if (!object || !destroy || initialRefcount == 0 || flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    auto made = std::make_shared<UserObject>(ptr, destroy, initialRefcount);
    UserObject::handles().add(made);
    *object = reinterpret_cast<cudaUserObject_t>(made.get());
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return callObject(object, count, [&](const auto &object) {
    object->retain(count);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return callObject(object, count, [&](const auto &object) {
    object->release(count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return callGraph(graph, [&](Graph &graph) {
    return callObject(object, count, [&](const auto &object) {
      if (flags & ~unsigned(cudaGraphUserObjectMove))
        return cudaErrorInvalidValue;
      graph.objects.add(object, count, flags & cudaGraphUserObjectMove);
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return callGraph(graph, [&](Graph &graph) {
    return callObject(object, count, [&](const auto &object) {
      return graph.objects.remove(object, count) ? cudaSuccess : cudaErrorInvalidValue;
    });
  });
}
