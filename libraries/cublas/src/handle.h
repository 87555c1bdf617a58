// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common/task.h"
#include "cublas_api.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
};

namespace heddle::cublas {

/// Whether the handle was made and not destroyed.
bool isLive(cublasHandle_t handle);

/// Says on stderr why a call is refused; returns the status.
cublasStatus_t refuse(const char *function, cublasStatus_t status, const char *why);

/// Puts a task on the handle's stream; a capturing stream makes it a node, whose graph owns it.
cublasStatus_t submit(const char *function, cublasHandle_t handle, library::Task task);

/// Waits for what has been submitted, as a result in host memory needs.
cublasStatus_t finish(cublasHandle_t handle);

/// A scalar argument: read at the call in host mode, by the task in device mode.
template <typename T> class Scalar {
public:
  Scalar(cublasHandle_t handle, const T *pointer)
      : pointer_(handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE ? pointer : nullptr) {
    if (!pointer_)
      value_ = *pointer;
  }
  T get() const { return pointer_ ? *pointer_ : value_; }

private:
  const T *pointer_;
  T value_ = {};
};

} // namespace heddle::cublas
