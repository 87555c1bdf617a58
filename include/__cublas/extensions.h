// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's extensions to the BLAS: factorisations and solutions of batches, packed triangles.
#ifndef __HEDDLE_CUBLAS_EXTENSIONS_H__
#define __HEDDLE_CUBLAS_EXTENSIONS_H__

#include "tables.h"

#define __HEDDLE_CUBLAS_GETRF(T)                                                                   \
  (cublasHandle_t handle, int n, T *const A[], int lda, int *pivots, int *info, int batchSize)
#define __HEDDLE_CUBLAS_GETRI(T)                                                                   \
  (cublasHandle_t handle, int n, const T *const A[], int lda, const int *pivots, T *const C[],     \
   int ldc, int *info, int batchSize)
#define __HEDDLE_CUBLAS_GETRS(T)                                                                   \
  (cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T *const Aarray[],       \
   int lda, const int *devIpiv, T *const Barray[], int ldb, int *info, int batchSize)
#define __HEDDLE_CUBLAS_MATINV(T)                                                                  \
  (cublasHandle_t handle, int n, const T *const A[], int lda, T *const Ainv[], int lda_inv,        \
   int *info, int batchSize)
#define __HEDDLE_CUBLAS_GEQRF(T)                                                                   \
  (cublasHandle_t handle, int m, int n, T *const Aarray[], int lda, T *const TauArray[],           \
   int *info, int batchSize)
#define __HEDDLE_CUBLAS_GELS(T)                                                                    \
  (cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs, T *const Aarray[],      \
   int lda, T *const Carray[], int ldc, int *info, int *devInfoArray, int batchSize)
#define __HEDDLE_CUBLAS_TPTTR(T)                                                                   \
  (cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *AP, T *A, int lda)
#define __HEDDLE_CUBLAS_TRTTP(T)                                                                   \
  (cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *A, int lda, T *AP)

#define __HEDDLE_CUBLAS_X(P, T, I, E)                                                              \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##getrfBatched) __HEDDLE_CUBLAS_GETRF(T);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##getriBatched) __HEDDLE_CUBLAS_GETRI(T);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##getrsBatched) __HEDDLE_CUBLAS_GETRS(T);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##matinvBatched) __HEDDLE_CUBLAS_MATINV(T);                     \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##geqrfBatched) __HEDDLE_CUBLAS_GEQRF(T);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##gelsBatched) __HEDDLE_CUBLAS_GELS(T);                         \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##tpttr) __HEDDLE_CUBLAS_TPTTR(T);                              \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##trttp) __HEDDLE_CUBLAS_TRTTP(T);
__HEDDLE_CUBLAS_SDCZ(__HEDDLE_CUBLAS_X, int, )
#undef __HEDDLE_CUBLAS_X

#endif
