// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the entry points of the driver API share. Most of them are the runtime's, with the driver's
// types: they ask for a context first, and keep their errors out of cudaGetLastError.
#pragma once

// CUDA's functions are all that the library exports.
#pragma GCC visibility push(default)
#include <cuda.h>
#include <cudaProfiler.h>
#pragma GCC visibility pop

#include "api/entry.h"
#include "device/context.h"

#include <type_traits>

/// Defines an entry point that uses the default stream, and its variant for programs whose default
/// stream is the calling thread's. The body is an expression that uses `stream`.
#define HEDDLE_DRIVER_DEFAULT_STREAM_CALL(name, parameters, ...)                                   \
  CUresult name parameters {                                                                       \
    const heddle::engine::observe::ApiCall this_call(#name);                                       \
    const CUstream stream = CU_STREAM_LEGACY;                                                      \
    return __VA_ARGS__;                                                                            \
  }                                                                                                \
  extern "C" HEDDLE_EXPORT CUresult name##_ptds parameters {                                       \
    const heddle::engine::observe::ApiCall this_call(#name);                                       \
    const CUstream stream = CU_STREAM_PER_THREAD;                                                  \
    return __VA_ARGS__;                                                                            \
  }

/// The same for an entry point with a parameter `stream`, in which 0 means the default stream.
#define HEDDLE_DRIVER_STREAM_CALL(name, parameters, ...)                                           \
  CUresult name parameters {                                                                       \
    const heddle::engine::observe::ApiCall this_call(#name);                                       \
    return __VA_ARGS__;                                                                            \
  }                                                                                                \
  extern "C" HEDDLE_EXPORT CUresult name##_ptsz parameters {                                       \
    const heddle::engine::observe::ApiCall this_call(#name);                                       \
    if (!stream)                                                                                   \
      stream = CU_STREAM_PER_THREAD;                                                               \
    return __VA_ARGS__;                                                                            \
  }

/// The name that older programs call a function of this file by. Strings, as names are macros.
#define HEDDLE_OLDER_NAME(older, name)                                                             \
  asm(".globl " older "\n.type " older ",@function\n.set " older "," name);

namespace heddle::driver {

/// Whether cuInit has succeeded, or the program has used the runtime, which calls it. Before, and
/// in a process that is forked afterwards, calls give CUDA_ERROR_NOT_INITIALIZED.
bool initialized();

/// The driver's errors have the values of the runtime's, but for those that only the runtime has.
CUresult result(cudaError_t error);
inline CUresult result(CUresult error) { return error; }

/// One line on stderr, once for each `what`.
CUresult notSupported(const char *what);

/// Runs `body` once the driver is initialised. `name`: the function that calls this.
template <class Body> CUresult call(Body body, const char *name = __builtin_FUNCTION()) noexcept {
  const engine::observe::ApiCall this_call(name);
  if (!initialized())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (Stream::stopped())
    return CUDA_ERROR_DEINITIALIZED;
  const cudaError_t before = api::lastError();
  CUresult error;
  try {
    error = result(body());
  } catch (const std::bad_alloc &) {
    error = CUDA_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    error = CUDA_ERROR_UNKNOWN;
  }
  api::lastError() = before;
  this_call.returns(error);
  return error;
}

/// Runs a body that needs a context, and may take it.
template <class Body>
CUresult callContext(Body body, const char *name = __builtin_FUNCTION()) noexcept {
  const engine::observe::ApiCall this_call(name);
  return call([&]() -> CUresult {
    const std::shared_ptr<Context> context = Context::current();
    if (!context)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!context->active)
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if constexpr (std::is_invocable_v<Body, Context &>)
      return result(body(*context));
    else
      return result(body());
  });
}

/// Runs a body with a device.
template <class Body>
CUresult callDevice(CUdevice number, Body body, const char *name = __builtin_FUNCTION()) noexcept {
  const engine::observe::ApiCall this_call(name);
  return call([&]() -> CUresult {
    Platform &platform = Platform::instance();
    if (number < 0 || number >= platform.deviceCount())
      return CUDA_ERROR_INVALID_DEVICE;
    return result(body(platform.device(number)));
  });
}

/// Runs a body with a context that the program names.
template <class Body>
CUresult callNamedContext(CUcontext handle, Body body,
                          const char *name = __builtin_FUNCTION()) noexcept {
  const engine::observe::ApiCall this_call(name);
  return call([&]() -> CUresult {
    const std::shared_ptr<Context> context = Context::handles().find(handle);
    return context ? result(body(context)) : CUDA_ERROR_INVALID_CONTEXT;
  });
}

inline CUcontext handleOf(const Context *context) {
  return reinterpret_cast<CUcontext>(const_cast<Context *>(context));
}

inline void *at(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }
/// Where the runtime writes a pointer.
inline void **into(CUdeviceptr *pointer) { return reinterpret_cast<void **>(pointer); }
inline cudaArray_t runtimeArray(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
inline cudaMipmappedArray_t runtimeMipmaps(CUmipmappedArray array) {
  return reinterpret_cast<cudaMipmappedArray_t>(array);
}

/// The runtime's struct with the layout of the driver's.
template <class To, class From> To *as(From *from) {
  static_assert(sizeof(To) == sizeof(From));
  return reinterpret_cast<To *>(from);
}

} // namespace heddle::driver
