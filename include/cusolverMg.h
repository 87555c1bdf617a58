// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusolverMg.h: dense solvers on matrices whose blocks of columns lie on several devices.
#ifndef CUSOLVERMG_H_
#define CUSOLVERMG_H_

#include "cublas_v2.h"
#include "cusolver_common.h"

typedef struct cusolverMgContext *cusolverMgHandle_t;
typedef void *cudaLibMgGrid_t;
typedef void *cudaLibMgMatrixDesc_t;

typedef enum {
  CUDALIBMG_GRID_MAPPING_ROW_MAJOR = 1,
  CUDALIBMG_GRID_MAPPING_COL_MAJOR = 0
} cusolverMgGridMapping_t;

#ifdef __cplusplus
extern "C" {
#endif

#define __HEDDLE_SOLVER(name) cusolverStatus_t CUSOLVERAPI cusolverMg##name
// A part of a matrix, by its first row and column, from 1.
#define __HEDDLE_PART(A) void *array_d_##A[], int I##A, int J##A, cudaLibMgMatrixDesc_t descr##A
#define __HEDDLE_SIZE cudaDataType computeType, int64_t *lwork
#define __HEDDLE_WORK cudaDataType computeType, void *array_d_work[], int64_t lwork, int *info

__HEDDLE_SOLVER(Create)(cusolverMgHandle_t *handle);
__HEDDLE_SOLVER(Destroy)(cusolverMgHandle_t handle);
__HEDDLE_SOLVER(DeviceSelect)(cusolverMgHandle_t handle, int nbDevices, int deviceId[]);
__HEDDLE_SOLVER(CreateDeviceGrid)(cudaLibMgGrid_t *grid, int32_t numRowDevices,
                                  int32_t numColDevices, const int32_t deviceId[],
                                  cusolverMgGridMapping_t mapping);
__HEDDLE_SOLVER(DestroyGrid)(cudaLibMgGrid_t grid);
__HEDDLE_SOLVER(CreateMatrixDesc)(cudaLibMgMatrixDesc_t *desc, int64_t numRows, int64_t numCols,
                                  int64_t rowBlockSize, int64_t colBlockSize, cudaDataType dataType,
                                  const cudaLibMgGrid_t grid);
__HEDDLE_SOLVER(DestroyMatrixDesc)(cudaLibMgMatrixDesc_t desc);
__HEDDLE_SOLVER(Syevd_bufferSize)(cusolverMgHandle_t handle, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int N, __HEDDLE_PART(A), void *W,
                                  cudaDataType dataTypeW, __HEDDLE_SIZE);
__HEDDLE_SOLVER(Syevd)(cusolverMgHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                       int N, __HEDDLE_PART(A), void *W, cudaDataType dataTypeW, __HEDDLE_WORK);
__HEDDLE_SOLVER(Getrf_bufferSize)(cusolverMgHandle_t handle, int M, int N, __HEDDLE_PART(A),
                                  int *array_d_IPIV[], __HEDDLE_SIZE);
__HEDDLE_SOLVER(Getrf)(cusolverMgHandle_t handle, int M, int N, __HEDDLE_PART(A),
                       int *array_d_IPIV[], __HEDDLE_WORK);
__HEDDLE_SOLVER(Getrs_bufferSize)(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N,
                                  int NRHS, __HEDDLE_PART(A), int *array_d_IPIV[], __HEDDLE_PART(B),
                                  __HEDDLE_SIZE);
__HEDDLE_SOLVER(Getrs)(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N, int NRHS,
                       __HEDDLE_PART(A), int *array_d_IPIV[], __HEDDLE_PART(B), __HEDDLE_WORK);
__HEDDLE_SOLVER(Potrf_bufferSize)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                  __HEDDLE_PART(A), __HEDDLE_SIZE);
__HEDDLE_SOLVER(Potrf)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, __HEDDLE_PART(A),
                       __HEDDLE_WORK);
__HEDDLE_SOLVER(Potrs_bufferSize)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, int NRHS,
                                  __HEDDLE_PART(A), __HEDDLE_PART(B), __HEDDLE_SIZE);
__HEDDLE_SOLVER(Potrs)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, int NRHS,
                       __HEDDLE_PART(A), __HEDDLE_PART(B), __HEDDLE_WORK);
__HEDDLE_SOLVER(Potri_bufferSize)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                  __HEDDLE_PART(A), __HEDDLE_SIZE);
__HEDDLE_SOLVER(Potri)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, __HEDDLE_PART(A),
                       __HEDDLE_WORK);

#undef __HEDDLE_SOLVER
#undef __HEDDLE_PART
#undef __HEDDLE_SIZE
#undef __HEDDLE_WORK

#ifdef __cplusplus
}
#endif

#endif
