// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Singular values, eigenvalues, and the reductions behind them, by type: T is the type of elements,
// R of its real numbers; real matrices have sy… where complex ones have he…. No include guard:
// cusolverDn.h includes this file once, within extern "C".

__HEDDLE_SOLVER(CreateSyevjInfo)(syevjInfo_t *info);
__HEDDLE_SOLVER(DestroySyevjInfo)(syevjInfo_t info);
__HEDDLE_SOLVER(XsyevjSetTolerance)(syevjInfo_t info, double tolerance);
__HEDDLE_SOLVER(XsyevjSetMaxSweeps)(syevjInfo_t info, int max_sweeps);
__HEDDLE_SOLVER(XsyevjSetSortEig)(syevjInfo_t info, int sort_eig);
__HEDDLE_SOLVER(XsyevjGetResidual)(cusolverDnHandle_t handle, syevjInfo_t info, double *residual);
__HEDDLE_SOLVER(XsyevjGetSweeps)(cusolverDnHandle_t handle, syevjInfo_t info, int *executed_sweeps);
__HEDDLE_SOLVER(CreateGesvdjInfo)(gesvdjInfo_t *info);
__HEDDLE_SOLVER(DestroyGesvdjInfo)(gesvdjInfo_t info);
__HEDDLE_SOLVER(XgesvdjSetTolerance)(gesvdjInfo_t info, double tolerance);
__HEDDLE_SOLVER(XgesvdjSetMaxSweeps)(gesvdjInfo_t info, int max_sweeps);
__HEDDLE_SOLVER(XgesvdjSetSortEig)(gesvdjInfo_t info, int sort_svd);
__HEDDLE_SOLVER(XgesvdjGetResidual)(cusolverDnHandle_t handle, gesvdjInfo_t info, double *residual);
__HEDDLE_SOLVER(XgesvdjGetSweeps)(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                  int *executed_sweeps);

#define __HEDDLE_SDCZ(X)                                                                           \
  X(S, float, float) X(D, double, double) X(C, cuComplex, float) X(Z, cuDoubleComplex, double)
#define X(P, T, R)                                                                                 \
  __HEDDLE_SOLVER(P##gebrd_bufferSize)(cusolverDnHandle_t handle, int m, int n, int *Lwork);       \
  __HEDDLE_SOLVER(P##gebrd)(cusolverDnHandle_t handle, int m, int n, T *A, int lda, R *D, R *E,    \
                            T *TAUQ, T *TAUP, T *Work, int Lwork, int *devInfo);                   \
  __HEDDLE_SOLVER(P##gesvd_bufferSize)(cusolverDnHandle_t handle, int m, int n, int *lwork);       \
  __HEDDLE_SOLVER(P##gesvd)(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, \
                            int n, T *A, int lda, R *S, T *U, int ldu, T *VT, int ldvt, T *work,   \
                            int lwork, R *rwork, int *info);                                       \
  __HEDDLE_SOLVER(P##gesvdj_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,         \
                                        int econ, int m, int n, const T *A, int lda, const R *S,   \
                                        const T *U, int ldu, const T *V, int ldv, int *lwork,      \
                                        gesvdjInfo_t params);                                      \
  __HEDDLE_SOLVER(P##gesvdj)(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,   \
                             int n, T *A, int lda, R *S, T *U, int ldu, T *V, int ldv, T *work,    \
                             int lwork, int *info, gesvdjInfo_t params);                           \
  __HEDDLE_SOLVER(P##gesvdjBatched_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,  \
                                               int m, int n, const T *A, int lda, const R *S,      \
                                               const T *U, int ldu, const T *V, int ldv,           \
                                               int *lwork, gesvdjInfo_t params, int batchSize);    \
  __HEDDLE_SOLVER(P##gesvdjBatched)(                                                               \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T *A, int lda, R *S, T *U,  \
      int ldu, T *V, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params, int batchSize);  \
  __HEDDLE_SOLVER(P##gesvdaStridedBatched_bufferSize)(                                             \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *d_A,     \
      int lda, long long int strideA, const R *d_S, long long int strideS, const T *d_U, int ldu,  \
      long long int strideU, const T *d_V, int ldv, long long int strideV, int *lwork,             \
      int batchSize);                                                                              \
  __HEDDLE_SOLVER(P##gesvdaStridedBatched)(                                                        \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *d_A,     \
      int lda, long long int strideA, R *d_S, long long int strideS, T *d_U, int ldu,              \
      long long int strideU, T *d_V, int ldv, long long int strideV, T *d_work, int lwork,         \
      int *d_info, double *h_R_nrmF, int batchSize);
__HEDDLE_SDCZ(X)
#undef X

#define X(P, T, R, Y)                                                                              \
  __HEDDLE_SOLVER(P##Y##trd_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,   \
                                        const T *A, int lda, const R *d, const R *e, const T *tau, \
                                        int *lwork);                                               \
  __HEDDLE_SOLVER(P##Y##trd)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A,        \
                             int lda, R *d, R *e, T *tau, T *work, int lwork, int *info);          \
  __HEDDLE_SOLVER(P##Y##evd_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,         \
                                        cublasFillMode_t uplo, int n, const T *A, int lda,         \
                                        const R *W, int *lwork);                                   \
  __HEDDLE_SOLVER(P##Y##evd)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                    \
                             cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *work,           \
                             int lwork, int *info);                                                \
  __HEDDLE_SOLVER(P##Y##evdx_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,        \
                                         cusolverEigRange_t range, cublasFillMode_t uplo, int n,   \
                                         const T *A, int lda, R vl, R vu, int il, int iu,          \
                                         int *meig, const R *W, int *lwork);                       \
  __HEDDLE_SOLVER(P##Y##evdx)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                   \
                              cusolverEigRange_t range, cublasFillMode_t uplo, int n, T *A,        \
                              int lda, R vl, R vu, int il, int iu, int *meig, R *W, T *work,       \
                              int lwork, int *info);                                               \
  __HEDDLE_SOLVER(P##Y##gvd_bufferSize)(cusolverDnHandle_t handle, cusolverEigType_t itype,        \
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
                                        const T *A, int lda, const T *B, int ldb, const R *W,      \
                                        int *lwork);                                               \
  __HEDDLE_SOLVER(P##Y##gvd)(cusolverDnHandle_t handle, cusolverEigType_t itype,                   \
                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A, int lda,  \
                             T *B, int ldb, R *W, T *work, int lwork, int *info);                  \
  __HEDDLE_SOLVER(P##Y##gvdx_bufferSize)(                                                          \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                  \
      cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T *A, int lda, const T *B,     \
      int ldb, R vl, R vu, int il, int iu, int *meig, const R *W, int *lwork);                     \
  __HEDDLE_SOLVER(P##Y##gvdx)(                                                                     \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                  \
      cusolverEigRange_t range, cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R vl,  \
      R vu, int il, int iu, int *meig, R *W, T *work, int lwork, int *info);                       \
  __HEDDLE_SOLVER(P##Y##evj_bufferSize)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,         \
                                        cublasFillMode_t uplo, int n, const T *A, int lda,         \
                                        const R *W, int *lwork, syevjInfo_t params);               \
  __HEDDLE_SOLVER(P##Y##evj)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                    \
                             cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *work,           \
                             int lwork, int *info, syevjInfo_t params);                            \
  __HEDDLE_SOLVER(P##Y##evjBatched_bufferSize)(                                                    \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T *A, \
      int lda, const R *W, int *lwork, syevjInfo_t params, int batchSize);                         \
  __HEDDLE_SOLVER(P##Y##evjBatched)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,             \
                                    cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *work,    \
                                    int lwork, int *info, syevjInfo_t params, int batchSize);      \
  __HEDDLE_SOLVER(P##Y##gvj_bufferSize)(cusolverDnHandle_t handle, cusolverEigType_t itype,        \
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
                                        const T *A, int lda, const T *B, int ldb, const R *W,      \
                                        int *lwork, syevjInfo_t params);                           \
  __HEDDLE_SOLVER(P##Y##gvj)(cusolverDnHandle_t handle, cusolverEigType_t itype,                   \
                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A, int lda,  \
                             T *B, int ldb, R *W, T *work, int lwork, int *info,                   \
                             syevjInfo_t params);
X(S, float, float, sy)
X(D, double, double, sy) X(C, cuComplex, float, he) X(Z, cuDoubleComplex, double, he)
#undef X
#undef __HEDDLE_SDCZ
