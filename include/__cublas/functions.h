// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that exist for int sizes and, as NAME_64, for int64_t sizes. cublas_api.h includes
// this file once for each: I is the type of sizes, F(name) the function's name.

#define __HEDDLE_SDCZ(X) X(S, float) X(D, double) X(C, cuComplex) X(Z, cuDoubleComplex)

#define X(P, T)                                                                                    \
  cublasStatus_t CUBLASWINAPI F(cublas##P##axpy_v2)(cublasHandle_t handle, I n, const T *alpha,    \
                                                    const T *x, I incx, T *y, I incy);             \
  cublasStatus_t CUBLASWINAPI F(cublas##P##copy_v2)(cublasHandle_t handle, I n, const T *x,        \
                                                    I incx, T *y, I incy);                         \
  cublasStatus_t CUBLASWINAPI F(cublas##P##swap_v2)(cublasHandle_t handle, I n, T * x, I incx,     \
                                                    T * y, I incy);                                \
  cublasStatus_t CUBLASWINAPI F(cublas##P##scal_v2)(cublasHandle_t handle, I n, const T *alpha,    \
                                                    T *x, I incx);                                 \
  cublasStatus_t CUBLASWINAPI F(cublas##P##gemv_v2)(                                               \
      cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T *alpha, const T *A, I lda, \
      const T *x, I incx, const T *beta, T *y, I incy);                                            \
  cublasStatus_t CUBLASWINAPI F(cublas##P##gemm_v2)(                                               \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,    \
      const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta, T *C, I ldc);           \
  cublasStatus_t CUBLASWINAPI F(cublas##P##gemmStridedBatched)(                                    \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,    \
      const T *alpha, const T *A, I lda, long long int strideA, const T *B, I ldb,                 \
      long long int strideB, const T *beta, T *C, I ldc, long long int strideC, I batchCount);     \
  cublasStatus_t CUBLASWINAPI F(cublas##P##gemmBatched)(                                           \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,    \
      const T *alpha, const T *const Aarray[], I lda, const T *const Barray[], I ldb,              \
      const T *beta, T *const Carray[], I ldc, I batchCount);
__HEDDLE_SDCZ(X)
#undef X

#define X(P, T)                                                                                    \
  cublasStatus_t CUBLASWINAPI F(cublas##P##dot_v2)(cublasHandle_t handle, I n, const T *x, I incx, \
                                                   const T *y, I incy, T *result);                 \
  cublasStatus_t CUBLASWINAPI F(cublas##P##nrm2_v2)(cublasHandle_t handle, I n, const T *x,        \
                                                    I incx, T *result);                            \
  cublasStatus_t CUBLASWINAPI F(cublas##P##asum_v2)(cublasHandle_t handle, I n, const T *x,        \
                                                    I incx, T *result);
X(S, float) X(D, double)
#undef X
#undef __HEDDLE_SDCZ
