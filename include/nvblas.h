/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NVBLAS: routines of BLAS's level 3 under BLAS's own names, by cuBLAS (CUDA documentation,
   "NVBLAS"). Programs that are linked with a BLAS need no header; this one is for those that name
   none. */
#ifndef NVBLAS_H_
#define NVBLAS_H_

#include "cuComplex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each as Fortran calls it, under both names that compilers of Fortran give it. */
#define __NVBLAS(name, parameters)                                                                 \
  void name##_ parameters;                                                                         \
  void name parameters;

#define __NVBLAS_GEMM(T)                                                                           \
  (const char *transa, const char *transb, const int *m, const int *n, const int *k,               \
   const T *alpha, const T *a, const int *lda, const T *b, const int *ldb, const T *beta, T *c,    \
   const int *ldc)
#define __NVBLAS_SYRK(T, R)                                                                        \
  (const char *uplo, const char *trans, const int *n, const int *k, const R *alpha, const T *a,    \
   const int *lda, const R *beta, T *c, const int *ldc)
#define __NVBLAS_SYR2K(T, R)                                                                       \
  (const char *uplo, const char *trans, const int *n, const int *k, const T *alpha, const T *a,    \
   const int *lda, const T *b, const int *ldb, const R *beta, T *c, const int *ldc)
#define __NVBLAS_SYMM(T)                                                                           \
  (const char *side, const char *uplo, const int *m, const int *n, const T *alpha, const T *a,     \
   const int *lda, const T *b, const int *ldb, const T *beta, T *c, const int *ldc)
#define __NVBLAS_TRSM(T)                                                                           \
  (const char *side, const char *uplo, const char *transa, const char *diag, const int *m,         \
   const int *n, const T *alpha, const T *a, const int *lda, T *b, const int *ldb)

#define __NVBLAS_ALL(p, T)                                                                         \
  __NVBLAS(p##gemm, __NVBLAS_GEMM(T))                                                              \
  __NVBLAS(p##syrk, __NVBLAS_SYRK(T, T))                                                           \
  __NVBLAS(p##syr2k, __NVBLAS_SYR2K(T, T))                                                         \
  __NVBLAS(p##symm, __NVBLAS_SYMM(T))                                                              \
  __NVBLAS(p##trsm, __NVBLAS_TRSM(T))                                                              \
  __NVBLAS(p##trmm, __NVBLAS_TRSM(T))
#define __NVBLAS_COMPLEX(p, T, R)                                                                  \
  __NVBLAS(p##herk, __NVBLAS_SYRK(T, R))                                                           \
  __NVBLAS(p##her2k, __NVBLAS_SYR2K(T, R))                                                         \
  __NVBLAS(p##hemm, __NVBLAS_SYMM(T))

__NVBLAS_ALL(s, float)
__NVBLAS_ALL(d, double)
__NVBLAS_ALL(c, cuComplex)
__NVBLAS_ALL(z, cuDoubleComplex)
__NVBLAS_COMPLEX(c, cuComplex, float)
__NVBLAS_COMPLEX(z, cuDoubleComplex, double)

#ifdef __cplusplus
}
#endif

#endif
