// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Status texts, logging, and copies of vectors and matrices between host and device.
#include "check.h"
#include "status.h"

#include <atomic>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <mutex>
#include <string>

using namespace heddle::cublas;

const char *cublasGetStatusName(cublasStatus_t status) { return statusName(status); }
const char *cublasGetStatusString(cublasStatus_t status) { return statusText(status); }

void cublasXerbla(const char *name, int info) {
  std::fprintf(stderr, "On entry to %s parameter number %d had an illegal value\n",
               name ? name : "(null)", info);
}

namespace {

// Where lines about calls go. Never destroyed: calls may come when the program ends.
struct Logger {
  std::mutex mutex;
  std::atomic<bool> active = false;
  bool on = false, to_stdout = false, to_stderr = false;
  FILE *file = nullptr;
  cublasLogCallback callback = nullptr;
};
Logger &logger() {
  static auto &instance = *new Logger;
  return instance;
}

} // namespace

void heddle::cublas::log(const char *function) {
  Logger &to = logger();
  if (!to.active.load(std::memory_order_relaxed))
    return;
  const std::lock_guard lock(to.mutex);
  const std::string line = std::string("I! cuBLAS function ") + function + " called\n";
  if (to.callback)
    to.callback(line.c_str());
  if (to.on && to.to_stdout)
    std::fputs(line.c_str(), stdout);
  if (to.on && to.to_stderr)
    std::fputs(line.c_str(), stderr);
  if (to.on && to.file) {
    std::fputs(line.c_str(), to.file);
    std::fflush(to.file);
  }
}

cublasStatus_t cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file_name) {
  Logger &to = logger();
  const std::lock_guard lock(to.mutex);
  FILE *file = file_name && on ? std::fopen(file_name, "a") : nullptr;
  if (file_name && on && !file)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the log file cannot be opened");
  if (to.file)
    std::fclose(to.file);
  to.on = on != 0;
  to.to_stdout = to_stdout != 0;
  to.to_stderr = to_stderr != 0;
  to.file = file;
  to.active = to.on || to.callback;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  Logger &to = logger();
  const std::lock_guard lock(to.mutex);
  to.callback = callback;
  to.active = to.on || to.callback;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback) {
  if (!callback)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the pointer is null");
  *callback = logger().callback;
  return CUBLAS_STATUS_SUCCESS;
}

namespace {

// A copy of columns; a vector with a stride is a matrix with rows of one element.
struct Columns {
  int64_t rows, columns, element;
  const void *from;
  int64_t from_ld;
  void *to;
  int64_t to_ld;
};

cublasStatus_t copy(const char *function, const Columns &c, cudaMemcpyKind kind,
                    const cudaStream_t *stream) {
  log(function);
  if (c.rows < 0 || c.columns < 0 || c.element <= 0 || c.from_ld <= 0 || c.to_ld <= 0)
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "a size or stride is not positive");
  if (c.rows > c.from_ld || c.rows > c.to_ld)
    return refuse(function, CUBLAS_STATUS_MAPPING_ERROR, // as the copy would be
                  "a leading dimension is less than the number of rows");
  if (c.rows == 0 || c.columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  int64_t bytes;
  if (__builtin_mul_overflow(std::max(c.from_ld, c.to_ld), c.element, &bytes) ||
      __builtin_mul_overflow(bytes, c.columns, &bytes))
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "the size overflows");
  if (!c.from || !c.to)
    return refuse(function, CUBLAS_STATUS_MAPPING_ERROR, "a pointer is null");
  const size_t width = c.rows * c.element, from_pitch = c.from_ld * c.element,
               to_pitch = c.to_ld * c.element;
  const cudaError_t error =
      stream
          ? cudaMemcpy2DAsync(c.to, to_pitch, c.from, from_pitch, width, c.columns, kind, *stream)
          : cudaMemcpy2D(c.to, to_pitch, c.from, from_pitch, width, c.columns, kind);
  return error == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : refuse(function, CUBLAS_STATUS_MAPPING_ERROR, cudaGetErrorString(error));
}

} // namespace

#define COPIES(Direction, kind, I, E)                                                              \
  cublasStatus_t cublas##Direction##Vector##E(I n, I size, const void *x, I incx, void *y,         \
                                              I incy) {                                            \
    return copy(__func__, {1, n, size, x, incx, y, incy}, kind, nullptr);                          \
  }                                                                                                \
  cublasStatus_t cublas##Direction##VectorAsync##E(I n, I size, const void *x, I incx, void *y,    \
                                                   I incy, cudaStream_t stream) {                  \
    return copy(__func__, {1, n, size, x, incx, y, incy}, kind, &stream);                          \
  }                                                                                                \
  cublasStatus_t cublas##Direction##Matrix##E(I rows, I columns, I size, const void *A, I lda,     \
                                              void *B, I ldb) {                                    \
    return copy(__func__, {rows, columns, size, A, lda, B, ldb}, kind, nullptr);                   \
  }                                                                                                \
  cublasStatus_t cublas##Direction##MatrixAsync##E(I rows, I columns, I size, const void *A,       \
                                                   I lda, void *B, I ldb, cudaStream_t stream) {   \
    return copy(__func__, {rows, columns, size, A, lda, B, ldb}, kind, &stream);                   \
  }
COPIES(Set, cudaMemcpyHostToDevice, int, )
COPIES(Get, cudaMemcpyDeviceToHost, int, )
COPIES(Set, cudaMemcpyHostToDevice, int64_t, _64)
COPIES(Get, cudaMemcpyDeviceToHost, int64_t, _64)
