// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusolverRf.h: refactorisation of sparse matrices whose pattern does not change, in double
// precision.
#ifndef CUSOLVERRF_H_
#define CUSOLVERRF_H_

#include "cusolver_common.h"
#include "driver_types.h"

typedef struct cusolverRfCommon *cusolverRfHandle_t;

typedef enum {
  CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0,
  CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1
} cusolverRfResetValuesFastMode_t;
typedef enum {
  CUSOLVERRF_MATRIX_FORMAT_CSR = 0,
  CUSOLVERRF_MATRIX_FORMAT_CSC = 1
} cusolverRfMatrixFormat_t;
typedef enum {
  CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
  CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
  CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
  CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} cusolverRfUnitDiagonal_t;
typedef enum {
  CUSOLVERRF_FACTORIZATION_ALG0 = 0,
  CUSOLVERRF_FACTORIZATION_ALG1 = 1,
  CUSOLVERRF_FACTORIZATION_ALG2 = 2
} cusolverRfFactorization_t;
typedef enum {
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} cusolverRfTriangularSolve_t;
typedef enum {
  CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0,
  CUSOLVERRF_NUMERIC_BOOST_USED = 1
} cusolverRfNumericBoostReport_t;

#ifdef __cplusplus
extern "C" {
#endif

#define __HEDDLE_SOLVER(name) cusolverStatus_t CUSOLVERAPI cusolverRf##name
#define __HEDDLE_CSR(P, A)                                                                         \
  int nnz##A, int *P##csrRowPtr##A, int *P##csrColInd##A, double *P##csrVal##A

__HEDDLE_SOLVER(Create)(cusolverRfHandle_t *handle);
__HEDDLE_SOLVER(Destroy)(cusolverRfHandle_t handle);
__HEDDLE_SOLVER(GetMatrixFormat)(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t *format,
                                 cusolverRfUnitDiagonal_t *diag);
__HEDDLE_SOLVER(SetMatrixFormat)(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t format,
                                 cusolverRfUnitDiagonal_t diag);
__HEDDLE_SOLVER(SetNumericProperties)(cusolverRfHandle_t handle, double zero, double boost);
__HEDDLE_SOLVER(GetNumericProperties)(cusolverRfHandle_t handle, double *zero, double *boost);
__HEDDLE_SOLVER(GetNumericBoostReport)(cusolverRfHandle_t handle,
                                       cusolverRfNumericBoostReport_t *report);
__HEDDLE_SOLVER(SetAlgs)(cusolverRfHandle_t handle, cusolverRfFactorization_t factAlg,
                         cusolverRfTriangularSolve_t solveAlg);
__HEDDLE_SOLVER(GetAlgs)(cusolverRfHandle_t handle, cusolverRfFactorization_t *factAlg,
                         cusolverRfTriangularSolve_t *solveAlg);
__HEDDLE_SOLVER(GetResetValuesFastMode)(cusolverRfHandle_t handle,
                                        cusolverRfResetValuesFastMode_t *fastMode);
__HEDDLE_SOLVER(SetResetValuesFastMode)(cusolverRfHandle_t handle,
                                        cusolverRfResetValuesFastMode_t fastMode);
__HEDDLE_SOLVER(SetupHost)(int n, __HEDDLE_CSR(h_, A), __HEDDLE_CSR(h_, L), __HEDDLE_CSR(h_, U),
                           int *h_P, int *h_Q, cusolverRfHandle_t handle);
__HEDDLE_SOLVER(SetupDevice)(int n, __HEDDLE_CSR(, A), __HEDDLE_CSR(, L), __HEDDLE_CSR(, U), int *P,
                             int *Q, cusolverRfHandle_t handle);
__HEDDLE_SOLVER(ResetValues)(int n, __HEDDLE_CSR(, A), int *P, int *Q, cusolverRfHandle_t handle);
__HEDDLE_SOLVER(Analyze)(cusolverRfHandle_t handle);
__HEDDLE_SOLVER(Refactor)(cusolverRfHandle_t handle);
__HEDDLE_SOLVER(AccessBundledFactorsDevice)(cusolverRfHandle_t handle, int *nnzM, int **Mp,
                                            int **Mi, double **Mx);
__HEDDLE_SOLVER(ExtractBundledFactorsHost)(cusolverRfHandle_t handle, int *h_nnzM, int **h_Mp,
                                           int **h_Mi, double **h_Mx);
__HEDDLE_SOLVER(ExtractSplitFactorsHost)(cusolverRfHandle_t handle, int *h_nnzL, int **h_csrRowPtrL,
                                         int **h_csrColIndL, double **h_csrValL, int *h_nnzU,
                                         int **h_csrRowPtrU, int **h_csrColIndU,
                                         double **h_csrValU);
__HEDDLE_SOLVER(Solve)(cusolverRfHandle_t handle, int *P, int *Q, int nrhs, double *Temp, int ldt,
                       double *XF, int ldxf);
__HEDDLE_SOLVER(BatchSetupHost)(int batchSize, int n, int nnzA, int *h_csrRowPtrA,
                                int *h_csrColIndA, double *h_csrValA_array[], __HEDDLE_CSR(h_, L),
                                __HEDDLE_CSR(h_, U), int *h_P, int *h_Q, cusolverRfHandle_t handle);
__HEDDLE_SOLVER(BatchResetValues)(int batchSize, int n, int nnzA, int *csrRowPtrA, int *csrColIndA,
                                  double *csrValA_array[], int *P, int *Q,
                                  cusolverRfHandle_t handle);
__HEDDLE_SOLVER(BatchAnalyze)(cusolverRfHandle_t handle);
__HEDDLE_SOLVER(BatchRefactor)(cusolverRfHandle_t handle);
__HEDDLE_SOLVER(BatchSolve)(cusolverRfHandle_t handle, int *P, int *Q, int nrhs, double *Temp,
                            int ldt, double *XF_array[], int ldxf);
__HEDDLE_SOLVER(BatchZeroPivot)(cusolverRfHandle_t handle, int *position);

#undef __HEDDLE_SOLVER
#undef __HEDDLE_CSR

#ifdef __cplusplus
}
#endif

#endif
