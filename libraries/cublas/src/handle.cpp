// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles: their life and settings, and how calls get onto their streams.
#include "handle.h"

#include "check.h"
#include "common/handles.h"
#include "common/refuse.h"
#include "lt/shared_handles.h"

#include <cuda_runtime_api.h>

namespace heddle::cublas {

bool isLive(cublasHandle_t handle) { return library::handles<cublasContext>().has(handle); }

cublasStatus_t refuse(const char *function, cublasStatus_t status, const char *why) {
  library::explain(function, cublasGetStatusName(status), why);
  return status;
}

Check::Check(const char *function, cublasHandle_t handle) : function_(function) {
  log(function);
  int device = -1;
  if (!isLive(handle))
    fault(CUBLAS_STATUS_NOT_INITIALIZED, "the handle was not created, or destroyed");
  else if (cudaGetDevice(&device) != cudaSuccess || device != handle->device)
    fault(CUBLAS_STATUS_EXECUTION_FAILED, "the current device is not the handle's");
}

namespace {
cublasStatus_t outcome(const char *function, cudaError_t error) {
  return error == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : refuse(function, CUBLAS_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
}
} // namespace

cublasStatus_t submit(const char *function, cublasHandle_t handle, library::Task task) {
  return outcome(function, library::submit(function, handle->stream, std::move(task)));
}

cublasStatus_t submitResult(const char *function, cublasHandle_t handle, library::Task task) {
  return outcome(function,
                 library::submit(function, handle->stream, std::move(task), !onDevice(handle)));
}

} // namespace heddle::cublas

using namespace heddle;
using namespace heddle::cublas;

#define NEED(handle)                                                                               \
  log(__func__);                                                                                   \
  if (!isLive(handle))                                                                             \
  return refuse(__func__, CUBLAS_STATUS_NOT_INITIALIZED, "the handle was not created, or destroyed")
#define NEED_POINTER(pointer)                                                                      \
  if (!(pointer))                                                                                  \
  return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, #pointer " is null")

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  log(__func__);
  NEED_POINTER(handle);
  int device;
  if (cudaGetDevice(&device) != cudaSuccess || cudaFree(nullptr) != cudaSuccess)
    return refuse(__func__, CUBLAS_STATUS_NOT_INITIALIZED, "there is no device to use");
  *handle = library::handles<cublasContext>().add(new cublasContext{.device = device});
  heddleCublasLtShare(*handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  NEED(handle);
  if (!library::handles<cublasContext>().remove(handle)) // another thread was faster
    return CUBLAS_STATUS_NOT_INITIALIZED;
  heddleCublasLtForget(handle);
  // cublasDestroy waits for the device, as NVIDIA's does; the stream may be gone already.
  const cudaError_t error = cudaDeviceSynchronize();
  delete handle;
  return outcome(__func__, error);
}

// No call needs a workspace; one that the program gives is left alone.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t size) {
  NEED(handle);
  if (reinterpret_cast<uintptr_t>(workspace) % 256 != 0 || (!workspace && size != 0))
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE,
                  "the workspace is null or not aligned to 256 bytes");
  return CUBLAS_STATUS_SUCCESS;
}

static bool isMathMode(unsigned mode) {
  return mode <= CUBLAS_FP32_EMULATED_BF16X9_MATH || mode == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
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
SETTING(cublasAtomicsMode_t, cublasSetAtomicsMode, cublasGetAtomicsMode, atomics_mode,
        unsigned(value) <= CUBLAS_ATOMICS_ALLOWED)
SETTING(cublasMath_t, cublasSetMathMode, cublasGetMathMode, math_mode,
        isMathMode(unsigned(value) & ~unsigned(CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)))
SETTING(int, cublasSetSmCountTarget, cublasGetSmCountTarget, sm_count, value >= 0)
SETTING(cublasEmulationStrategy_t, cublasSetEmulationStrategy, cublasGetEmulationStrategy,
        emulation, unsigned(value) <= CUBLAS_EMULATION_STRATEGY_EAGER)
SETTING(cudaEmulationSpecialValuesSupport, cublasSetEmulationSpecialValuesSupport,
        cublasGetEmulationSpecialValuesSupport, special_values,
        value == CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT || unsigned(value) <= 3)
SETTING(cudaEmulationMantissaControl, cublasSetFixedPointEmulationMantissaControl,
        cublasGetFixedPointEmulationMantissaControl, mantissa_control,
        unsigned(value) <= CUDA_EMULATION_MANTISSA_CONTROL_FIXED)
SETTING(int, cublasSetFixedPointEmulationMaxMantissaBitCount,
        cublasGetFixedPointEmulationMaxMantissaBitCount, max_mantissa_bits, value >= 0)
SETTING(int, cublasSetFixedPointEmulationMantissaBitOffset,
        cublasGetFixedPointEmulationMantissaBitOffset, mantissa_bit_offset, true)
SETTING(int *, cublasSetFixedPointEmulationMantissaBitCountPointer,
        cublasGetFixedPointEmulationMantissaBitCountPointer, mantissa_bits, true)
