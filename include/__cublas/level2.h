// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, level 2: functions of a matrix and vectors. See level1.h for how the macros are used.
#ifndef __HEDDLE_CUBLAS_LEVEL2_H__
#define __HEDDLE_CUBLAS_LEVEL2_H__

#include "tables.h"

#define __HEDDLE_CUBLAS_GEMV(T, I)                                                                 \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T *alpha, const T *A, I lda,    \
   const T *x, I incx, const T *beta, T *y, I incy)
#define __HEDDLE_CUBLAS_GBMV(T, I)                                                                 \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, I kl, I ku, const T *alpha,           \
   const T *A, I lda, const T *x, I incx, const T *beta, T *y, I incy)
#define __HEDDLE_CUBLAS_TRMV(T, I)                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,   \
   I n, const T *A, I lda, T *x, I incx)
#define __HEDDLE_CUBLAS_TPMV(T, I)                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,   \
   I n, const T *AP, T *x, I incx)
#define __HEDDLE_CUBLAS_TBMV(T, I)                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,   \
   I n, I k, const T *A, I lda, T *x, I incx)
#define __HEDDLE_CUBLAS_SYMV(T, I)                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *A, I lda,           \
   const T *x, I incx, const T *beta, T *y, I incy)
#define __HEDDLE_CUBLAS_SBMV(T, I)                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, I k, const T *alpha, const T *A, I lda,      \
   const T *x, I incx, const T *beta, T *y, I incy)
#define __HEDDLE_CUBLAS_SPMV(T, I)                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *AP, const T *x,     \
   I incx, const T *beta, T *y, I incy)
#define __HEDDLE_CUBLAS_GER(T, I)                                                                  \
  (cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx, const T *y, I incy, T *A,  \
   I lda)
#define __HEDDLE_CUBLAS_SYR(T, R, I)                                                               \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const R *alpha, const T *x, I incx, T *A,    \
   I lda)
#define __HEDDLE_CUBLAS_SPR(T, R, I)                                                               \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const R *alpha, const T *x, I incx, T *AP)
#define __HEDDLE_CUBLAS_SYR2(T, I)                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x, I incx,          \
   const T *y, I incy, T *A, I lda)
#define __HEDDLE_CUBLAS_SPR2(T, I)                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x, I incx,          \
   const T *y, I incy, T *AP)
#define __HEDDLE_CUBLAS_GEMV_BATCHED(T, V, S, I)                                                   \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const S *alpha,                       \
   const T *const Aarray[], I lda, const T *const xarray[], I incx, const S *beta,                 \
   V *const yarray[], I incy, I batchCount)
#define __HEDDLE_CUBLAS_GEMV_STRIDED(T, V, S, I)                                                   \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const S *alpha, const T *A, I lda,    \
   long long int strideA, const T *x, I incx, long long int stridex, const S *beta, V *y, I incy,  \
   long long int stridey, I batchCount)

#define __HEDDLE_CUBLAS_X(P, T, I, E)                                                              \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##gemv_v2##E) __HEDDLE_CUBLAS_GEMV(T, I);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##gbmv_v2##E) __HEDDLE_CUBLAS_GBMV(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SDCZ, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_TRMV(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_FULL_TRIANGLES, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_TPMV(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_PACKED_TRIANGLES, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_TBMV(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_BANDED_TRIANGLES, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_SYMV(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SYMMETRIC, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_SBMV(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_BANDED_SYMMETRIC, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_SPMV(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_PACKED_SYMMETRIC, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_GER(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_OUTER, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, R, I, E)                                                     \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_SYR(T, R, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_RANK_1, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, R, I, E)                                                     \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_SPR(T, R, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_PACKED_RANK_1, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_SYR2(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_RANK_2, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_SPR2(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_PACKED_RANK_2, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, T, V, S, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##gemvBatched##E) __HEDDLE_CUBLAS_GEMV_BATCHED(T, V, S, I);     \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##gemvStridedBatched##E)                                        \
  __HEDDLE_CUBLAS_GEMV_STRIDED(T, V, S, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_GEMV_BATCHES, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#endif
