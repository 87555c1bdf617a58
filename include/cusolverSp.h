// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusolverSp.h: cuSOLVER's sparse part, on matrices in compressed rows.
#ifndef CUSOLVERSP_H_
#define CUSOLVERSP_H_

#include "cublas_v2.h"
#include "cusolver_common.h"
#include "cusparse.h"

typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;

#ifdef __cplusplus
extern "C" {
#endif

#define __HEDDLE_SOLVER(name) cusolverStatus_t CUSOLVERAPI cusolverSp##name
// A matrix in compressed rows: its pattern alone, and with values.
#define __HEDDLE_PATTERN                                                                           \
  int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA, const int *csrColIndA
#define __HEDDLE_CSR(T)                                                                            \
  int nnz, const cusparseMatDescr_t descrA, const T *csrVal, const int *csrRowPtr,                 \
      const int *csrColInd

__HEDDLE_SOLVER(Create)(cusolverSpHandle_t *handle);
__HEDDLE_SOLVER(Destroy)(cusolverSpHandle_t handle);
__HEDDLE_SOLVER(SetStream)(cusolverSpHandle_t handle, cudaStream_t streamId);
__HEDDLE_SOLVER(GetStream)(cusolverSpHandle_t handle, cudaStream_t *streamId);

__HEDDLE_SOLVER(XcsrissymHost)(cusolverSpHandle_t handle, int m, int nnzA,
                               const cusparseMatDescr_t descrA, const int *csrRowPtrA,
                               const int *csrEndPtrA, const int *csrColIndA, int *issym);
__HEDDLE_SOLVER(XcsrsymrcmHost)(cusolverSpHandle_t handle, int n, __HEDDLE_PATTERN, int *p);
__HEDDLE_SOLVER(XcsrsymmdqHost)(cusolverSpHandle_t handle, int n, __HEDDLE_PATTERN, int *p);
__HEDDLE_SOLVER(XcsrsymamdHost)(cusolverSpHandle_t handle, int n, __HEDDLE_PATTERN, int *p);
__HEDDLE_SOLVER(XcsrmetisndHost)(cusolverSpHandle_t handle, int n, __HEDDLE_PATTERN,
                                 const int64_t *options, int *p);
__HEDDLE_SOLVER(Xcsrperm_bufferSizeHost)(cusolverSpHandle_t handle, int m, int n, __HEDDLE_PATTERN,
                                         const int *p, const int *q, size_t *bufferSizeInBytes);
__HEDDLE_SOLVER(XcsrpermHost)(cusolverSpHandle_t handle, int m, int n, int nnzA,
                              const cusparseMatDescr_t descrA, int *csrRowPtrA, int *csrColIndA,
                              const int *p, const int *q, int *map, void *pBuffer);
__HEDDLE_SOLVER(CreateCsrqrInfo)(csrqrInfo_t *info);
__HEDDLE_SOLVER(DestroyCsrqrInfo)(csrqrInfo_t info);
__HEDDLE_SOLVER(XcsrqrAnalysisBatched)(cusolverSpHandle_t handle, int m, int n, __HEDDLE_PATTERN,
                                       csrqrInfo_t info);

#define __HEDDLE_SDCZ(X)                                                                           \
  X(S, float, float) X(D, double, double) X(C, cuComplex, float) X(Z, cuDoubleComplex, double)
#define X(P, T, R)                                                                                 \
  __HEDDLE_SOLVER(P##csrlsvluHost)(cusolverSpHandle_t handle, int n, __HEDDLE_CSR(T), const T *b,  \
                                   R tol, int reorder, T *x, int *singularity);                    \
  __HEDDLE_SOLVER(P##csrlsvqr)(cusolverSpHandle_t handle, int m, __HEDDLE_CSR(T), const T *b,      \
                               R tol, int reorder, T *x, int *singularity);                        \
  __HEDDLE_SOLVER(P##csrlsvqrHost)(cusolverSpHandle_t handle, int m, __HEDDLE_CSR(T), const T *b,  \
                                   R tol, int reorder, T *x, int *singularity);                    \
  __HEDDLE_SOLVER(P##csrlsvchol)(cusolverSpHandle_t handle, int m, __HEDDLE_CSR(T), const T *b,    \
                                 R tol, int reorder, T *x, int *singularity);                      \
  __HEDDLE_SOLVER(P##csrlsvcholHost)(cusolverSpHandle_t handle, int m, __HEDDLE_CSR(T),            \
                                     const T *b, R tol, int reorder, T *x, int *singularity);      \
  __HEDDLE_SOLVER(P##csrlsqvqrHost)(cusolverSpHandle_t handle, int m, int n, __HEDDLE_CSR(T),      \
                                    const T *b, R tol, int *rankA, T *x, int *p, R *min_norm);     \
  __HEDDLE_SOLVER(P##csreigvsi)(cusolverSpHandle_t handle, int m, __HEDDLE_CSR(T), T mu0,          \
                                const T *x0, int maxite, R eps, T *mu, T *x);                      \
  __HEDDLE_SOLVER(P##csreigvsiHost)(cusolverSpHandle_t handle, int m, __HEDDLE_CSR(T), T mu0,      \
                                    const T *x0, int maxite, R eps, T *mu, T *x);                  \
  __HEDDLE_SOLVER(P##csrzfdHost)(cusolverSpHandle_t handle, int n, __HEDDLE_CSR(T), int *P,        \
                                 int *numnz);                                                      \
  __HEDDLE_SOLVER(P##csrqrBufferInfoBatched)(                                                      \
      cusolverSpHandle_t handle, int m, int n, __HEDDLE_CSR(T), int batchSize, csrqrInfo_t info,   \
      size_t *internalDataInBytes, size_t *workspaceInBytes);                                      \
  __HEDDLE_SOLVER(P##csrqrsvBatched)(cusolverSpHandle_t handle, int m, int n, __HEDDLE_CSR(T),     \
                                     const T *b, T *x, int batchSize, csrqrInfo_t info,            \
                                     void *pBuffer);
__HEDDLE_SDCZ(X)
#undef X

// The corners of the box have complex coordinates in every type.
#define X(P, T, B)                                                                                 \
  __HEDDLE_SOLVER(P##csreigsHost)(cusolverSpHandle_t handle, int m, __HEDDLE_CSR(T),               \
                                  B left_bottom_corner, B right_upper_corner, int *num_eigs);
X(S, float, cuComplex)
X(D, double, cuDoubleComplex) X(C, cuComplex, cuComplex) X(Z, cuDoubleComplex, cuDoubleComplex)
#undef X

#undef __HEDDLE_SOLVER
#undef __HEDDLE_SDCZ
#undef __HEDDLE_PATTERN
#undef __HEDDLE_CSR

#ifdef __cplusplus
}
#endif

#endif
