// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasXt.h: level 3 for matrices in host memory, on several devices.
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"
#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasXtContext *cublasXtHandle_t;

typedef enum {
  CUBLASXT_PINNING_DISABLED = 0,
  CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;

typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;

typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

cublasStatus_t CUBLASWINAPI cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t CUBLASWINAPI cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t CUBLASWINAPI cublasXtGetNumBoards(int nbDevices, int deviceId[], int *nbBoards);
cublasStatus_t CUBLASWINAPI cublasXtMaxBoards(int *nbGpuBoards);
cublasStatus_t CUBLASWINAPI cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices,
                                                 int deviceId[]);
cublasStatus_t CUBLASWINAPI cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t CUBLASWINAPI cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim);
cublasStatus_t CUBLASWINAPI cublasXtGetPinningMemMode(cublasXtHandle_t handle,
                                                      cublasXtPinnedMemMode_t *mode);
cublasStatus_t CUBLASWINAPI cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                                      cublasXtPinnedMemMode_t mode);
cublasStatus_t CUBLASWINAPI cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                                  cublasXtOpType_t type, void *blasFunctor);
cublasStatus_t CUBLASWINAPI cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                                cublasXtOpType_t type, float ratio);

/* The parameters, as in __cublas/level3.h, which the library's definitions use too. */
#define __HEDDLE_XT_GEMM(T)                                                                        \
  (cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, size_t m,          \
   size_t n, size_t k, const T *alpha, const T *A, size_t lda, const T *B, size_t ldb,             \
   const T *beta, T *C, size_t ldc)
#define __HEDDLE_XT_SYRK(T, R)                                                                     \
  (cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k,    \
   const R *alpha, const T *A, size_t lda, const R *beta, T *C, size_t ldc)
#define __HEDDLE_XT_SYR2K(T, R)                                                                    \
  (cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k,    \
   const T *alpha, const T *A, size_t lda, const T *B, size_t ldb, const R *beta, T *C,            \
   size_t ldc)
#define __HEDDLE_XT_SYMM(T)                                                                        \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n,      \
   const T *alpha, const T *A, size_t lda, const T *B, size_t ldb, const T *beta, T *C,            \
   size_t ldc)
#define __HEDDLE_XT_SPMM(T)                                                                        \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n,      \
   const T *alpha, const T *AP, const T *B, size_t ldb, const T *beta, T *C, size_t ldc)
#define __HEDDLE_XT_TRSM(T)                                                                        \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, size_t m, size_t n, const T *alpha, const T *A, size_t lda, T *B,        \
   size_t ldb)
#define __HEDDLE_XT_TRMM(T)                                                                        \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, size_t m, size_t n, const T *alpha, const T *A, size_t lda, const T *B,  \
   size_t ldb, T *C, size_t ldc)

#define __HEDDLE_XT_X(P, T, I, E)                                                                  \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##gemm) __HEDDLE_XT_GEMM(T);                                  \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##syrk) __HEDDLE_XT_SYRK(T, T);                               \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##syr2k) __HEDDLE_XT_SYR2K(T, T);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##syrkx) __HEDDLE_XT_SYR2K(T, T);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##symm) __HEDDLE_XT_SYMM(T);                                  \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##spmm) __HEDDLE_XT_SPMM(T);                                  \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##trsm) __HEDDLE_XT_TRSM(T);                                  \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##trmm) __HEDDLE_XT_TRMM(T);
__HEDDLE_CUBLAS_SDCZ(__HEDDLE_XT_X, , )
#undef __HEDDLE_XT_X
#define __HEDDLE_XT_X(P, T, R)                                                                     \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##herk) __HEDDLE_XT_SYRK(T, R);                               \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##her2k) __HEDDLE_XT_SYR2K(T, R);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##herkx) __HEDDLE_XT_SYR2K(T, R);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasXt##P##hemm) __HEDDLE_XT_SYMM(T);
__HEDDLE_XT_X(C, cuComplex, float)
__HEDDLE_XT_X(Z, cuDoubleComplex, double)
#undef __HEDDLE_XT_X

#ifdef __cplusplus
}
#endif

#endif
