// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings and results of the solvers with iterative refinement.
#include "common/handles.h"
#include "refine.h"

namespace heddle::cusolver {
namespace {

Status needParams(const char *function, cusolverDnIRSParams_t params) {
  return library::handles<cusolverDnIRSParams>().has(params)
             ? CUSOLVER_STATUS_SUCCESS
             : refuse(function, CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED,
                      "the parameters were not created, or destroyed");
}

Status needInfos(const char *function, cusolverDnIRSInfos_t infos) {
  return library::handles<cusolverDnIRSInfos>().has(infos)
             ? CUSOLVER_STATUS_SUCCESS
             : refuse(function, CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED,
                      "the result object was not created, or destroyed");
}

bool isMain(cusolverPrecType_t value) {
  return value == CUSOLVER_R_64F || value == CUSOLVER_R_32F || value == CUSOLVER_C_64F ||
         value == CUSOLVER_C_32F;
}
bool isPrecision(cusolverPrecType_t value) {
  return (value >= CUSOLVER_R_64F && value <= CUSOLVER_R_TF32) ||
         (value >= CUSOLVER_C_64F && value <= CUSOLVER_C_TF32);
}

template <typename T> Status result(const char *function, T *to, T value) {
  if (!to)
    return refuse(function, CUSOLVER_STATUS_INVALID_VALUE, "the pointer to the result is null");
  *to = value;
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle;
using namespace heddle::cusolver;

#define PARAMS cusolverDnIRSParams_t params
#define INFOS cusolverDnIRSInfos_t infos
#define DN(name) cusolverStatus_t cusolverDn##name

#define SET(name, Type, valid, wrong, action)                                                      \
  DN(IRSParams##name)(PARAMS, Type value) {                                                        \
    if (const Status status = needParams(__func__, params))                                        \
      return status;                                                                               \
    if (!(valid))                                                                                  \
      return refuse(__func__, wrong, "there is no such value");                                    \
    action;                                                                                        \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }
SET(SetRefinementSolver, cusolverIRSRefinement_t,
    value >= CUSOLVER_IRS_REFINE_NONE && value <= CUSOLVER_IRS_REFINE_GMRES_NOPCOND,
    CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE, params->refinement = value)
SET(SetSolverMainPrecision, cusolverPrecType_t, isMain(value),
    CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC, params->main = value)
SET(SetSolverLowestPrecision, cusolverPrecType_t, isPrecision(value),
    CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC, params->lowest = value)
SET(SetTol, double, value >= 0, CUSOLVER_STATUS_IRS_PARAMS_INVALID, params->tolerance = value)
SET(SetTolInner, double, value >= 0, CUSOLVER_STATUS_IRS_PARAMS_INVALID,
    params->inner_tolerance = value)
SET(SetMaxIters, cusolver_int_t, value >= 0, CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER,
    params->max_iterations = value)
SET(SetMaxItersInner, cusolver_int_t, value >= 0, CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER,
    params->max_inner_iterations = value)

DN(IRSParamsSetSolverPrecisions)(PARAMS, cusolverPrecType_t main, cusolverPrecType_t lowest) {
  const Status status = cusolverDnIRSParamsSetSolverMainPrecision(params, main);
  return status ? status : cusolverDnIRSParamsSetSolverLowestPrecision(params, lowest);
}

DN(IRSParamsCreate)(cusolverDnIRSParams_t *params) {
  if (!params)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "params is null");
  *params = library::handles<cusolverDnIRSParams>().add(new cusolverDnIRSParams);
  return CUSOLVER_STATUS_SUCCESS;
}

DN(IRSParamsDestroy)(PARAMS) {
  if (const Status status = needParams(__func__, params))
    return status;
  if (params->results != 0)
    return refuse(__func__, CUSOLVER_STATUS_IRS_INFOS_NOT_DESTROYED,
                  "a result object that was used with the parameters lives");
  library::handles<cusolverDnIRSParams>().remove(params);
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}

DN(IRSParamsGetMaxIters)(PARAMS, cusolver_int_t *iterations) {
  const Status status = needParams(__func__, params);
  return status ? status : result(__func__, iterations, params->max_iterations);
}

DN(IRSParamsEnableFallback)(PARAMS) {
  const Status status = needParams(__func__, params);
  if (!status)
    params->fallback = true;
  return status;
}

DN(IRSParamsDisableFallback)(PARAMS) {
  const Status status = needParams(__func__, params);
  if (!status)
    params->fallback = false;
  return status;
}

DN(IRSInfosCreate)(cusolverDnIRSInfos_t *infos) {
  if (!infos)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "infos is null");
  *infos = library::handles<cusolverDnIRSInfos>().add(new cusolverDnIRSInfos);
  return CUSOLVER_STATUS_SUCCESS;
}

DN(IRSInfosDestroy)(INFOS) {
  if (const Status status = needInfos(__func__, infos))
    return status;
  library::handles<cusolverDnIRSInfos>().remove(infos);
  if (infos->params)
    --infos->params->results;
  delete infos;
  return CUSOLVER_STATUS_SUCCESS;
}

#define GET(name, member)                                                                          \
  DN(IRSInfos##name)(INFOS, cusolver_int_t * to) {                                                 \
    const Status status = needInfos(__func__, infos);                                              \
    return status ? status : result(__func__, to, infos->member);                                  \
  }
GET(GetNiters, iterations)
GET(GetOuterNiters, outer_iterations)
GET(GetMaxIters, max_iterations)

DN(IRSInfosRequestResidual)(INFOS) {
  const Status status = needInfos(__func__, infos);
  if (!status)
    infos->residual_requested = true;
  return status;
}

DN(IRSInfosGetResidualHistory)(INFOS, void **history) {
  if (const Status status = needInfos(__func__, infos))
    return status;
  if (!infos->residual_requested)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE,
                  "IRSInfosRequestResidual was not called before the solver");
  return result(__func__, history, static_cast<void *>(infos->history.data()));
}
