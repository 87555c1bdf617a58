// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear solvers by type: X(P, T) declares the functions of one type, P is its letter. No include
// guard: cusolverDn.h includes this file once, within extern "C".

#define __HEDDLE_SDCZ(X) X(S, float) X(D, double) X(C, cuComplex) X(Z, cuDoubleComplex)

#define X(P, T)                                                                                    \
  __HEDDLE_SOLVER(P##potrf_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,    \
                                       T *A, int lda, int *Lwork);                                 \
  __HEDDLE_SOLVER(P##potrf)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,         \
                            int lda, T *Workspace, int Lwork, int *devInfo);                       \
  __HEDDLE_SOLVER(P##potrs)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,     \
                            const T *A, int lda, T *B, int ldb, int *devInfo);                     \
  __HEDDLE_SOLVER(P##potrfBatched)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,        \
                                   T *Aarray[], int lda, int *infoArray, int batchSize);           \
  __HEDDLE_SOLVER(P##potrsBatched)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,        \
                                   int nrhs, T *A[], int lda, T *B[], int ldb, int *d_info,        \
                                   int batchSize);                                                 \
  __HEDDLE_SOLVER(P##potri_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,    \
                                       T *A, int lda, int *lwork);                                 \
  __HEDDLE_SOLVER(P##potri)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,         \
                            int lda, T *work, int lwork, int *devInfo);                            \
  __HEDDLE_SOLVER(P##lauum_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,    \
                                       T *A, int lda, int *lwork);                                 \
  __HEDDLE_SOLVER(P##lauum)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,         \
                            int lda, T *work, int lwork, int *devInfo);                            \
  __HEDDLE_SOLVER(P##getrf_bufferSize)(cusolverDnHandle_t handle, int m, int n, T *A, int lda,     \
                                       int *Lwork);                                                \
  __HEDDLE_SOLVER(P##getrf)(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *Workspace,  \
                            int *devIpiv, int *devInfo);                                           \
  __HEDDLE_SOLVER(P##laswp)(cusolverDnHandle_t handle, int n, T *A, int lda, int k1, int k2,       \
                            const int *devIpiv, int incx);                                         \
  __HEDDLE_SOLVER(P##getrs)(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,   \
                            const T *A, int lda, const int *devIpiv, T *B, int ldb, int *devInfo); \
  __HEDDLE_SOLVER(P##geqrf_bufferSize)(cusolverDnHandle_t handle, int m, int n, T *A, int lda,     \
                                       int *lwork);                                                \
  __HEDDLE_SOLVER(P##geqrf)(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *TAU,        \
                            T *Workspace, int Lwork, int *devInfo);                                \
  __HEDDLE_SOLVER(P##sytrf_bufferSize)(cusolverDnHandle_t handle, int n, T *A, int lda,            \
                                       int *lwork);                                                \
  __HEDDLE_SOLVER(P##sytrf)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,         \
                            int lda, int *ipiv, T *work, int lwork, int *info);                    \
  __HEDDLE_SOLVER(P##sytri_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,    \
                                       T *A, int lda, const int *ipiv, int *lwork);                \
  __HEDDLE_SOLVER(P##sytri)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,         \
                            int lda, const int *ipiv, T *work, int lwork, int *info);
__HEDDLE_SDCZ(X)
#undef X

// Products with Q: org… and orm… of real matrices are ung… and unm… of complex ones.
#define X(P, T, G, M)                                                                              \
  __HEDDLE_SOLVER(P##G##qr_bufferSize)(cusolverDnHandle_t handle, int m, int n, int k, const T *A, \
                                       int lda, const T *tau, int *lwork);                         \
  __HEDDLE_SOLVER(P##G##qr)(cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda,         \
                            const T *tau, T *work, int lwork, int *info);                          \
  __HEDDLE_SOLVER(P##M##qr_bufferSize)(cusolverDnHandle_t handle, cublasSideMode_t side,           \
                                       cublasOperation_t trans, int m, int n, int k, const T *A,   \
                                       int lda, const T *tau, const T *C, int ldc, int *lwork);    \
  __HEDDLE_SOLVER(P##M##qr)(cusolverDnHandle_t handle, cublasSideMode_t side,                      \
                            cublasOperation_t trans, int m, int n, int k, const T *A, int lda,     \
                            const T *tau, T *C, int ldc, T *work, int lwork, int *devInfo);        \
  __HEDDLE_SOLVER(P##G##br_bufferSize)(cusolverDnHandle_t handle, cublasSideMode_t side, int m,    \
                                       int n, int k, const T *A, int lda, const T *tau,            \
                                       int *lwork);                                                \
  __HEDDLE_SOLVER(P##G##br)(cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k, \
                            T *A, int lda, const T *tau, T *work, int lwork, int *info);           \
  __HEDDLE_SOLVER(P##G##tr_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,    \
                                       const T *A, int lda, const T *tau, int *lwork);             \
  __HEDDLE_SOLVER(P##G##tr)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,         \
                            int lda, const T *tau, T *work, int lwork, int *info);                 \
  __HEDDLE_SOLVER(P##M##tr_bufferSize)(cusolverDnHandle_t handle, cublasSideMode_t side,           \
                                       cublasFillMode_t uplo, cublasOperation_t trans, int m,      \
                                       int n, const T *A, int lda, const T *tau, const T *C,       \
                                       int ldc, int *lwork);                                       \
  __HEDDLE_SOLVER(P##M##tr)(cusolverDnHandle_t handle, cublasSideMode_t side,                      \
                            cublasFillMode_t uplo, cublasOperation_t trans, int m, int n, T *A,    \
                            int lda, T *tau, T *C, int ldc, T *work, int lwork, int *info);
X(S, float, org, orm)
X(D, double, org, orm)
X(C, cuComplex, ung, unm)
X(Z, cuDoubleComplex, ung, unm)
#undef X
#undef __HEDDLE_SDCZ
