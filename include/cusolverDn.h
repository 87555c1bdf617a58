// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusolverDn.h: cuSOLVER's dense part, on column-major matrices.
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include <stdio.h>

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "driver_types.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
typedef struct cusolverDnParams *cusolverDnParams_t;

typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;

typedef void (*cusolverDnLoggerCallback_t)(int logLevel, const char *functionName,
                                           const char *message);

#ifdef __cplusplus
extern "C" {
#endif

#define __HEDDLE_SOLVER(name) cusolverStatus_t CUSOLVERAPI cusolverDn##name

__HEDDLE_SOLVER(Create)(cusolverDnHandle_t *handle);
__HEDDLE_SOLVER(Destroy)(cusolverDnHandle_t handle);
__HEDDLE_SOLVER(SetStream)(cusolverDnHandle_t handle, cudaStream_t stream);
__HEDDLE_SOLVER(GetStream)(cusolverDnHandle_t handle, cudaStream_t *stream);
__HEDDLE_SOLVER(SetDeterministicMode)(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode);
__HEDDLE_SOLVER(GetDeterministicMode)(cusolverDnHandle_t handle, cusolverDeterministicMode_t *mode);

__HEDDLE_SOLVER(LoggerSetCallback)(cusolverDnLoggerCallback_t callback);
__HEDDLE_SOLVER(LoggerSetFile)(FILE *file);
__HEDDLE_SOLVER(LoggerOpenFile)(const char *logFile);
__HEDDLE_SOLVER(LoggerSetLevel)(int level);
__HEDDLE_SOLVER(LoggerSetMask)(int mask);
__HEDDLE_SOLVER(LoggerForceDisable)(void);

#include "__cusolver/factor.h"
#include "__cusolver/refine.h"
#include "__cusolver/spectral.h"
#include "__cusolver/typeless.h"

#undef __HEDDLE_SOLVER

#ifdef __cplusplus
}
#endif

#endif
