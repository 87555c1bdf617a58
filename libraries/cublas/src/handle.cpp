// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handle.h"

#include <cstdio>
#include <cuda_runtime_api.h>
#include <memory>
#include <mutex>
#include <unordered_set>

namespace heddle::cublas {
namespace {

// Handles may be destroyed after the program's last static object: the set stays.
struct Live {
  std::mutex mutex;
  std::unordered_set<cublasHandle_t> handles;
};
Live &live() {
  static Live &set = *new Live;
  return set;
}

using Task = std::function<void()>;
void CUDART_CB runOnce(void *task) { (*std::unique_ptr<Task>(static_cast<Task *>(task)))(); }
void CUDART_CB runAgain(void *task) { (*static_cast<Task *>(task))(); }
void CUDART_CB destroy(void *task) { delete static_cast<Task *>(task); }

bool giveToGraph(cudaGraph_t graph, Task *task) {
  cudaUserObject_t owner;
  return cudaUserObjectCreate(&owner, task, destroy, 1, cudaUserObjectNoDestructorSync) ==
             cudaSuccess &&
         cudaGraphRetainUserObject(graph, owner, 1, cudaGraphUserObjectMove) == cudaSuccess;
}

} // namespace

bool isLive(cublasHandle_t handle) {
  const std::lock_guard lock(live().mutex);
  return live().handles.contains(handle);
}

cublasStatus_t refuse(const char *function, cublasStatus_t status, const char *why) {
  std::fprintf(stderr, "%s: %s (%s)\n", function, why, cublasGetStatusName(status));
  return status;
}

cublasStatus_t submit(cublasHandle_t handle, Task task) {
  auto own = std::make_unique<Task>(std::move(task));
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  if (cudaStreamGetCaptureInfo_v2(handle->stream, &capture, nullptr, &graph, nullptr, nullptr) !=
      cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (capture == cudaStreamCaptureStatusActive) {
    if (!giveToGraph(graph, own.get()))
      return CUBLAS_STATUS_EXECUTION_FAILED;
    return cudaLaunchHostFunc(handle->stream, runAgain, own.release()) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
  }
  if (cudaLaunchHostFunc(handle->stream, runOnce, own.get()) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  (void)own.release(); // the task deletes itself
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t finish(cublasHandle_t handle) {
  return cudaStreamSynchronize(handle->stream) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

} // namespace heddle::cublas

using namespace heddle::cublas;

#define NEED(handle)                                                                               \
  if (!isLive(handle))                                                                             \
  return refuse(__func__, CUBLAS_STATUS_NOT_INITIALIZED, "the handle was not created, or destroyed")
#define NEED_POINTER(pointer)                                                                      \
  if (!(pointer))                                                                                  \
  return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, #pointer " is null")

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  NEED_POINTER(handle);
  int device;
  if (cudaGetDevice(&device) != cudaSuccess || cudaFree(nullptr) != cudaSuccess)
    return refuse(__func__, CUBLAS_STATUS_NOT_INITIALIZED, "there is no device to use");
  *handle = new cublasContext;
  const std::lock_guard lock(live().mutex);
  live().handles.insert(*handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  NEED(handle);
  {
    const std::lock_guard lock(live().mutex);
    live().handles.erase(handle);
  }
  const cublasStatus_t status = finish(handle);
  delete handle;
  return status;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version) {
  NEED_POINTER(version);
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

#define SETTING(Type, Set, Get, member, valid)                                                     \
  cublasStatus_t Set(cublasHandle_t handle, Type value) {                                          \
    NEED(handle);                                                                                  \
    if (!(valid))                                                                                  \
      return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "there is no such value");              \
    handle->member = value;                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }                                                                                                \
  cublasStatus_t Get(cublasHandle_t handle, Type *value) {                                         \
    NEED(handle);                                                                                  \
    NEED_POINTER(value);                                                                           \
    *value = handle->member;                                                                       \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }
SETTING(cudaStream_t, cublasSetStream_v2, cublasGetStream_v2, stream, true)
SETTING(cublasPointerMode_t, cublasSetPointerMode_v2, cublasGetPointerMode_v2, pointer_mode,
        unsigned(value) <= CUBLAS_POINTER_MODE_DEVICE)
SETTING(cublasMath_t, cublasSetMathMode, cublasGetMathMode, math_mode,
        (unsigned(value) & ~16u) <= CUBLAS_TF32_TENSOR_OP_MATH)

#define STATUSES(X)                                                                                \
  X(SUCCESS, "success")                                                                            \
  X(NOT_INITIALIZED, "the library was not initialized")                                            \
  X(ALLOC_FAILED, "the resource allocation failed")                                                \
  X(INVALID_VALUE, "an unsupported value or parameter was passed to the function")                 \
  X(ARCH_MISMATCH, "the device lacks a feature that the function needs")                           \
  X(MAPPING_ERROR, "an access to the device's memory failed")                                      \
  X(EXECUTION_FAILED, "the function failed to execute")                                            \
  X(INTERNAL_ERROR, "an internal operation failed")                                                \
  X(NOT_SUPPORTED, "the functionality is not supported")                                           \
  X(LICENSE_ERROR, "the license is missing or wrong")

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define X(name, text)                                                                              \
  case CUBLAS_STATUS_##name:                                                                       \
    return "CUBLAS_STATUS_" #name;
    STATUSES(X)
#undef X
  }
  return "unrecognized error code";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define X(name, text)                                                                              \
  case CUBLAS_STATUS_##name:                                                                       \
    return text;
    STATUSES(X)
#undef X
  }
  return "unrecognized error code";
}
