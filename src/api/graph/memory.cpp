// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What memory nodes are, and the memory that devices hold for graphs.
#include "device/graph/memory.h"
#include "api/graph/entry.h"

using namespace heddle;
using namespace heddle::api;

namespace {

template <class Body> cudaError_t callMemory(int ordinal, Body body) {
  return callPlatform([&](Platform &platform) {
    if (ordinal < 0 || ordinal >= platform.deviceCount())
      return cudaErrorInvalidDevice;
    return body(GraphMemory::of(platform.device(ordinal)));
  });
}

} // namespace

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *params) {
  return callNode(node, [&](Node &node) {
    if (!params || node.type() != cudaGraphNodeTypeMemAlloc)
      return cudaErrorInvalidValue;
    *params = static_cast<const AllocateOperation &>(*node.operation).parameters;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *devPtr) {
  return callNode(node, [&](Node &node) {
    if (!devPtr || node.type() != cudaGraphNodeTypeMemFree)
      return cudaErrorInvalidValue;
    *static_cast<void **>(devPtr) =
        static_cast<const FreeOperation &>(*node.operation).block->address;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return callMemory(device, [](GraphMemory &memory) {
    memory.trim();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attr,
                                           void *value) {
  return callMemory(device, [&](GraphMemory &memory) {
    return value ? memory.get(attr, *static_cast<uint64_t *>(value)) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attr,
                                           void *value) {
  return callMemory(device, [&](GraphMemory &memory) {
    return value ? memory.set(attr, *static_cast<const uint64_t *>(value)) : cudaErrorInvalidValue;
  });
}
