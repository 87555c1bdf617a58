// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, level 3: functions of matrices, and matrix products whose element types are arguments.
// See level1.h for how the macros are used.
#ifndef __HEDDLE_CUBLAS_LEVEL3_H__
#define __HEDDLE_CUBLAS_LEVEL3_H__

#include "tables.h"

#define __HEDDLE_CUBLAS_OPS_MNK(I)                                                                 \
  cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k
#define __HEDDLE_CUBLAS_GEMM_ARGS(T, I)                                                            \
  (__HEDDLE_CUBLAS_OPS_MNK(I), const T *alpha, const T *A, I lda, const T *B, I ldb,               \
   const T *beta, T *C, I ldc)
#define __HEDDLE_CUBLAS_GEMM_BATCHED(T, I)                                                         \
  (__HEDDLE_CUBLAS_OPS_MNK(I), const T *alpha, const T *const Aarray[], I lda,                     \
   const T *const Barray[], I ldb, const T *beta, T *const Carray[], I ldc, I batchCount)
#define __HEDDLE_CUBLAS_GEMM_STRIDED(T, I)                                                         \
  (__HEDDLE_CUBLAS_OPS_MNK(I), const T *alpha, const T *A, I lda, long long int strideA,           \
   const T *B, I ldb, long long int strideB, const T *beta, T *C, I ldc, long long int strideC,    \
   I batchCount)
#define __HEDDLE_CUBLAS_SYRK(T, R, I)                                                              \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,                \
   const R *alpha, const T *A, I lda, const R *beta, T *C, I ldc)
#define __HEDDLE_CUBLAS_SYR2K(T, R, I)                                                             \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,                \
   const T *alpha, const T *A, I lda, const T *B, I ldb, const R *beta, T *C, I ldc)
#define __HEDDLE_CUBLAS_SYMM_ARGS(T, I)                                                            \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, I m, I n, const T *alpha,  \
   const T *A, I lda, const T *B, I ldb, const T *beta, T *C, I ldc)
#define __HEDDLE_CUBLAS_TRI_MN(I)                                                                  \
  cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,    \
      cublasDiagType_t diag, I m, I n
#define __HEDDLE_CUBLAS_TRSM(T, I)                                                                 \
  (__HEDDLE_CUBLAS_TRI_MN(I), const T *alpha, const T *A, I lda, T *B, I ldb)
#define __HEDDLE_CUBLAS_TRMM(T, I)                                                                 \
  (__HEDDLE_CUBLAS_TRI_MN(I), const T *alpha, const T *A, I lda, const T *B, I ldb, T *C, I ldc)
#define __HEDDLE_CUBLAS_TRSM_BATCHED(T, I)                                                         \
  (__HEDDLE_CUBLAS_TRI_MN(I), const T *alpha, const T *const A[], I lda, T *const B[], I ldb,      \
   I batchCount)
#define __HEDDLE_CUBLAS_GEAM(T, I)                                                                 \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,            \
   const T *alpha, const T *A, I lda, const T *beta, const T *B, I ldb, T *C, I ldc)
#define __HEDDLE_CUBLAS_DGMM(T, I)                                                                 \
  (cublasHandle_t handle, cublasSideMode_t mode, I m, I n, const T *A, I lda, const T *x, I incx,  \
   T *C, I ldc)

#define __HEDDLE_CUBLAS_X(name, T, I, E)                                                           \
  __HEDDLE_CUBLAS_DECLARE(cublas##name##E) __HEDDLE_CUBLAS_GEMM_ARGS(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_GEMM, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(name, T, I, E)                                                           \
  __HEDDLE_CUBLAS_DECLARE(cublas##name##Batched##E) __HEDDLE_CUBLAS_GEMM_BATCHED(T, I);            \
  __HEDDLE_CUBLAS_DECLARE(cublas##name##StridedBatched##E) __HEDDLE_CUBLAS_GEMM_STRIDED(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_GEMM_BATCHES, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(name, T, R, hermitian, I, E)                                             \
  __HEDDLE_CUBLAS_DECLARE(cublas##name##E) __HEDDLE_CUBLAS_SYRK(T, R, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_RANK_K, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(name, T, R, kind, I, E)                                                  \
  __HEDDLE_CUBLAS_DECLARE(cublas##name##E) __HEDDLE_CUBLAS_SYR2K(T, R, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_RANK_2K, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, name, T, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##name##_v2##E) __HEDDLE_CUBLAS_SYMM_ARGS(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SYMM, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X
#define __HEDDLE_CUBLAS_X(P, T, I, E)                                                              \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##trsm_v2##E) __HEDDLE_CUBLAS_TRSM(T, I);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##trmm_v2##E) __HEDDLE_CUBLAS_TRMM(T, I);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##trsmBatched##E) __HEDDLE_CUBLAS_TRSM_BATCHED(T, I);           \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##geam##E) __HEDDLE_CUBLAS_GEAM(T, I);                          \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##dgmm##E) __HEDDLE_CUBLAS_DGMM(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SDCZ, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

/* Functions whose element types are arguments. S is the type of the scalars. */
#define __HEDDLE_CUBLAS_GEMM_TYPED(S, I)                                                           \
  (__HEDDLE_CUBLAS_OPS_MNK(I), const S *alpha, const void *A, cudaDataType Atype, I lda,           \
   const void *B, cudaDataType Btype, I ldb, const S *beta, void *C, cudaDataType Ctype, I ldc)
#define __HEDDLE_CUBLAS_GEMM_EX(I)                                                                 \
  (__HEDDLE_CUBLAS_OPS_MNK(I), const void *alpha, const void *A, cudaDataType Atype, I lda,        \
   const void *B, cudaDataType Btype, I ldb, const void *beta, void *C, cudaDataType Ctype, I ldc, \
   cublasComputeType_t computeType, cublasGemmAlgo_t algo)
#define __HEDDLE_CUBLAS_GEMM_BATCHED_EX(I)                                                         \
  (__HEDDLE_CUBLAS_OPS_MNK(I), const void *alpha, const void *const Aarray[], cudaDataType Atype,  \
   I lda, const void *const Barray[], cudaDataType Btype, I ldb, const void *beta,                 \
   void *const Carray[], cudaDataType Ctype, I ldc, I batchCount, cublasComputeType_t computeType, \
   cublasGemmAlgo_t algo)
#define __HEDDLE_CUBLAS_GEMM_STRIDED_EX(I)                                                         \
  (__HEDDLE_CUBLAS_OPS_MNK(I), const void *alpha, const void *A, cudaDataType Atype, I lda,        \
   long long int strideA, const void *B, cudaDataType Btype, I ldb, long long int strideB,         \
   const void *beta, void *C, cudaDataType Ctype, I ldc, long long int strideC, I batchCount,      \
   cublasComputeType_t computeType, cublasGemmAlgo_t algo)
#define __HEDDLE_CUBLAS_SYRK_EX(R, I)                                                              \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,                \
   const R *alpha, const void *A, cudaDataType Atype, I lda, const R *beta, void *C,               \
   cudaDataType Ctype, I ldc)
#define __HEDDLE_CUBLAS_GEMM_GROUPED(T, I)                                                         \
  (cublasHandle_t handle, const cublasOperation_t transa_array[],                                  \
   const cublasOperation_t transb_array[], const I m_array[], const I n_array[],                   \
   const I k_array[], const T alpha_array[], const T *const Aarray[], const I lda_array[],         \
   const T *const Barray[], const I ldb_array[], const T beta_array[], T *const Carray[],          \
   const I ldc_array[], I group_count, const I group_size[])
#define __HEDDLE_CUBLAS_GEMM_GROUPED_EX(I)                                                         \
  (cublasHandle_t handle, const cublasOperation_t transa_array[],                                  \
   const cublasOperation_t transb_array[], const I m_array[], const I n_array[],                   \
   const I k_array[], const void *alpha_array, const void *const Aarray[], cudaDataType Atype,     \
   const I lda_array[], const void *const Barray[], cudaDataType Btype, const I ldb_array[],       \
   const void *beta_array, void *const Carray[], cudaDataType Ctype, const I ldc_array[],          \
   I group_count, const I group_size[], cublasComputeType_t computeType)

#define __HEDDLE_CUBLAS_X(I, E)                                                                    \
  __HEDDLE_CUBLAS_DECLARE(cublasSgemmEx##E) __HEDDLE_CUBLAS_GEMM_TYPED(float, I);                  \
  __HEDDLE_CUBLAS_DECLARE(cublasCgemmEx##E) __HEDDLE_CUBLAS_GEMM_TYPED(cuComplex, I);              \
  __HEDDLE_CUBLAS_DECLARE(cublasCgemm3mEx##E) __HEDDLE_CUBLAS_GEMM_TYPED(cuComplex, I);            \
  __HEDDLE_CUBLAS_DECLARE(cublasGemmEx##E) __HEDDLE_CUBLAS_GEMM_EX(I);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasGemmBatchedEx##E) __HEDDLE_CUBLAS_GEMM_BATCHED_EX(I);              \
  __HEDDLE_CUBLAS_DECLARE(cublasGemmStridedBatchedEx##E) __HEDDLE_CUBLAS_GEMM_STRIDED_EX(I);       \
  __HEDDLE_CUBLAS_DECLARE(cublasCsyrkEx##E) __HEDDLE_CUBLAS_SYRK_EX(cuComplex, I);                 \
  __HEDDLE_CUBLAS_DECLARE(cublasCsyrk3mEx##E) __HEDDLE_CUBLAS_SYRK_EX(cuComplex, I);               \
  __HEDDLE_CUBLAS_DECLARE(cublasCherkEx##E) __HEDDLE_CUBLAS_SYRK_EX(float, I);                     \
  __HEDDLE_CUBLAS_DECLARE(cublasCherk3mEx##E) __HEDDLE_CUBLAS_SYRK_EX(float, I);                   \
  __HEDDLE_CUBLAS_DECLARE(cublasSgemmGroupedBatched##E) __HEDDLE_CUBLAS_GEMM_GROUPED(float, I);    \
  __HEDDLE_CUBLAS_DECLARE(cublasDgemmGroupedBatched##E) __HEDDLE_CUBLAS_GEMM_GROUPED(double, I);   \
  __HEDDLE_CUBLAS_DECLARE(cublasGemmGroupedBatchedEx##E) __HEDDLE_CUBLAS_GEMM_GROUPED_EX(I);
__HEDDLE_CUBLAS_X(int, )
__HEDDLE_CUBLAS_X(int64_t, _64)
#undef __HEDDLE_CUBLAS_X

cublasStatus_t CUBLASWINAPI cublasUint8gemmBias(cublasHandle_t handle, cublasOperation_t transa,
                                                cublasOperation_t transb, cublasOperation_t transc,
                                                int m, int n, int k, const unsigned char *A,
                                                int A_bias, int lda, const unsigned char *B,
                                                int B_bias, int ldb, unsigned char *C, int C_bias,
                                                int ldc, int C_mult, int C_shift);

#endif
