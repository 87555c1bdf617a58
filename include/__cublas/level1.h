// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, level 1: functions of vectors. The lists of parameters are macros, which the library's
// definitions use too. Included by cublas_api.h.
#ifndef __HEDDLE_CUBLAS_LEVEL1_H__
#define __HEDDLE_CUBLAS_LEVEL1_H__

#include "tables.h"

#define __HEDDLE_CUBLAS_AXPY(T, I)                                                                 \
  (cublasHandle_t handle, I n, const T *alpha, const T *x, I incx, T *y, I incy)
#define __HEDDLE_CUBLAS_COPY(T, I) (cublasHandle_t handle, I n, const T *x, I incx, T *y, I incy)
#define __HEDDLE_CUBLAS_SWAP(T, I) (cublasHandle_t handle, I n, T * x, I incx, T * y, I incy)
#define __HEDDLE_CUBLAS_SCAL(T, S, I) (cublasHandle_t handle, I n, const S *alpha, T *x, I incx)
#define __HEDDLE_CUBLAS_NRM2(T, R, I) (cublasHandle_t handle, I n, const T *x, I incx, R *result)
#define __HEDDLE_CUBLAS_DOT(T, I)                                                                  \
  (cublasHandle_t handle, I n, const T *x, I incx, const T *y, I incy, T *result)
#define __HEDDLE_CUBLAS_ROT(T, C, S, I)                                                            \
  (cublasHandle_t handle, I n, T * x, I incx, T * y, I incy, const C *c, const S *s)
#define __HEDDLE_CUBLAS_ROTM(T, I)                                                                 \
  (cublasHandle_t handle, I n, T * x, I incx, T * y, I incy, const T *param)
#define __HEDDLE_CUBLAS_ROTG(T, C) (cublasHandle_t handle, T * a, T * b, C * c, T * s)
#define __HEDDLE_CUBLAS_ROTMG(T)                                                                   \
  (cublasHandle_t handle, T * d1, T * d2, T * x1, const T *y1, T *param)

#define __HEDDLE_CUBLAS_DECLARE(name) cublasStatus_t CUBLASWINAPI name

/* Declares each function of a table, once for int sizes and once for int64_t. */
#define __HEDDLE_CUBLAS_X(P, T, I, E)                                                              \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##axpy_v2##E) __HEDDLE_CUBLAS_AXPY(T, I);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##copy_v2##E) __HEDDLE_CUBLAS_COPY(T, I);                       \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##swap_v2##E) __HEDDLE_CUBLAS_SWAP(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SDCZ, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, T, I, E)                                                              \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##amax_v2##E) __HEDDLE_CUBLAS_NRM2(T, I, I);                    \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##amin_v2##E) __HEDDLE_CUBLAS_NRM2(T, I, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_EXTREMES, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, T, R, I, E)                                                           \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##nrm2_v2##E) __HEDDLE_CUBLAS_NRM2(T, R, I);                    \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##asum_v2##E) __HEDDLE_CUBLAS_NRM2(T, R, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_NORMS, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(name, T, conjugated, I, E)                                               \
  __HEDDLE_CUBLAS_DECLARE(cublas##name##_v2##E) __HEDDLE_CUBLAS_DOT(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_DOTS, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, T, S, I, E)                                                           \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##scal_v2##E) __HEDDLE_CUBLAS_SCAL(T, S, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SCALES, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, T, C, S, I, E)                                                        \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##rot_v2##E) __HEDDLE_CUBLAS_ROT(T, C, S, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_ROTATIONS, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

#define __HEDDLE_CUBLAS_X(P, T, I, E)                                                              \
  __HEDDLE_CUBLAS_DECLARE(cublas##P##rotm_v2##E) __HEDDLE_CUBLAS_ROTM(T, I);
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SD, __HEDDLE_CUBLAS_X)
#undef __HEDDLE_CUBLAS_X

__HEDDLE_CUBLAS_DECLARE(cublasSrotg_v2) __HEDDLE_CUBLAS_ROTG(float, float);
__HEDDLE_CUBLAS_DECLARE(cublasDrotg_v2) __HEDDLE_CUBLAS_ROTG(double, double);
__HEDDLE_CUBLAS_DECLARE(cublasCrotg_v2) __HEDDLE_CUBLAS_ROTG(cuComplex, float);
__HEDDLE_CUBLAS_DECLARE(cublasZrotg_v2) __HEDDLE_CUBLAS_ROTG(cuDoubleComplex, double);
__HEDDLE_CUBLAS_DECLARE(cublasSrotmg_v2) __HEDDLE_CUBLAS_ROTMG(float);
__HEDDLE_CUBLAS_DECLARE(cublasDrotmg_v2) __HEDDLE_CUBLAS_ROTMG(double);

/* Functions whose element types are arguments. */
#define __HEDDLE_CUBLAS_NRM2_EX(I)                                                                 \
  (cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, void *result,            \
   cudaDataType resultType, cudaDataType executionType)
#define __HEDDLE_CUBLAS_DOT_EX(I)                                                                  \
  (cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, const void *y,           \
   cudaDataType yType, I incy, void *result, cudaDataType resultType, cudaDataType executionType)
#define __HEDDLE_CUBLAS_SCAL_EX(I)                                                                 \
  (cublasHandle_t handle, I n, const void *alpha, cudaDataType alphaType, void *x,                 \
   cudaDataType xType, I incx, cudaDataType executionType)
#define __HEDDLE_CUBLAS_AXPY_EX(I)                                                                 \
  (cublasHandle_t handle, I n, const void *alpha, cudaDataType alphaType, const void *x,           \
   cudaDataType xType, I incx, void *y, cudaDataType yType, I incy, cudaDataType executiontype)
#define __HEDDLE_CUBLAS_COPY_EX(I)                                                                 \
  (cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, void *y,                 \
   cudaDataType yType, I incy)
#define __HEDDLE_CUBLAS_SWAP_EX(I)                                                                 \
  (cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx, void *y, cudaDataType yType,   \
   I incy)
#define __HEDDLE_CUBLAS_EXTREME_EX(I)                                                              \
  (cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, I *result)
#define __HEDDLE_CUBLAS_ROT_EX(I)                                                                  \
  (cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx, void *y, cudaDataType yType,   \
   I incy, const void *c, const void *s, cudaDataType csType, cudaDataType executiontype)
#define __HEDDLE_CUBLAS_ROTM_EX(I)                                                                 \
  (cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx, void *y, cudaDataType yType,   \
   I incy, const void *param, cudaDataType paramType, cudaDataType executiontype)

#define __HEDDLE_CUBLAS_X(I, E)                                                                    \
  __HEDDLE_CUBLAS_DECLARE(cublasNrm2Ex##E) __HEDDLE_CUBLAS_NRM2_EX(I);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasAsumEx##E) __HEDDLE_CUBLAS_NRM2_EX(I);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasDotEx##E) __HEDDLE_CUBLAS_DOT_EX(I);                               \
  __HEDDLE_CUBLAS_DECLARE(cublasDotcEx##E) __HEDDLE_CUBLAS_DOT_EX(I);                              \
  __HEDDLE_CUBLAS_DECLARE(cublasScalEx##E) __HEDDLE_CUBLAS_SCAL_EX(I);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasAxpyEx##E) __HEDDLE_CUBLAS_AXPY_EX(I);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasCopyEx##E) __HEDDLE_CUBLAS_COPY_EX(I);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasSwapEx##E) __HEDDLE_CUBLAS_SWAP_EX(I);                             \
  __HEDDLE_CUBLAS_DECLARE(cublasIamaxEx##E) __HEDDLE_CUBLAS_EXTREME_EX(I);                         \
  __HEDDLE_CUBLAS_DECLARE(cublasIaminEx##E) __HEDDLE_CUBLAS_EXTREME_EX(I);                         \
  __HEDDLE_CUBLAS_DECLARE(cublasRotEx##E) __HEDDLE_CUBLAS_ROT_EX(I);                               \
  __HEDDLE_CUBLAS_DECLARE(cublasRotmEx##E) __HEDDLE_CUBLAS_ROTM_EX(I);
__HEDDLE_CUBLAS_X(int, )
__HEDDLE_CUBLAS_X(int64_t, _64)
#undef __HEDDLE_CUBLAS_X

cublasStatus_t CUBLASWINAPI cublasRotgEx(cublasHandle_t handle, void *a, void *b,
                                         cudaDataType abType, void *c, void *s, cudaDataType csType,
                                         cudaDataType executiontype);
cublasStatus_t CUBLASWINAPI cublasRotmgEx(cublasHandle_t handle, void *d1, cudaDataType d1Type,
                                          void *d2, cudaDataType d2Type, void *x1,
                                          cudaDataType x1Type, const void *y1, cudaDataType y1Type,
                                          void *param, cudaDataType paramType,
                                          cudaDataType executiontype);

#endif
