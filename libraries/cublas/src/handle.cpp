// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handle.h"

#include "common/handles.h"
#include "common/refuse.h"

#include <cuda_runtime_api.h>

namespace heddle::cublas {

bool isLive(cublasHandle_t handle) { return library::handles<cublasContext>().has(handle); }

cublasStatus_t refuse(const char *function, cublasStatus_t status, const char *why) {
  library::explain(function, cublasGetStatusName(status), why);
  return status;
}

cublasStatus_t submit(const char *function, cublasHandle_t handle, library::Task task) {
  return library::submit(function, handle->stream, std::move(task)) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t finish(cublasHandle_t handle) {
  return cudaStreamSynchronize(handle->stream) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

} // namespace heddle::cublas

using namespace heddle;
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
  *handle = library::handles<cublasContext>().add(new cublasContext);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  NEED(handle);
  library::handles<cublasContext>().remove(handle);
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
