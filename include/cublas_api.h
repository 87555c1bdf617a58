// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublas_api.h: cuBLAS by the names that the library exports. Programs include cublas_v2.h.
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "driver_types.h"
#include "library_types.h"

#include <stdio.h>

#include "__cublas/types.h"

#ifndef CUBLASAPI
#define CUBLASAPI
#endif

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t CUBLASWINAPI cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t CUBLASWINAPI cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t CUBLASWINAPI cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t CUBLASWINAPI cublasGetProperty(libraryPropertyType type, int *value);
size_t CUBLASWINAPI cublasGetCudartVersion(void);
cublasStatus_t CUBLASWINAPI cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                                  size_t workspaceSizeInBytes);
cublasStatus_t CUBLASWINAPI cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId);
cublasStatus_t CUBLASWINAPI cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *streamId);
cublasStatus_t CUBLASWINAPI cublasGetPointerMode_v2(cublasHandle_t handle,
                                                    cublasPointerMode_t *mode);
cublasStatus_t CUBLASWINAPI cublasSetPointerMode_v2(cublasHandle_t handle,
                                                    cublasPointerMode_t mode);
cublasStatus_t CUBLASWINAPI cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t CUBLASWINAPI cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t CUBLASWINAPI cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t CUBLASWINAPI cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t CUBLASWINAPI cublasGetSmCountTarget(cublasHandle_t handle, int *smCountTarget);
cublasStatus_t CUBLASWINAPI cublasSetSmCountTarget(cublasHandle_t handle, int smCountTarget);

/* Emulation of double and single precision by narrower types (since CUDA 13). */
cublasStatus_t CUBLASWINAPI cublasGetEmulationStrategy(cublasHandle_t handle,
                                                       cublasEmulationStrategy_t *strategy);
cublasStatus_t CUBLASWINAPI cublasSetEmulationStrategy(cublasHandle_t handle,
                                                       cublasEmulationStrategy_t strategy);
cublasStatus_t CUBLASWINAPI cublasGetEmulationSpecialValuesSupport(
    cublasHandle_t handle, cudaEmulationSpecialValuesSupport *mask);
cublasStatus_t CUBLASWINAPI cublasSetEmulationSpecialValuesSupport(
    cublasHandle_t handle, cudaEmulationSpecialValuesSupport mask);
cublasStatus_t CUBLASWINAPI cublasGetFixedPointEmulationMantissaControl(
    cublasHandle_t handle, cudaEmulationMantissaControl *mantissaControl);
cublasStatus_t CUBLASWINAPI cublasSetFixedPointEmulationMantissaControl(
    cublasHandle_t handle, cudaEmulationMantissaControl mantissaControl);
cublasStatus_t CUBLASWINAPI
cublasGetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle, int *maxMantissaBitCount);
cublasStatus_t CUBLASWINAPI
cublasSetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle, int maxMantissaBitCount);
cublasStatus_t CUBLASWINAPI cublasGetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle,
                                                                          int *mantissaBitOffset);
cublasStatus_t CUBLASWINAPI cublasSetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle,
                                                                          int mantissaBitOffset);
cublasStatus_t CUBLASWINAPI
cublasGetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t handle, int **mantissaBitCount);
cublasStatus_t CUBLASWINAPI
cublasSetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t handle, int *mantissaBitCount);

const char *CUBLASWINAPI cublasGetStatusName(cublasStatus_t status);
const char *CUBLASWINAPI cublasGetStatusString(cublasStatus_t status);

cublasStatus_t CUBLASWINAPI cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr,
                                                  const char *logFileName);
cublasStatus_t CUBLASWINAPI cublasSetLoggerCallback(cublasLogCallback userCallback);
cublasStatus_t CUBLASWINAPI cublasGetLoggerCallback(cublasLogCallback *userCallback);
void CUBLASWINAPI cublasXerbla(const char *srName, int info);

/* Copies between the host and a device: vectors of elements with strides, and parts of matrices. */
#define __HEDDLE_CUBLAS_DECLARE_COPIES(I, E)                                                       \
  cublasStatus_t CUBLASWINAPI cublasSetVector##E(I n, I elemSize, const void *x, I incx,           \
                                                 void *devicePtr, I incy);                         \
  cublasStatus_t CUBLASWINAPI cublasGetVector##E(I n, I elemSize, const void *x, I incx, void *y,  \
                                                 I incy);                                          \
  cublasStatus_t CUBLASWINAPI cublasSetMatrix##E(I rows, I cols, I elemSize, const void *A, I lda, \
                                                 void *B, I ldb);                                  \
  cublasStatus_t CUBLASWINAPI cublasGetMatrix##E(I rows, I cols, I elemSize, const void *A, I lda, \
                                                 void *B, I ldb);                                  \
  cublasStatus_t CUBLASWINAPI cublasSetVectorAsync##E(                                             \
      I n, I elemSize, const void *hostPtr, I incx, void *devicePtr, I incy, cudaStream_t stream); \
  cublasStatus_t CUBLASWINAPI cublasGetVectorAsync##E(                                             \
      I n, I elemSize, const void *devicePtr, I incx, void *hostPtr, I incy, cudaStream_t stream); \
  cublasStatus_t CUBLASWINAPI cublasSetMatrixAsync##E(I rows, I cols, I elemSize, const void *A,   \
                                                      I lda, void *B, I ldb, cudaStream_t stream); \
  cublasStatus_t CUBLASWINAPI cublasGetMatrixAsync##E(I rows, I cols, I elemSize, const void *A,   \
                                                      I lda, void *B, I ldb, cudaStream_t stream);
__HEDDLE_CUBLAS_DECLARE_COPIES(int, )
__HEDDLE_CUBLAS_DECLARE_COPIES(int64_t, _64)
#undef __HEDDLE_CUBLAS_DECLARE_COPIES

#include "__cublas/level1.h"
#include "__cublas/level2.h"
#include "__cublas/level3.h"

#include "__cublas/extensions.h"

#ifdef __cplusplus
}
#include "__cublas/overloads.h"
#endif

#endif
