// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles, statuses, the logger.
#include "context.h"

#include "common/refuse.h"

#include <atomic>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <mutex>

namespace heddle::cusparse {
namespace {

// The levels of cuSPARSE's documentation ("Logging"); mask bit n - 1 is level n.
constexpr int level_error = 1, level_call = 5;

struct Logger {
  std::mutex mutex;
  cusparseLoggerCallback_t callback = nullptr;
  FILE *file = stdout;
  bool owned = false, disabled = false;
  std::atomic<int> mask{0};

  void log(int level, const char *function, const char *message) {
    if (!(mask & (1 << (level - 1))))
      return;
    const std::lock_guard lock(mutex);
    if (disabled)
      return;
    if (callback)
      callback(level, function, message);
    else if (file) {
      std::fprintf(file, "[cusparse][%s] %s\n", function, message);
      std::fflush(file);
    }
  }
  void setFile(FILE *to, bool own) {
    const std::lock_guard lock(mutex);
    if (owned && file)
      std::fclose(file);
    file = to;
    owned = own;
  }
};
Logger &logger() {
  static auto &instance = *new Logger;
  return instance;
}

} // namespace

cusparseStatus_t refuse(const char *function, cusparseStatus_t status, const char *why) {
  library::explain(function, cusparseGetErrorName(status), why);
  logger().log(level_error, function, why);
  return status;
}

void logCall(const char *function) { logger().log(level_call, function, "called"); }

void needHandle(cusparseHandle_t handle) {
  need(handle && library::handles<cusparseContext>().has(handle),
       "the handle is null, was not created, or is destroyed",
       handle ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_INVALID_VALUE);
  int device = 0;
  need(cudaGetDevice(&device) == cudaSuccess && device == handle->device,
       "the handle was created for another device than the thread's current one");
}

void submit(cusparseHandle_t handle, library::Task task, bool wait) {
  auto safe = [task = std::move(task)] {
    try {
      task();
    } catch (const std::bad_alloc &) {
      library::explain(
          "cuSPARSE", "CUSPARSE_STATUS_ALLOC_FAILED",
          "a call on a stream could not have the memory that it needs; its result is missing");
    }
  };
  need(library::submit("cuSPARSE", handle->stream, std::move(safe), wait) == cudaSuccess,
       wait ? "the stream did not take the work, or failed (a result in host memory cannot be "
              "captured)"
            : "the stream did not take the work",
       CUSPARSE_STATUS_EXECUTION_FAILED);
}

void submitResult(cusparseHandle_t handle, library::Task task) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  need(cudaStreamIsCapturing(handle->stream, &capture) == cudaSuccess,
       "the stream did not take the work", CUSPARSE_STATUS_EXECUTION_FAILED);
  submit(handle, std::move(task), resultOnHost(handle) && capture == cudaStreamCaptureStatusNone);
}

} // namespace heddle::cusparse

using namespace heddle;
using namespace heddle::cusparse;

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  return guarded(__func__, [&] {
    needPointers(handle);
    auto context = std::make_unique<cusparseContext>();
    need(cudaGetDevice(&context->device) == cudaSuccess && cudaFree(nullptr) == cudaSuccess,
         "there is no device to use", CUSPARSE_STATUS_NOT_INITIALIZED);
    *handle = library::handles<cusparseContext>().add(context.release());
  });
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return guarded(__func__, [&] {
    need(handle && library::handles<cusparseContext>().remove(handle),
         "the handle is null, was not created, or is destroyed",
         handle ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_INVALID_VALUE);
    delete handle;
  });
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  return guarded(__func__, handle, [&] {
    needPointers(version);
    *version = CUSPARSE_VERSION;
  });
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  return guarded(__func__, [&] {
    needPointers(value);
    const int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    need(unsigned(type) <= PATCH_LEVEL, "there is no such property");
    *value = parts[type];
  });
}

#define SETTING(Type, Set, Get, member, valid)                                                     \
  cusparseStatus_t Set(cusparseHandle_t handle, Type value) {                                      \
    return guarded(__func__, handle, [&] {                                                         \
      need(valid, "there is no such value");                                                       \
      handle->member = value;                                                                      \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t Get(cusparseHandle_t handle, Type *value) {                                     \
    return guarded(__func__, handle, [&] {                                                         \
      needPointers(value);                                                                         \
      *value = handle->member;                                                                     \
    });                                                                                            \
  }
SETTING(cudaStream_t, cusparseSetStream, cusparseGetStream, stream, true)
SETTING(cusparsePointerMode_t, cusparseSetPointerMode, cusparseGetPointerMode, pointer_mode,
        unsigned(value) <= CUSPARSE_POINTER_MODE_DEVICE)

#define STATUSES(X)                                                                                \
  X(SUCCESS, "success")                                                                            \
  X(NOT_INITIALIZED, "initialization error")                                                       \
  X(ALLOC_FAILED, "out of memory")                                                                 \
  X(INVALID_VALUE, "invalid value")                                                                \
  X(ARCH_MISMATCH, "device doesn't support the operation")                                         \
  X(MAPPING_ERROR, "texture memory mapping error")                                                 \
  X(EXECUTION_FAILED, "kernel launch failure")                                                     \
  X(INTERNAL_ERROR, "internal error")                                                              \
  X(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported")                                        \
  X(ZERO_PIVOT, "zero pivot")                                                                      \
  X(NOT_SUPPORTED, "operation not supported")                                                      \
  X(INSUFFICIENT_RESOURCES, "insufficient resources")

#define TEXT(function, value)                                                                      \
  const char *function(cusparseStatus_t status) {                                                  \
    switch (status) { STATUSES(value) }                                                            \
    return "unrecognized error code";                                                              \
  }
#define X_NAME(name, text)                                                                         \
  case CUSPARSE_STATUS_##name:                                                                     \
    return "CUSPARSE_STATUS_" #name;
#define X_TEXT(name, text)                                                                         \
  case CUSPARSE_STATUS_##name:                                                                     \
    return text;
TEXT(cusparseGetErrorName, X_NAME)
TEXT(cusparseGetErrorString, X_TEXT)

cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t callback) {
  const std::lock_guard lock(logger().mutex);
  logger().callback = callback;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetFile(FILE *file) {
  logger().setFile(file, false);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerOpenFile(const char *path) {
  return guarded(__func__, [&] {
    needPointers(path);
    FILE *const file = std::fopen(path, "w");
    need(file != nullptr, "the log file cannot be written");
    logger().setFile(file, true);
  });
}

cusparseStatus_t cusparseLoggerSetLevel(int level) {
  return guarded(__func__, [&] {
    need(level >= 0 && level <= level_call, "levels are 0 to 5");
    logger().mask = (1 << level) - 1;
  });
}

cusparseStatus_t cusparseLoggerSetMask(int mask) {
  return guarded(__func__, [&] {
    need(mask >= 0 && mask < 1 << level_call, "a mask has 5 bits");
    logger().mask = mask;
  });
}

cusparseStatus_t cusparseLoggerForceDisable() {
  const std::lock_guard lock(logger().mutex);
  logger().disabled = true;
  return CUSPARSE_STATUS_SUCCESS;
}
