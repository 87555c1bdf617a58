// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The BLAS functions of cublas.h. As in level1.h, parameters are macros that the library uses, too;
// the tables are those of the functions with handles.
#ifndef __HEDDLE_CUBLAS_LEGACY_H__
#define __HEDDLE_CUBLAS_LEGACY_H__

#include "tables.h"

#define __HEDDLE_LEGACY_AXPY(T) (int n, T alpha, const T *x, int incx, T *y, int incy)
#define __HEDDLE_LEGACY_COPY(T) (int n, const T *x, int incx, T *y, int incy)
#define __HEDDLE_LEGACY_SWAP(T) (int n, T *x, int incx, T *y, int incy)
#define __HEDDLE_LEGACY_SCAL(T, S) (int n, S alpha, T *x, int incx)
#define __HEDDLE_LEGACY_NRM2(T) (int n, const T *x, int incx)
#define __HEDDLE_LEGACY_DOT(T) (int n, const T *x, int incx, const T *y, int incy)
#define __HEDDLE_LEGACY_ROT(T, C, S) (int n, T *x, int incx, T *y, int incy, C sc, S ss)
#define __HEDDLE_LEGACY_ROTM(T) (int n, T *x, int incx, T *y, int incy, const T *sparam)
#define __HEDDLE_LEGACY_ROTMG(T) (T * sd1, T * sd2, T * sx1, const T *sy1, T *sparam)
#define __HEDDLE_LEGACY_GEMV(T)                                                                    \
  (char trans, int m, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,     \
   int incy)
#define __HEDDLE_LEGACY_GBMV(T)                                                                    \
  (char trans, int m, int n, int kl, int ku, T alpha, const T *A, int lda, const T *x, int incx,   \
   T beta, T *y, int incy)
#define __HEDDLE_LEGACY_TRMV(T)                                                                    \
  (char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx)
#define __HEDDLE_LEGACY_TPMV(T)                                                                    \
  (char uplo, char trans, char diag, int n, const T *AP, T *x, int incx)
#define __HEDDLE_LEGACY_TBMV(T)                                                                    \
  (char uplo, char trans, char diag, int n, int k, const T *A, int lda, T *x, int incx)
#define __HEDDLE_LEGACY_SYMV(T)                                                                    \
  (char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y, int incy)
#define __HEDDLE_LEGACY_SBMV(T)                                                                    \
  (char uplo, int n, int k, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,      \
   int incy)
#define __HEDDLE_LEGACY_SPMV(T)                                                                    \
  (char uplo, int n, T alpha, const T *AP, const T *x, int incx, T beta, T *y, int incy)
#define __HEDDLE_LEGACY_GER(T)                                                                     \
  (int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda)
#define __HEDDLE_LEGACY_SYR(T, R) (char uplo, int n, R alpha, const T *x, int incx, T *A, int lda)
#define __HEDDLE_LEGACY_SPR(T, R) (char uplo, int n, R alpha, const T *x, int incx, T *AP)
#define __HEDDLE_LEGACY_SYR2(T)                                                                    \
  (char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda)
#define __HEDDLE_LEGACY_SPR2(T)                                                                    \
  (char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *AP)
#define __HEDDLE_LEGACY_GEMM(T)                                                                    \
  (char transa, char transb, int m, int n, int k, T alpha, const T *A, int lda, const T *B,        \
   int ldb, T beta, T *C, int ldc)
#define __HEDDLE_LEGACY_SYRK(T, R)                                                                 \
  (char uplo, char trans, int n, int k, R alpha, const T *A, int lda, R beta, T *C, int ldc)
#define __HEDDLE_LEGACY_SYR2K(T, R)                                                                \
  (char uplo, char trans, int n, int k, T alpha, const T *A, int lda, const T *B, int ldb, R beta, \
   T *C, int ldc)
#define __HEDDLE_LEGACY_SYMM(T)                                                                    \
  (char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb, T beta,  \
   T *C, int ldc)
#define __HEDDLE_LEGACY_TRSM(T)                                                                    \
  (char side, char uplo, char transa, char diag, int m, int n, T alpha, const T *A, int lda, T *B, \
   int ldb)

/* The table's functions that cublas.h has: symmetric complex ones it lacks are left out. */
#define __HEDDLE_LEGACY_SYMMETRIC(X)                                                               \
  X(S, symv, float)                                                                                \
  X(D, symv, double) X(C, hemv, cuComplex) X(Z, hemv, cuDoubleComplex)
#define __HEDDLE_LEGACY_RANK_1(X)                                                                  \
  X(S, syr, float, float)                                                                          \
  X(D, syr, double, double) X(C, her, cuComplex, float) X(Z, her, cuDoubleComplex, double)
#define __HEDDLE_LEGACY_RANK_2(X)                                                                  \
  X(S, syr2, float)                                                                                \
  X(D, syr2, double) X(C, her2, cuComplex) X(Z, her2, cuDoubleComplex)
#define __HEDDLE_LEGACY_RANK_K(X)                                                                  \
  X(Ssyrk, float, float)                                                                           \
  X(Dsyrk, double, double)                                                                         \
  X(Csyrk, cuComplex, cuComplex)                                                                   \
  X(Zsyrk, cuDoubleComplex, cuDoubleComplex)                                                       \
  X(Cherk, cuComplex, float) X(Zherk, cuDoubleComplex, double)
#define __HEDDLE_LEGACY_RANK_2K(X)                                                                 \
  X(Ssyr2k, float, float)                                                                          \
  X(Dsyr2k, double, double)                                                                        \
  X(Csyr2k, cuComplex, cuComplex)                                                                  \
  X(Zsyr2k, cuDoubleComplex, cuDoubleComplex)                                                      \
  X(Cher2k, cuComplex, float) X(Zher2k, cuDoubleComplex, double)

#define __HEDDLE_LEGACY_X(P, T, I, E)                                                              \
  void CUBLASWINAPI cublas##P##axpy __HEDDLE_LEGACY_AXPY(T);                                       \
  void CUBLASWINAPI cublas##P##copy __HEDDLE_LEGACY_COPY(T);                                       \
  void CUBLASWINAPI cublas##P##swap __HEDDLE_LEGACY_SWAP(T);                                       \
  void CUBLASWINAPI cublas##P##gemv __HEDDLE_LEGACY_GEMV(T);                                       \
  void CUBLASWINAPI cublas##P##gbmv __HEDDLE_LEGACY_GBMV(T);                                       \
  void CUBLASWINAPI cublas##P##gemm __HEDDLE_LEGACY_GEMM(T);                                       \
  void CUBLASWINAPI cublas##P##trsm __HEDDLE_LEGACY_TRSM(T);                                       \
  void CUBLASWINAPI cublas##P##trmm __HEDDLE_LEGACY_TRSM(T);
__HEDDLE_CUBLAS_SDCZ(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, T, I, E)                                                              \
  int CUBLASWINAPI cublas##P##amax __HEDDLE_LEGACY_NRM2(T);                                        \
  int CUBLASWINAPI cublas##P##amin __HEDDLE_LEGACY_NRM2(T);
__HEDDLE_CUBLAS_EXTREMES(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, T, R, I, E)                                                           \
  R CUBLASWINAPI cublas##P##nrm2 __HEDDLE_LEGACY_NRM2(T);                                          \
  R CUBLASWINAPI cublas##P##asum __HEDDLE_LEGACY_NRM2(T);
__HEDDLE_CUBLAS_NORMS(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(name, T, conjugated, I, E)                                               \
  T CUBLASWINAPI cublas##name __HEDDLE_LEGACY_DOT(T);
__HEDDLE_CUBLAS_DOTS(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, T, S, I, E)                                                           \
  void CUBLASWINAPI cublas##P##scal __HEDDLE_LEGACY_SCAL(T, S);
__HEDDLE_CUBLAS_SCALES(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, T, C, S, I, E)                                                        \
  void CUBLASWINAPI cublas##P##rot __HEDDLE_LEGACY_ROT(T, C, S);
__HEDDLE_CUBLAS_ROTATIONS(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, T, I, E)                                                              \
  void CUBLASWINAPI cublas##P##rotm __HEDDLE_LEGACY_ROTM(T);                                       \
  void CUBLASWINAPI cublas##P##rotmg __HEDDLE_LEGACY_ROTMG(T);
__HEDDLE_CUBLAS_SD(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
void CUBLASWINAPI cublasSrotg(float *sa, float *sb, float *sc, float *ss);
void CUBLASWINAPI cublasDrotg(double *sa, double *sb, double *sc, double *ss);
void CUBLASWINAPI cublasCrotg(cuComplex *ca, cuComplex cb, float *sc, cuComplex *cs);
void CUBLASWINAPI cublasZrotg(cuDoubleComplex *ca, cuDoubleComplex cb, double *sc,
                              cuDoubleComplex *cs);

#define __HEDDLE_LEGACY_X(P, name, T, I, E)                                                        \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_TRMV(T);
__HEDDLE_CUBLAS_FULL_TRIANGLES(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, I, E)                                                        \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_TPMV(T);
__HEDDLE_CUBLAS_PACKED_TRIANGLES(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, I, E)                                                        \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_TBMV(T);
__HEDDLE_CUBLAS_BANDED_TRIANGLES(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T) void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_SYMV(T);
__HEDDLE_LEGACY_SYMMETRIC(__HEDDLE_LEGACY_X)
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, I, E)                                                        \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_SBMV(T);
__HEDDLE_CUBLAS_BANDED_SYMMETRIC(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, I, E)                                                        \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_SPMV(T);
__HEDDLE_CUBLAS_PACKED_SYMMETRIC(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, I, E)                                                        \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_GER(T);
__HEDDLE_CUBLAS_OUTER(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, R)                                                           \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_SYR(T, R);
__HEDDLE_LEGACY_RANK_1(__HEDDLE_LEGACY_X)
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, R, I, E)                                                     \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_SPR(T, R);
__HEDDLE_CUBLAS_PACKED_RANK_1(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T) void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_SYR2(T);
__HEDDLE_LEGACY_RANK_2(__HEDDLE_LEGACY_X)
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, I, E)                                                        \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_SPR2(T);
__HEDDLE_CUBLAS_PACKED_RANK_2(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(name, T, R) void CUBLASWINAPI cublas##name __HEDDLE_LEGACY_SYRK(T, R);
__HEDDLE_LEGACY_RANK_K(__HEDDLE_LEGACY_X)
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(name, T, R) void CUBLASWINAPI cublas##name __HEDDLE_LEGACY_SYR2K(T, R);
__HEDDLE_LEGACY_RANK_2K(__HEDDLE_LEGACY_X)
#undef __HEDDLE_LEGACY_X
#define __HEDDLE_LEGACY_X(P, name, T, I, E)                                                        \
  void CUBLASWINAPI cublas##P##name __HEDDLE_LEGACY_SYMM(T);
__HEDDLE_CUBLAS_SYMM(__HEDDLE_LEGACY_X, int, )
#undef __HEDDLE_LEGACY_X

#endif
