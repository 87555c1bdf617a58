// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublas.h: cuBLAS's old interface, without handles: scalars by value, results as return values, a
// character for each choice, and the last error from cublasGetError. New programs include
// cublas_v2.h.
#ifndef CUBLAS_H_
#define CUBLAS_H_

#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h give the same names to different functions: include one of them"
#endif

#include "cublas_api.h"

#define cublasStatus cublasStatus_t

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus CUBLASWINAPI cublasInit(void);
cublasStatus CUBLASWINAPI cublasShutdown(void);
cublasStatus CUBLASWINAPI cublasGetError(void);
cublasStatus CUBLASWINAPI cublasGetVersion(int *version);
cublasStatus CUBLASWINAPI cublasAlloc(int n, int elemSize, void **devicePtr);
cublasStatus CUBLASWINAPI cublasFree(void *devicePtr);
cublasStatus CUBLASWINAPI cublasSetKernelStream(cudaStream_t stream);

#include "__cublas/legacy.h"

#ifdef __cplusplus
}
#endif

#endif
