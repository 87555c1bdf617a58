// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of the dense part, versions, statuses, tasks, and the logger ("Logging" in cuSOLVER's
// documentation: level 1 tells errors, 5 every call).
#include "handle.h"

#include "common/refuse.h"

#include <atomic>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <mutex>
#include <new>

namespace heddle::cusolver {
namespace {

const char *nameOf(Status status) {
  switch (status) {
#define X(name)                                                                                    \
  case CUSOLVER_STATUS_##name:                                                                     \
    return "CUSOLVER_STATUS_" #name;
    X(SUCCESS)
    X(NOT_INITIALIZED)
    X(ALLOC_FAILED)
    X(INVALID_VALUE)
    X(ARCH_MISMATCH)
    X(MAPPING_ERROR)
    X(EXECUTION_FAILED)
    X(INTERNAL_ERROR)
    X(MATRIX_TYPE_NOT_SUPPORTED)
    X(NOT_SUPPORTED)
    X(ZERO_PIVOT)
    X(INVALID_LICENSE)
    X(IRS_PARAMS_NOT_INITIALIZED)
    X(IRS_PARAMS_INVALID)
    X(IRS_PARAMS_INVALID_PREC)
    X(IRS_PARAMS_INVALID_REFINE)
    X(IRS_PARAMS_INVALID_MAXITER)
    X(IRS_INTERNAL_ERROR)
    X(IRS_NOT_SUPPORTED)
    X(IRS_OUT_OF_RANGE)
    X(IRS_NRHS_NOT_SUPPORTED_FOR_REFINE_GMRES)
    X(IRS_INFOS_NOT_INITIALIZED)
    X(IRS_INFOS_NOT_DESTROYED)
    X(IRS_MATRIX_SINGULAR)
    X(INVALID_WORKSPACE)
#undef X
  }
  return "unknown status";
}

constexpr int ErrorLevel = 1, CallLevel = 5;

/// Where messages go, for all handles of the process.
class Logger {
public:
  Logger() {
    if (const char *level = std::getenv("CUSOLVER_LOG_LEVEL"))
      setLevel(std::atoi(level));
    if (const char *mask = std::getenv("CUSOLVER_LOG_MASK"))
      mask_ = std::atoi(mask);
    if (const char *file = std::getenv("CUSOLVER_LOG_FILE"))
      open(file);
  }
  void setCallback(cusolverDnLoggerCallback_t callback) {
    const std::lock_guard lock(mutex_);
    callback_ = callback;
  }
  void setFile(FILE *file) {
    const std::lock_guard lock(mutex_);
    file_ = file;
  }
  bool open(const char *name) {
    FILE *const file = std::fopen(name, "w");
    if (file)
      setFile(file);
    return file != nullptr;
  }
  // A level includes those below it.
  void setLevel(int level) { mask_ = (1 << level) - 1; }
  void setMask(int mask) { mask_ = mask; }
  void disable() { disabled_ = true; }
  void say(int level, const char *function, const char *message) {
    if (disabled_ || !(mask_ & 1 << (level - 1)))
      return;
    const std::lock_guard lock(mutex_);
    if (callback_)
      callback_(level, function, message);
    if (file_) {
      std::fprintf(file_, "[cuSOLVER][%d][%s] %s\n", level, function, message);
      std::fflush(file_);
    }
  }

private:
  std::recursive_mutex mutex_; // a callback may set another one
  std::atomic<int> mask_ = 0;
  std::atomic<bool> disabled_ = false;
  cusolverDnLoggerCallback_t callback_ = nullptr;
  FILE *file_ = stdout;
};

Logger &logger() {
  static auto &instance = *new Logger;
  return instance;
}

} // namespace

Status refuse(const char *function, Status status, const char *why) {
  library::explain(function, nameOf(status), why);
  logger().say(ErrorLevel, function, why);
  return status;
}

void logCall(const char *function) { logger().say(CallLevel, function, "called"); }

Status submitWork(const char *function, cudaStream_t stream, int *info, Work work, bool wait) {
  auto task = [function, info, work = std::move(work)] {
    int result;
    try {
      result = work();
    } catch (const std::bad_alloc &) {
      library::explain(function, "CUSOLVER_STATUS_ALLOC_FAILED", "there is no memory for it");
      result = OutOfMemory;
    }
    if (info)
      *info = result;
  };
  if (const cudaError_t error = library::submit(function, stream, std::move(task), wait))
    return refuse(function, CUSOLVER_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace heddle::cusolver

using namespace heddle;
using namespace heddle::cusolver;

#define NEED(handle)                                                                               \
  if (const Check c(__func__, handle); c.bad())                                                    \
  return c.status()
#define NEED_POINTER(pointer)                                                                      \
  if (!(pointer))                                                                                  \
  return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, #pointer " is null")

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  NEED_POINTER(handle);
  int device;
  if (cudaGetDevice(&device) != cudaSuccess || cudaFree(nullptr) != cudaSuccess)
    return refuse(__func__, CUSOLVER_STATUS_NOT_INITIALIZED, "there is no device to use");
  *handle = library::handles<cusolverDnContext>().add(new cusolverDnContext);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  NEED(handle);
  // Tasks under way do not look at the handle, so there is nothing to wait for.
  library::handles<cusolverDnContext>().remove(handle);
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}

#define SETTING(Type, Set, Get, member, valid)                                                     \
  cusolverStatus_t Set(cusolverDnHandle_t handle, Type value) {                                    \
    NEED(handle);                                                                                  \
    if (!(valid))                                                                                  \
      return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "there is no such value");            \
    handle->member = value;                                                                        \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusolverStatus_t Get(cusolverDnHandle_t handle, Type *value) {                                   \
    NEED(handle);                                                                                  \
    NEED_POINTER(value);                                                                           \
    *value = handle->member;                                                                       \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }
SETTING(cudaStream_t, cusolverDnSetStream, cusolverDnGetStream, stream, true)
SETTING(cusolverDeterministicMode_t, cusolverDnSetDeterministicMode, cusolverDnGetDeterministicMode,
        deterministic,
        value == CUSOLVER_DETERMINISTIC_RESULTS ||
            value == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS)

cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t callback) {
  logger().setCallback(callback);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerSetFile(FILE *file) {
  logger().setFile(file);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerOpenFile(const char *name) {
  NEED_POINTER(name);
  return logger().open(name) ? CUSOLVER_STATUS_SUCCESS
                             : refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE,
                                      "the file cannot be opened for writing");
}

cusolverStatus_t cusolverDnLoggerSetLevel(int level) {
  if (level < 0 || level > CallLevel)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "levels are 0 to 5");
  logger().setLevel(level);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerSetMask(int mask) {
  logger().setMask(mask);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerForceDisable() {
  logger().disable();
  return CUSOLVER_STATUS_SUCCESS;
}
