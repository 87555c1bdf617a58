// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublas_v2.h: linear algebra (BLAS) on device memory, with handles.
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include "cublas_api.h"

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasScopy cublasScopy_v2
#define cublasSswap cublasSswap_v2
#define cublasSscal cublasSscal_v2
#define cublasSgemv cublasSgemv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasDswap cublasDswap_v2
#define cublasDscal cublasDscal_v2
#define cublasDgemv cublasDgemv_v2
#define cublasDgemm cublasDgemm_v2
#define cublasCaxpy cublasCaxpy_v2
#define cublasCcopy cublasCcopy_v2
#define cublasCswap cublasCswap_v2
#define cublasCscal cublasCscal_v2
#define cublasCgemv cublasCgemv_v2
#define cublasCgemm cublasCgemm_v2
#define cublasZaxpy cublasZaxpy_v2
#define cublasZcopy cublasZcopy_v2
#define cublasZswap cublasZswap_v2
#define cublasZscal cublasZscal_v2
#define cublasZgemv cublasZgemv_v2
#define cublasZgemm cublasZgemm_v2
#define cublasSdot cublasSdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDdot cublasDdot_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasDasum cublasDasum_v2
#define cublasSaxpy_64 cublasSaxpy_v2_64
#define cublasScopy_64 cublasScopy_v2_64
#define cublasSswap_64 cublasSswap_v2_64
#define cublasSscal_64 cublasSscal_v2_64
#define cublasSgemv_64 cublasSgemv_v2_64
#define cublasSgemm_64 cublasSgemm_v2_64
#define cublasDaxpy_64 cublasDaxpy_v2_64
#define cublasDcopy_64 cublasDcopy_v2_64
#define cublasDswap_64 cublasDswap_v2_64
#define cublasDscal_64 cublasDscal_v2_64
#define cublasDgemv_64 cublasDgemv_v2_64
#define cublasDgemm_64 cublasDgemm_v2_64
#define cublasCaxpy_64 cublasCaxpy_v2_64
#define cublasCcopy_64 cublasCcopy_v2_64
#define cublasCswap_64 cublasCswap_v2_64
#define cublasCscal_64 cublasCscal_v2_64
#define cublasCgemv_64 cublasCgemv_v2_64
#define cublasCgemm_64 cublasCgemm_v2_64
#define cublasZaxpy_64 cublasZaxpy_v2_64
#define cublasZcopy_64 cublasZcopy_v2_64
#define cublasZswap_64 cublasZswap_v2_64
#define cublasZscal_64 cublasZscal_v2_64
#define cublasZgemv_64 cublasZgemv_v2_64
#define cublasZgemm_64 cublasZgemm_v2_64
#define cublasSdot_64 cublasSdot_v2_64
#define cublasSnrm2_64 cublasSnrm2_v2_64
#define cublasSasum_64 cublasSasum_v2_64
#define cublasDdot_64 cublasDdot_v2_64
#define cublasDnrm2_64 cublasDnrm2_v2_64
#define cublasDasum_64 cublasDasum_v2_64

#endif
