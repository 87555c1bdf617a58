// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which release of cuBLASLt it is: another one in each of the libraries that have these functions.
#include <cublasLt.h>

size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return HEDDLE_CUDA_VERSION; }

cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
  if (!value || unsigned(type) > PATCH_LEVEL)
    return CUBLAS_STATUS_INVALID_VALUE;
  const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}
