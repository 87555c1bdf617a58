// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, versions and errors.
#include "common/refuse.h"
#include "core.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <cuda_runtime_api.h>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

namespace heddle::cudnn {
namespace {

thread_local std::string last_error;

struct Callback {
  unsigned mask = 0;
  void *data = nullptr;
  cudnnCallback_t function = nullptr;
};
std::mutex callback_mutex;
Callback callback;

// What was built with a later cuDNN asks for one that is not older: PyTorch for CUDA 13.2 for 9.26.
// GPUs before compute capability 7.5 have the headers' version, the last one for them.
size_t version() {
  int major = 0, minor = 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0) != cudaSuccess ||
      major * 10 + minor < 75)
    return CUDNN_VERSION;
  return 92600;
}

void callBack(cudnnStatus_t status, const char *message) {
  Callback now;
  {
    const std::lock_guard lock(callback_mutex);
    now = callback;
  }
  if (!now.function || !(now.mask & CUDNN_SEV_ERROR_EN))
    return;
  cudnnDebug_t debug = {};
  timespec time = {};
  timespec_get(&time, TIME_UTC);
  debug.cudnn_version = unsigned(version());
  debug.cudnnStatus = status;
  debug.time_sec = unsigned(time.tv_sec);
  debug.time_usec = unsigned(time.tv_nsec / 1000);
  now.function(CUDNN_SEV_ERROR, now.data, &debug, message);
}

} // namespace

cudnnStatus_t tell(const char *function, cudnnStatus_t status, const char *why) {
  library::explain(function, cudnnGetErrorString(status), why);
  last_error = std::string(function) + ": " + why;
  callBack(status, last_error.c_str());
  return status;
}

cudnnStatus_t tellException(const char *function) {
  try {
    throw;
  } catch (const Refusal &refusal) {
    return tell(function, refusal.status, refusal.why);
  } catch (const std::bad_alloc &) {
    return tell(function, CUDNN_STATUS_ALLOC_FAILED, "there is not enough memory");
  } catch (const std::exception &error) {
    return tell(function, CUDNN_STATUS_EXECUTION_FAILED, error.what());
  } catch (...) {
    return tell(function, CUDNN_STATUS_INTERNAL_ERROR, "an unknown error");
  }
}

cudnnContext &live(cudnnContext *handle) {
  need(handle != nullptr, "the handle is null");
  need(library::handles<cudnnContext>().has(handle), "the handle was not created, or destroyed",
       CUDNN_STATUS_NOT_INITIALIZED);
  return *handle;
}

void run(cudnnContext *handle, const char *function, library::Task task) {
  const cudaError_t error =
      library::submit(function, handle->stream, [function, task = std::move(task)] {
        try {
          task();
        } catch (...) {
          tellException(function);
        }
      });
  need(error == cudaSuccess, "the stream takes no work", CUDNN_STATUS_EXECUTION_FAILED);
}

} // namespace heddle::cudnn

using namespace heddle;
using namespace heddle::cudnn;

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
  return call(__func__, [&] {
    needPointers(handle);
    int device;
    need(cudaGetDevice(&device) == cudaSuccess && cudaFree(nullptr) == cudaSuccess,
         "there is no device to use", CUDNN_STATUS_NOT_INITIALIZED);
    *handle = library::handles<cudnnContext>().add(new cudnnContext);
  });
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  return call(__func__, [&] {
    if (!handle)
      return;
    live(handle);
    library::handles<cudnnContext>().remove(handle);
    delete handle; // work on the stream has all that it needs with it
  });
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  return call(__func__, [&] { live(handle).stream = stream; });
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *stream) {
  return call(__func__, [&] {
    needPointers(stream);
    *stream = live(handle).stream;
  });
}

cudnnStatus_t cudnnSetCallback(unsigned mask, void *data, cudnnCallback_t function) {
  const std::lock_guard lock(callback_mutex);
  callback = {mask, data, function};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetCallback(unsigned *mask, void **data, cudnnCallback_t *function) {
  const std::lock_guard lock(callback_mutex);
  give(mask, callback.mask);
  give(data, callback.data);
  give(function, callback.function);
  return CUDNN_STATUS_SUCCESS;
}

size_t cudnnGetVersion(void) { return version(); }
size_t cudnnGetMaxDeviceVersion(void) { return CUDNN_MAX_DEVICE_VERSION; }
size_t cudnnGetCudartVersion(void) {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? size_t(version) : 0;
}

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int *value) {
  return call(__func__, [&] {
    needPointers(value);
    const int now = int(version()), values[] = {now / 10000, now / 100 % 100, now % 100};
    need(unsigned(type) < 3, "there is no such property");
    *value = values[type];
  });
}

#define VERSION_CHECK(Part)                                                                        \
  cudnnStatus_t cudnn##Part##VersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
VERSION_CHECK(Graph)
VERSION_CHECK(Ops)
VERSION_CHECK(OpsInfer)
VERSION_CHECK(OpsTrain)
VERSION_CHECK(Cnn)
VERSION_CHECK(CnnInfer)
VERSION_CHECK(CnnTrain)
VERSION_CHECK(Adv)
VERSION_CHECK(AdvInfer)
VERSION_CHECK(AdvTrain)

cudnnStatus_t cudnnQueryRuntimeError(cudnnHandle_t handle, cudnnStatus_t *status,
                                     cudnnErrQueryMode_t mode, cudnnRuntimeTag_t *) {
  return call(__func__, [&] {
    live(handle);
    needPointers(status);
    need(unsigned(mode) <= CUDNN_ERRQUERY_BLOCKING, "there is no such mode");
    if (mode == CUDNN_ERRQUERY_BLOCKING)
      need(cudaStreamSynchronize(handle->stream) == cudaSuccess, "the stream has failed",
           CUDNN_STATUS_EXECUTION_FAILED);
    *status = CUDNN_STATUS_SUCCESS;
  });
}

void cudnnGetLastErrorString(char *message, size_t size) {
  if (!message || size == 0)
    return;
  std::snprintf(message, size, "%s", last_error.c_str());
  last_error.clear();
}

const char *cudnnGetErrorString(cudnnStatus_t status) {
  switch (status) {
#define NAME(name)                                                                                 \
  case CUDNN_STATUS_##name:                                                                        \
    return "CUDNN_STATUS_" #name
    NAME(SUCCESS);
    NAME(NOT_INITIALIZED);
    NAME(SUBLIBRARY_VERSION_MISMATCH);
    NAME(SERIALIZATION_VERSION_MISMATCH);
    NAME(DEPRECATED);
    NAME(LICENSE_ERROR);
    NAME(RUNTIME_IN_PROGRESS);
    NAME(RUNTIME_FP_OVERFLOW);
    NAME(SUBLIBRARY_LOADING_FAILED);
    NAME(BAD_PARAM);
    NAME(INVALID_VALUE);
    NAME(BAD_PARAM_NULL_POINTER);
    NAME(BAD_PARAM_MISALIGNED_POINTER);
    NAME(BAD_PARAM_NOT_FINALIZED);
    NAME(BAD_PARAM_OUT_OF_BOUND);
    NAME(BAD_PARAM_SIZE_INSUFFICIENT);
    NAME(BAD_PARAM_STREAM_MISMATCH);
    NAME(BAD_PARAM_SHAPE_MISMATCH);
    NAME(BAD_PARAM_DUPLICATED_ENTRIES);
    NAME(BAD_PARAM_ATTRIBUTE_TYPE);
    NAME(BAD_PARAM_CUDA_GRAPH_MISMATCH);
    NAME(NOT_SUPPORTED);
    NAME(NOT_SUPPORTED_GRAPH_PATTERN);
    NAME(NOT_SUPPORTED_SHAPE);
    NAME(NOT_SUPPORTED_DATA_TYPE);
    NAME(NOT_SUPPORTED_LAYOUT);
    NAME(NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER);
    NAME(NOT_SUPPORTED_INCOMPATIBLE_CUDART);
    NAME(NOT_SUPPORTED_ARCH_MISMATCH);
    NAME(NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING);
    NAME(NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE);
    NAME(NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT);
    NAME(NOT_SUPPORTED_PADDING);
    NAME(NOT_SUPPORTED_BAD_LAUNCH_PARAM);
    NAME(NOT_SUPPORTED_CUDA_GRAPH_NATIVE_API);
    NAME(INTERNAL_ERROR);
    NAME(INTERNAL_ERROR_COMPILATION_FAILED);
    NAME(INTERNAL_ERROR_UNEXPECTED_VALUE);
    NAME(INTERNAL_ERROR_HOST_ALLOCATION_FAILED);
    NAME(INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED);
    NAME(INTERNAL_ERROR_BAD_LAUNCH_PARAM);
    NAME(INTERNAL_ERROR_TEXTURE_CREATION_FAILED);
    NAME(EXECUTION_FAILED);
    NAME(EXECUTION_FAILED_CUDA_DRIVER);
    NAME(EXECUTION_FAILED_CUBLAS);
    NAME(EXECUTION_FAILED_CUDART);
    NAME(EXECUTION_FAILED_CURAND);
#undef NAME
  }
  return "CUDNN_UNKNOWN_STATUS";
}
