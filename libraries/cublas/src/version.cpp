// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which release of cuBLAS it is: another one in each of the libraries that have these functions.
#include <cublas_v2.h>

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version) {
  if (!version)
    return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (!value || unsigned(type) > PATCH_LEVEL)
    return CUBLAS_STATUS_INVALID_VALUE;
  const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion() { return HEDDLE_CUDA_VERSION; }
