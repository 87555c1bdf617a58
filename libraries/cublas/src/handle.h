// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handle of cuBLAS, and what each call does with it.
#pragma once

#include "common/task.h"
#include "cublas_api.h"

struct cublasContext {
  int device = 0;
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  int sm_count = 0;
  // How to emulate wide types by narrow ones: kept for programs that ask, as nothing is emulated.
  cublasEmulationStrategy_t emulation = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  cudaEmulationSpecialValuesSupport special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  cudaEmulationMantissaControl mantissa_control = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  int max_mantissa_bits = 0, mantissa_bit_offset = 0;
  int *mantissa_bits = nullptr;
};

namespace heddle::cublas {

/// Whether the handle was made and not destroyed.
bool isLive(cublasHandle_t handle);

/// Says on stderr why a call is refused; returns the status.
cublasStatus_t refuse(const char *function, cublasStatus_t status, const char *why);

/// Writes a line for a call where cublasLoggerConfigure wants it.
void log(const char *function);

/// Puts a task on the handle's stream; a capturing stream makes it a node, whose graph owns it.
cublasStatus_t submit(const char *function, cublasHandle_t handle, library::Task task);

/// As `submit`; in host pointer mode returns when the task has run, as a result in host memory
/// needs.
cublasStatus_t submitResult(const char *function, cublasHandle_t handle, library::Task task);

inline bool onDevice(cublasHandle_t handle) {
  return handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
}

/// A scalar argument: read at the call in host mode, by the task in device mode.
template <typename T> class Scalar {
public:
  Scalar(cublasHandle_t handle, const T *pointer) : pointer_(onDevice(handle) ? pointer : nullptr) {
    if (!pointer_)
      value_ = *pointer;
  }
  T get() const { return pointer_ ? *pointer_ : value_; }

private:
  const T *pointer_;
  T value_ = {};
};

} // namespace heddle::cublas
