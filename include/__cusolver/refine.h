// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solvers with iterative refinement (IRS): a factorisation in low precision, and a solution in high
// precision. No include guard: cusolverDn.h includes this file once, within extern "C".

__HEDDLE_SOLVER(IRSParamsCreate)(cusolverDnIRSParams_t *params);
__HEDDLE_SOLVER(IRSParamsDestroy)(cusolverDnIRSParams_t params);
__HEDDLE_SOLVER(IRSParamsSetRefinementSolver)(cusolverDnIRSParams_t params,
                                              cusolverIRSRefinement_t refinement_solver);
__HEDDLE_SOLVER(IRSParamsSetSolverMainPrecision)(cusolverDnIRSParams_t params,
                                                 cusolverPrecType_t solver_main_precision);
__HEDDLE_SOLVER(IRSParamsSetSolverLowestPrecision)(cusolverDnIRSParams_t params,
                                                   cusolverPrecType_t solver_lowest_precision);
__HEDDLE_SOLVER(IRSParamsSetSolverPrecisions)(cusolverDnIRSParams_t params,
                                              cusolverPrecType_t solver_main_precision,
                                              cusolverPrecType_t solver_lowest_precision);
__HEDDLE_SOLVER(IRSParamsSetTol)(cusolverDnIRSParams_t params, double val);
__HEDDLE_SOLVER(IRSParamsSetTolInner)(cusolverDnIRSParams_t params, double val);
__HEDDLE_SOLVER(IRSParamsSetMaxIters)(cusolverDnIRSParams_t params, cusolver_int_t maxiters);
__HEDDLE_SOLVER(IRSParamsSetMaxItersInner)(cusolverDnIRSParams_t params,
                                           cusolver_int_t maxiters_inner);
__HEDDLE_SOLVER(IRSParamsGetMaxIters)(cusolverDnIRSParams_t params, cusolver_int_t *maxiters);
__HEDDLE_SOLVER(IRSParamsEnableFallback)(cusolverDnIRSParams_t params);
__HEDDLE_SOLVER(IRSParamsDisableFallback)(cusolverDnIRSParams_t params);

__HEDDLE_SOLVER(IRSInfosCreate)(cusolverDnIRSInfos_t *infos);
__HEDDLE_SOLVER(IRSInfosDestroy)(cusolverDnIRSInfos_t infos);
__HEDDLE_SOLVER(IRSInfosGetNiters)(cusolverDnIRSInfos_t infos, cusolver_int_t *niters);
__HEDDLE_SOLVER(IRSInfosGetOuterNiters)(cusolverDnIRSInfos_t infos, cusolver_int_t *outer_niters);
__HEDDLE_SOLVER(IRSInfosGetMaxIters)(cusolverDnIRSInfos_t infos, cusolver_int_t *maxiters);
__HEDDLE_SOLVER(IRSInfosRequestResidual)(cusolverDnIRSInfos_t infos);
__HEDDLE_SOLVER(IRSInfosGetResidualHistory)(cusolverDnIRSInfos_t infos, void **residual_history);

__HEDDLE_SOLVER(IRSXgesv_bufferSize)(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                     cusolver_int_t n, cusolver_int_t nrhs, size_t *lwork_bytes);
__HEDDLE_SOLVER(IRSXgesv)(cusolverDnHandle_t handle, cusolverDnIRSParams_t gesv_irs_params,
                          cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t n,
                          cusolver_int_t nrhs, void *dA, cusolver_int_t ldda, void *dB,
                          cusolver_int_t lddb, void *dX, cusolver_int_t lddx, void *dWorkspace,
                          size_t lwork_bytes, cusolver_int_t *niters, cusolver_int_t *d_info);
__HEDDLE_SOLVER(IRSXgels_bufferSize)(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                     cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs,
                                     size_t *lwork_bytes);
__HEDDLE_SOLVER(IRSXgels)(cusolverDnHandle_t handle, cusolverDnIRSParams_t gels_irs_params,
                          cusolverDnIRSInfos_t gels_irs_infos, cusolver_int_t m, cusolver_int_t n,
                          cusolver_int_t nrhs, void *dA, cusolver_int_t ldda, void *dB,
                          cusolver_int_t lddb, void *dX, cusolver_int_t lddx, void *dWorkspace,
                          size_t lwork_bytes, cusolver_int_t *niters, cusolver_int_t *d_info);

// Pairs of main and lowest precision: K and H are half, E and B bfloat16, Y and X TF32.
#define X(P, T)                                                                                    \
  __HEDDLE_SOLVER(P##gesv_bufferSize)(cusolverDnHandle_t handle, cusolver_int_t n,                 \
                                      cusolver_int_t nrhs, T * dA, cusolver_int_t ldda,            \
                                      cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX, \
                                      cusolver_int_t lddx, void *dWorkspace, size_t *lwork_bytes); \
  __HEDDLE_SOLVER(P##gesv)(cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs,       \
                           T * dA, cusolver_int_t ldda, cusolver_int_t * dipiv, T * dB,            \
                           cusolver_int_t lddb, T * dX, cusolver_int_t lddx, void *dWorkspace,     \
                           size_t lwork_bytes, cusolver_int_t *iter, cusolver_int_t *d_info);      \
  __HEDDLE_SOLVER(P##gels_bufferSize)(cusolverDnHandle_t handle, cusolver_int_t m,                 \
                                      cusolver_int_t n, cusolver_int_t nrhs, T * dA,               \
                                      cusolver_int_t ldda, T * dB, cusolver_int_t lddb, T * dX,    \
                                      cusolver_int_t lddx, void *dWorkspace, size_t *lwork_bytes); \
  __HEDDLE_SOLVER(P##gels)(cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n,          \
                           cusolver_int_t nrhs, T * dA, cusolver_int_t ldda, T * dB,               \
                           cusolver_int_t lddb, T * dX, cusolver_int_t lddx, void *dWorkspace,     \
                           size_t lwork_bytes, cusolver_int_t *iter, cusolver_int_t *d_info);
X(ZZ, cuDoubleComplex)
X(ZC, cuDoubleComplex)
X(ZK, cuDoubleComplex)
X(ZE, cuDoubleComplex)
X(ZY, cuDoubleComplex)
X(CC, cuComplex)
X(CK, cuComplex)
X(CE, cuComplex)
X(CY, cuComplex)
X(DD, double)
X(DS, double)
X(DH, double)
X(DB, double)
X(DX, double)
X(SS, float)
X(SH, float)
X(SB, float)
X(SX, float)
#undef X
