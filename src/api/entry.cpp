// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/entry.h"

#include <cstdio>
#include <set>
#include <string>

namespace heddle::api {

cudaError_t &lastError() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

cudaError_t platformStatus() {
  if (Stream::stopped())
    return cudaErrorCudartUnloading;
  if (Platform::forked())
    return cudaErrorInitializationError;
  return Platform::instance().status();
}

cudaError_t findStream(cudaStream_t handle, std::shared_ptr<DeviceStream> &stream) {
  if (handle == nullptr || handle == cudaStreamLegacy)
    stream = Platform::instance().current().legacyStream();
  else if (handle == cudaStreamPerThread)
    stream = Platform::instance().current().threadStream();
  else
    stream = Device::streamHandles().find(handle);
  if (stream && stream->detached)
    return cudaErrorStreamDetached;
  return stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t findEvent(cudaEvent_t handle, std::shared_ptr<Event> &event) {
  event = Event::handles().find(handle);
  return event ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t notSupported(const char *what) {
  static std::mutex mutex;
  static auto *said = new std::set<std::string>;
  std::lock_guard lock(mutex);
  if (said->insert(what).second)
    fprintf(stderr, "heddle: not supported yet: %s\n", what);
  return cudaErrorNotSupported;
}

} // namespace heddle::api
