// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of streams. Only the priority says anything here; the others are hints to hardware,
// which are checked and kept for programs that ask.
#include "api/entry.h"

#include <algorithm>
#include <cstring>

using namespace heddle;
using namespace heddle::api;

namespace {

bool isGood(const cudaAccessPolicyWindow &window, const Device &device) {
  if (window.num_bytes == 0)
    return true; // switches the window off
  return window.hitRatio >= 0 && window.hitRatio <= 1 &&
         window.num_bytes <= size_t(device.gpu.access_policy_window_bytes) &&
         window.missProp != cudaAccessPropertyPersisting &&
         unsigned(window.hitProp) <= cudaAccessPropertyPersisting &&
         unsigned(window.missProp) <= cudaAccessPropertyPersisting;
}

cudaError_t set(DeviceStream &stream, cudaLaunchAttributeID id,
                const cudaLaunchAttributeValue &value) {
  const Device &device = *stream.device;
  StreamAttributes &attributes = stream.attributes;
  std::lock_guard lock(attributes.mutex);
  switch (id) {
  case cudaLaunchAttributeAccessPolicyWindow:
    if (!isGood(value.accessPolicyWindow, device))
      return cudaErrorInvalidValue;
    attributes.window = value.accessPolicyWindow;
    return cudaSuccess;
  case cudaLaunchAttributeSynchronizationPolicy:
    if (value.syncPolicy < cudaSyncPolicyAuto || value.syncPolicy > cudaSyncPolicyBlockingSync)
      return cudaErrorInvalidValue;
    attributes.policy = value.syncPolicy;
    return cudaSuccess;
  case cudaLaunchAttributePriority:
    stream.priority = std::clamp(value.priority, device.gpu.highest_stream_priority,
                                 device.gpu.lowest_stream_priority);
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomainMap: {
    const int domains = device.gpu.memory_sync_domains;
    if (value.memSyncDomainMap.default_ >= domains || value.memSyncDomainMap.remote >= domains)
      return cudaErrorInvalidValue;
    attributes.domains = value.memSyncDomainMap;
    return cudaSuccess;
  }
  case cudaLaunchAttributeMemSyncDomain:
    if (unsigned(value.memSyncDomain) > cudaLaunchMemSyncDomainRemote)
      return cudaErrorInvalidValue;
    attributes.domain = value.memSyncDomain;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t get(DeviceStream &stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue &value) {
  StreamAttributes &attributes = stream.attributes;
  std::lock_guard lock(attributes.mutex);
  switch (id) {
  case cudaLaunchAttributeAccessPolicyWindow:
    value.accessPolicyWindow = attributes.window;
    return cudaSuccess;
  case cudaLaunchAttributeSynchronizationPolicy:
    value.syncPolicy = attributes.policy;
    return cudaSuccess;
  case cudaLaunchAttributePriority:
    value.priority = stream.priority;
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomainMap:
    value.memSyncDomainMap = attributes.domains;
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomain:
    value.memSyncDomain = attributes.domain;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t setAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                         const cudaLaunchAttributeValue *value) {
  return callStream(handle, [&](DeviceStream &stream) {
    return value ? set(stream, id, *value) : cudaErrorInvalidValue;
  });
}

cudaError_t getAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                         cudaLaunchAttributeValue *value) {
  return callStream(handle, [&](DeviceStream &stream) {
    return value ? get(stream, id, *value) : cudaErrorInvalidValue;
  });
}

/// The priority stays each stream's own.
cudaError_t copyAttributes(cudaStream_t to, cudaStream_t from) {
  return callStream(to, [&](DeviceStream &target) {
    std::shared_ptr<DeviceStream> source;
    if (cudaError_t error = findStream(from, source))
      return error;
    if (source->device != target.device)
      return cudaErrorInvalidResourceHandle;
    if (source.get() == &target)
      return cudaSuccess;
    StreamAttributes &theirs = source->attributes, &ours = target.attributes;
    std::scoped_lock lock(theirs.mutex, ours.mutex);
    ours.window = theirs.window;
    ours.policy = theirs.policy;
    ours.domain = theirs.domain;
    ours.domains = theirs.domains;
    return cudaSuccess;
  });
}

} // namespace

HEDDLE_STREAM_CALL(cudaStreamSetAttribute,
                   (cudaStream_t stream, cudaLaunchAttributeID attr,
                    const cudaLaunchAttributeValue *value),
                   setAttribute(stream, attr, value))
HEDDLE_STREAM_CALL(cudaStreamGetAttribute,
                   (cudaStream_t stream, cudaLaunchAttributeID attr,
                    cudaLaunchAttributeValue *value),
                   getAttribute(stream, attr, value))

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  return copyAttributes(dst, src);
}
extern "C" HEDDLE_EXPORT cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t dst,
                                                                   cudaStream_t src) {
  return copyAttributes(dst ? dst : cudaStreamPerThread, src ? src : cudaStreamPerThread);
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return callDevice([](Device &) { return cudaSuccess; }); // caches here keep what they like
}
