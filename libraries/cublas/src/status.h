// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and sentences of cuBLAS's statuses, which cublas and cublasLt both export.
#pragma once

#include "cublas_api.h"

namespace heddle::cublas {

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

inline const char *statusName(cublasStatus_t status) {
  switch (status) {
#define X(name, text)                                                                              \
  case CUBLAS_STATUS_##name:                                                                       \
    return "CUBLAS_STATUS_" #name;
    STATUSES(X)
#undef X
  }
  return "unrecognized error code";
}

inline const char *statusText(cublasStatus_t status) {
  switch (status) {
#define X(name, text)                                                                              \
  case CUBLAS_STATUS_##name:                                                                       \
    return text;
    STATUSES(X)
#undef X
  }
  return "unrecognized error code";
}
#undef STATUSES

} // namespace heddle::cublas
