// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every entry point of the CUDA runtime does before and after its own work: find the current
// device, refuse if it has failed, let no C++ exception out, and remember the error for
// cudaGetLastError.
#pragma once

// CUDA's functions are all that the library exports.
#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#include "device/event.h"
#include "device/platform.h"
#include "engine/observe/host.h"

#include <new>

#define HEDDLE_EXPORT __attribute__((visibility("default")))

/// Defines an entry point that uses the default stream, and its variant for programs whose default
/// stream is the calling thread's. The body is an expression that uses `stream`.
#define HEDDLE_DEFAULT_STREAM_CALL(name, parameters, ...)                                          \
  cudaError_t name parameters {                                                                    \
    const heddle::engine::observe::ApiCall this_call(#name);                                       \
    const cudaStream_t stream = cudaStreamLegacy;                                                  \
    return __VA_ARGS__;                                                                            \
  }                                                                                                \
  extern "C" HEDDLE_EXPORT cudaError_t name##_ptds parameters {                                    \
    const heddle::engine::observe::ApiCall this_call(#name);                                       \
    const cudaStream_t stream = cudaStreamPerThread;                                               \
    return __VA_ARGS__;                                                                            \
  }

/// The same for an entry point with a parameter `stream`, in which 0 means the default stream.
#define HEDDLE_STREAM_CALL(name, parameters, ...)                                                  \
  cudaError_t name parameters {                                                                    \
    const heddle::engine::observe::ApiCall this_call(#name);                                       \
    return __VA_ARGS__;                                                                            \
  }                                                                                                \
  extern "C" HEDDLE_EXPORT cudaError_t name##_ptsz parameters {                                    \
    const heddle::engine::observe::ApiCall this_call(#name);                                       \
    if (!stream)                                                                                   \
      stream = cudaStreamPerThread;                                                                \
    return __VA_ARGS__;                                                                            \
  }

namespace heddle {
struct LaunchRequest;
}

namespace heddle::api {

/// This host thread's last error.
cudaError_t &lastError();
/// Makes it the last error, and tells the observer of it.
void noteFailure(cudaError_t error);

/// Of a launch by <<<…>>>, whose error only cudaGetLastError would tell. Under `heddle run` it is
/// told when the program ends, if nothing has asked.
void noteFailedLaunch(const void *function, const LaunchRequest &request, cudaError_t error);

/// Why no CUDA call can work now, or cudaSuccess.
cudaError_t platformStatus();

/// The stream behind a handle; 0 and the special handles are default streams.
cudaError_t findStream(cudaStream_t handle, std::shared_ptr<DeviceStream> &stream);
cudaError_t findEvent(cudaEvent_t handle, std::shared_ptr<Event> &event);

/// One line on stderr, once for each `what`; returns cudaErrorNotSupported.
cudaError_t notSupported(const char *what);

/// Runs an entry point's body. `name`: the function that calls this, or a variant of it.
template <class Body>
cudaError_t call(Body body, const char *name = __builtin_FUNCTION()) noexcept {
  const engine::observe::ApiCall this_call(name);
  cudaError_t error;
  try {
    error = body();
  } catch (const std::bad_alloc &) {
    error = cudaErrorMemoryAllocation;
  } catch (...) {
    error = cudaErrorUnknown;
  }
  if (error != cudaSuccess && error != cudaErrorNotReady) // "not ready" is an answer
    noteFailure(error);
  this_call.returns(error);
  return error;
}

/// Runs a body that needs the platform but works on a failed device too.
template <class Body>
cudaError_t callPlatform(Body body, const char *name = __builtin_FUNCTION()) noexcept {
  return call(
      [&] {
        cudaError_t error = platformStatus();
        return error ? error : body(Platform::instance());
      },
      name);
}

/// Runs a body that uses the current device.
template <class Body>
cudaError_t callDevice(Body body, const char *name = __builtin_FUNCTION()) noexcept {
  return callPlatform(
      [&](Platform &platform) {
        Device &device = platform.current();
        cudaError_t error = device.error();
        return error ? error : body(device);
      },
      name);
}

/// The same for calls that may wait for all streams, which a capture may forbid.
template <class Body>
cudaError_t callUnsafe(Body body, const char *name = __builtin_FUNCTION()) noexcept {
  return callDevice(
      [&](Device &device) {
        cudaError_t error = Capture::checkUnsafe();
        return error ? error : body(device);
      },
      name);
}

/// Runs a body that uses a stream, of whatever device.
template <class Body>
cudaError_t callStream(cudaStream_t handle, Body body,
                       const char *name = __builtin_FUNCTION()) noexcept {
  return callPlatform(
      [&](Platform &) {
        std::shared_ptr<DeviceStream> stream;
        cudaError_t error = findStream(handle, stream);
        if (!error)
          error = stream->device->error();
        return error ? error : body(*stream);
      },
      name);
}

/// Runs a body that uses an event.
template <class Body>
cudaError_t callEvent(cudaEvent_t handle, Body body,
                      const char *name = __builtin_FUNCTION()) noexcept {
  return callPlatform(
      [&](Platform &) {
        std::shared_ptr<Event> event;
        cudaError_t error = findEvent(handle, event);
        if (!error)
          error = event->device.error();
        return error ? error : body(*event);
      },
      name);
}

} // namespace heddle::api
