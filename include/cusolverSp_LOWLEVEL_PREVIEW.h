// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusolverSp_LOWLEVEL_PREVIEW.h: sparse LU, QR and Cholesky step by step: analysis, buffers,
// factorisation, solution.
#ifndef CUSOLVERSP_LOWLEVEL_PREVIEW_H_
#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

#include "cusolverSp.h"

typedef struct csrluInfoHost *csrluInfoHost_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrcholInfo *csrcholInfo_t;

#ifdef __cplusplus
extern "C" {
#endif

#define __HEDDLE_SOLVER(name) cusolverStatus_t CUSOLVERAPI cusolverSp##name
#define __HEDDLE_PATTERN                                                                           \
  int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA, const int *csrColIndA
#define __HEDDLE_CSR(T)                                                                            \
  int nnzA, const cusparseMatDescr_t descrA, const T *csrValA, const int *csrRowPtrA,              \
      const int *csrColIndA
#define __HEDDLE_SIZES size_t *internalDataInBytes, size_t *workspaceInBytes

__HEDDLE_SOLVER(CreateCsrluInfoHost)(csrluInfoHost_t *info);
__HEDDLE_SOLVER(DestroyCsrluInfoHost)(csrluInfoHost_t info);
__HEDDLE_SOLVER(XcsrluAnalysisHost)(cusolverSpHandle_t handle, int n, __HEDDLE_PATTERN,
                                    csrluInfoHost_t info);
__HEDDLE_SOLVER(XcsrluNnzHost)(cusolverSpHandle_t handle, int *nnzLRef, int *nnzURef,
                               csrluInfoHost_t info);
#define __HEDDLE_SDCZ(X)                                                                           \
  X(S, float, float) X(D, double, double) X(C, cuComplex, float) X(Z, cuDoubleComplex, double)
#define X(P, T, R)                                                                                 \
  __HEDDLE_SOLVER(P##csrluBufferInfoHost)(cusolverSpHandle_t handle, int n, __HEDDLE_CSR(T),       \
                                          csrluInfoHost_t info, __HEDDLE_SIZES);                   \
  __HEDDLE_SOLVER(P##csrluFactorHost)(cusolverSpHandle_t handle, int n, __HEDDLE_CSR(T),           \
                                      csrluInfoHost_t info, R pivot_threshold, void *pBuffer);     \
  __HEDDLE_SOLVER(P##csrluZeroPivotHost)(cusolverSpHandle_t handle, csrluInfoHost_t info, R tol,   \
                                         int *position);                                           \
  __HEDDLE_SOLVER(P##csrluSolveHost)(cusolverSpHandle_t handle, int n, const T *b, T *x,           \
                                     csrluInfoHost_t info, void *pBuffer);                         \
  __HEDDLE_SOLVER(P##csrluExtractHost)(                                                            \
      cusolverSpHandle_t handle, int *P, int *Q, const cusparseMatDescr_t descrL, T *csrValL,      \
      int *csrRowPtrL, int *csrColIndL, const cusparseMatDescr_t descrU, T *csrValU,               \
      int *csrRowPtrU, int *csrColIndU, csrluInfoHost_t info, void *pBuffer);
__HEDDLE_SDCZ(X)
#undef X

// QR and Cholesky on the host (H) and on the device.
#define __HEDDLE_STEPS(H)                                                                          \
  __HEDDLE_SOLVER(XcsrqrAnalysis##H)(cusolverSpHandle_t handle, int m, int n, __HEDDLE_PATTERN,    \
                                     csrqrInfo##H##_t info);                                       \
  __HEDDLE_SOLVER(CreateCsrcholInfo##H)(csrcholInfo##H##_t * info);                                \
  __HEDDLE_SOLVER(DestroyCsrcholInfo##H)(csrcholInfo##H##_t info);                                 \
  __HEDDLE_SOLVER(XcsrcholAnalysis##H)(cusolverSpHandle_t handle, int n, __HEDDLE_PATTERN,         \
                                       csrcholInfo##H##_t info);                                   \
  __HEDDLE_STEP(H, S, float, float)                                                                \
  __HEDDLE_STEP(H, D, double, double)                                                              \
  __HEDDLE_STEP(H, C, cuComplex, float)                                                            \
  __HEDDLE_STEP(H, Z, cuDoubleComplex, double)
#define __HEDDLE_STEP(H, P, T, R)                                                                  \
  __HEDDLE_SOLVER(P##csrqrBufferInfo##H)(cusolverSpHandle_t handle, int m, int n, __HEDDLE_CSR(T), \
                                         csrqrInfo##H##_t info, __HEDDLE_SIZES);                   \
  __HEDDLE_SOLVER(P##csrqrSetup##H)(cusolverSpHandle_t handle, int m, int n, __HEDDLE_CSR(T),      \
                                    T mu, csrqrInfo##H##_t info);                                  \
  __HEDDLE_SOLVER(P##csrqrFactor##H)(cusolverSpHandle_t handle, int m, int n, int nnzA, T *b,      \
                                     T *x, csrqrInfo##H##_t info, void *pBuffer);                  \
  __HEDDLE_SOLVER(P##csrqrZeroPivot##H)(cusolverSpHandle_t handle, csrqrInfo##H##_t info, R tol,   \
                                        int *position);                                            \
  __HEDDLE_SOLVER(P##csrqrSolve##H)(cusolverSpHandle_t handle, int m, int n, T *b, T *x,           \
                                    csrqrInfo##H##_t info, void *pBuffer);                         \
  __HEDDLE_SOLVER(P##csrcholBufferInfo##H)(cusolverSpHandle_t handle, int n, __HEDDLE_CSR(T),      \
                                           csrcholInfo##H##_t info, __HEDDLE_SIZES);               \
  __HEDDLE_SOLVER(P##csrcholFactor##H)(cusolverSpHandle_t handle, int n, __HEDDLE_CSR(T),          \
                                       csrcholInfo##H##_t info, void *pBuffer);                    \
  __HEDDLE_SOLVER(P##csrcholZeroPivot##H)(cusolverSpHandle_t handle, csrcholInfo##H##_t info,      \
                                          R tol, int *position);                                   \
  __HEDDLE_SOLVER(P##csrcholSolve##H)(cusolverSpHandle_t handle, int n, const T *b, T *x,          \
                                      csrcholInfo##H##_t info, void *pBuffer);
__HEDDLE_STEPS(Host)
__HEDDLE_STEPS()
#undef __HEDDLE_STEPS
#undef __HEDDLE_STEP

__HEDDLE_SOLVER(CreateCsrqrInfoHost)(csrqrInfoHost_t *info);
__HEDDLE_SOLVER(DestroyCsrqrInfoHost)(csrqrInfoHost_t info);

#define X(P, R)                                                                                    \
  __HEDDLE_SOLVER(P##csrcholDiag)(cusolverSpHandle_t handle, csrcholInfo_t info, R * diag);
X(S, float) X(D, double) X(C, float) X(Z, double)
#undef X

#undef __HEDDLE_SOLVER
#undef __HEDDLE_SDCZ
#undef __HEDDLE_PATTERN
#undef __HEDDLE_CSR
#undef __HEDDLE_SIZES

#ifdef __cplusplus
}
#endif

#endif
