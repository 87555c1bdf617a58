// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The BLAS functions as tables: which names exist for which types, for int sizes and, as NAME_64,
// for int64_t sizes. level1.h, level2.h and level3.h make declarations of them. A table calls X
// once for each function, with the name, the types, and last the type of sizes I and the name's
// ending E.
#ifndef __HEDDLE_CUBLAS_TABLES_H__
#define __HEDDLE_CUBLAS_TABLES_H__

#define __HEDDLE_CUBLAS_BOTH(TABLE, X) TABLE(X, int, ) TABLE(X, int64_t, _64)

/* X(type letter, T, I, E) */
#define __HEDDLE_CUBLAS_SDCZ(X, I, E)                                                              \
  X(S, float, I, E)                                                                                \
  X(D, double, I, E)                                                                               \
  X(C, cuComplex, I, E)                                                                            \
  X(Z, cuDoubleComplex, I, E)

/* X(letters, type of the vector, type of the result, I, E): nrm2, asum */
#define __HEDDLE_CUBLAS_NORMS(X, I, E)                                                             \
  X(S, float, float, I, E)                                                                         \
  X(D, double, double, I, E)                                                                       \
  X(Sc, cuComplex, float, I, E)                                                                    \
  X(Dz, cuDoubleComplex, double, I, E)

/* X(letters, T, I, E): amax, amin */
#define __HEDDLE_CUBLAS_EXTREMES(X, I, E)                                                          \
  X(Is, float, I, E)                                                                               \
  X(Id, double, I, E)                                                                              \
  X(Ic, cuComplex, I, E)                                                                           \
  X(Iz, cuDoubleComplex, I, E)

/* X(name, T, conjugated, I, E) */
#define __HEDDLE_CUBLAS_DOTS(X, I, E)                                                              \
  X(Sdot, float, 0, I, E)                                                                          \
  X(Ddot, double, 0, I, E)                                                                         \
  X(Cdotu, cuComplex, 0, I, E)                                                                     \
  X(Cdotc, cuComplex, 1, I, E)                                                                     \
  X(Zdotu, cuDoubleComplex, 0, I, E)                                                               \
  X(Zdotc, cuDoubleComplex, 1, I, E)

/* X(letters, T, type of the factor, I, E) */
#define __HEDDLE_CUBLAS_SCALES(X, I, E)                                                            \
  X(S, float, float, I, E)                                                                         \
  X(D, double, double, I, E)                                                                       \
  X(C, cuComplex, cuComplex, I, E)                                                                 \
  X(Cs, cuComplex, float, I, E)                                                                    \
  X(Z, cuDoubleComplex, cuDoubleComplex, I, E)                                                     \
  X(Zd, cuDoubleComplex, double, I, E)

/* X(letters, T, type of the cosine, type of the sine, I, E) */
#define __HEDDLE_CUBLAS_ROTATIONS(X, I, E)                                                         \
  X(S, float, float, float, I, E)                                                                  \
  X(D, double, double, double, I, E)                                                               \
  X(C, cuComplex, float, cuComplex, I, E)                                                          \
  X(Cs, cuComplex, float, float, I, E)                                                             \
  X(Z, cuDoubleComplex, double, cuDoubleComplex, I, E)                                             \
  X(Zd, cuDoubleComplex, double, double, I, E)

/* X(type letter, T, I, E) */
#define __HEDDLE_CUBLAS_SD(X, I, E) X(S, float, I, E) X(D, double, I, E)

/* X(type letter, function, T, I, E): products and solutions of one kind of triangular matrix */
#define __HEDDLE_CUBLAS_FULL_TRIANGLES(X, I, E)                                                    \
  X(S, trmv, float, I, E)                                                                          \
  X(D, trmv, double, I, E)                                                                         \
  X(C, trmv, cuComplex, I, E)                                                                      \
  X(Z, trmv, cuDoubleComplex, I, E)                                                                \
  X(S, trsv, float, I, E)                                                                          \
  X(D, trsv, double, I, E)                                                                         \
  X(C, trsv, cuComplex, I, E)                                                                      \
  X(Z, trsv, cuDoubleComplex, I, E)
#define __HEDDLE_CUBLAS_PACKED_TRIANGLES(X, I, E)                                                  \
  X(S, tpmv, float, I, E)                                                                          \
  X(D, tpmv, double, I, E)                                                                         \
  X(C, tpmv, cuComplex, I, E)                                                                      \
  X(Z, tpmv, cuDoubleComplex, I, E)                                                                \
  X(S, tpsv, float, I, E)                                                                          \
  X(D, tpsv, double, I, E)                                                                         \
  X(C, tpsv, cuComplex, I, E)                                                                      \
  X(Z, tpsv, cuDoubleComplex, I, E)
#define __HEDDLE_CUBLAS_BANDED_TRIANGLES(X, I, E)                                                  \
  X(S, tbmv, float, I, E)                                                                          \
  X(D, tbmv, double, I, E)                                                                         \
  X(C, tbmv, cuComplex, I, E)                                                                      \
  X(Z, tbmv, cuDoubleComplex, I, E)                                                                \
  X(S, tbsv, float, I, E)                                                                          \
  X(D, tbsv, double, I, E)                                                                         \
  X(C, tbsv, cuComplex, I, E)                                                                      \
  X(Z, tbsv, cuDoubleComplex, I, E)

/* X(type letter, function, T, I, E): symmetric and Hermitian matrices times vectors */
#define __HEDDLE_CUBLAS_SYMMETRIC(X, I, E)                                                         \
  X(S, symv, float, I, E)                                                                          \
  X(D, symv, double, I, E)                                                                         \
  X(C, symv, cuComplex, I, E)                                                                      \
  X(Z, symv, cuDoubleComplex, I, E)                                                                \
  X(C, hemv, cuComplex, I, E)                                                                      \
  X(Z, hemv, cuDoubleComplex, I, E)
#define __HEDDLE_CUBLAS_BANDED_SYMMETRIC(X, I, E)                                                  \
  X(S, sbmv, float, I, E)                                                                          \
  X(D, sbmv, double, I, E)                                                                         \
  X(C, hbmv, cuComplex, I, E)                                                                      \
  X(Z, hbmv, cuDoubleComplex, I, E)
#define __HEDDLE_CUBLAS_PACKED_SYMMETRIC(X, I, E)                                                  \
  X(S, spmv, float, I, E)                                                                          \
  X(D, spmv, double, I, E)                                                                         \
  X(C, hpmv, cuComplex, I, E)                                                                      \
  X(Z, hpmv, cuDoubleComplex, I, E)

/* X(type letter, function, T, I, E): outer products of two vectors */
#define __HEDDLE_CUBLAS_OUTER(X, I, E)                                                             \
  X(S, ger, float, I, E)                                                                           \
  X(D, ger, double, I, E)                                                                          \
  X(C, geru, cuComplex, I, E)                                                                      \
  X(C, gerc, cuComplex, I, E)                                                                      \
  X(Z, geru, cuDoubleComplex, I, E)                                                                \
  X(Z, gerc, cuDoubleComplex, I, E)

/* X(type letter, function, T, type of alpha, I, E): a symmetric matrix and one vector's product */
#define __HEDDLE_CUBLAS_RANK_1(X, I, E)                                                            \
  X(S, syr, float, float, I, E)                                                                    \
  X(D, syr, double, double, I, E)                                                                  \
  X(C, syr, cuComplex, cuComplex, I, E)                                                            \
  X(Z, syr, cuDoubleComplex, cuDoubleComplex, I, E)                                                \
  X(C, her, cuComplex, float, I, E)                                                                \
  X(Z, her, cuDoubleComplex, double, I, E)
#define __HEDDLE_CUBLAS_PACKED_RANK_1(X, I, E)                                                     \
  X(S, spr, float, float, I, E)                                                                    \
  X(D, spr, double, double, I, E)                                                                  \
  X(C, hpr, cuComplex, float, I, E)                                                                \
  X(Z, hpr, cuDoubleComplex, double, I, E)

/* X(type letter, function, T, I, E): a symmetric matrix and two vectors' products */
#define __HEDDLE_CUBLAS_RANK_2(X, I, E)                                                            \
  X(S, syr2, float, I, E)                                                                          \
  X(D, syr2, double, I, E)                                                                         \
  X(C, syr2, cuComplex, I, E)                                                                      \
  X(Z, syr2, cuDoubleComplex, I, E)                                                                \
  X(C, her2, cuComplex, I, E)                                                                      \
  X(Z, her2, cuDoubleComplex, I, E)
#define __HEDDLE_CUBLAS_PACKED_RANK_2(X, I, E)                                                     \
  X(S, spr2, float, I, E)                                                                          \
  X(D, spr2, double, I, E)                                                                         \
  X(C, hpr2, cuComplex, I, E)                                                                      \
  X(Z, hpr2, cuDoubleComplex, I, E)

/* X(letters, T, type of the vectors x, y, type of the scalars, I, E): gemvBatched and
   gemvStridedBatched beyond S, D, C, Z: half (H) or bfloat16 (T) in, the same or float (S) out. */
#ifdef __cplusplus // C has no type for them
#define __HEDDLE_CUBLAS_HALF_GEMV(X, I, E)                                                         \
  X(HSH, __half, __half, float, I, E)                                                              \
  X(HSS, __half, float, float, I, E)                                                               \
  X(TST, __nv_bfloat16, __nv_bfloat16, float, I, E)                                                \
  X(TSS, __nv_bfloat16, float, float, I, E)
#define __HEDDLE_CUBLAS_HALF_GEMM(name, X, I, E) X(name, __half, I, E)
#else
#define __HEDDLE_CUBLAS_HALF_GEMV(X, I, E)
#define __HEDDLE_CUBLAS_HALF_GEMM(name, X, I, E)
#endif
#define __HEDDLE_CUBLAS_GEMV_BATCHES(X, I, E)                                                      \
  X(S, float, float, float, I, E)                                                                  \
  X(D, double, double, double, I, E)                                                               \
  X(C, cuComplex, cuComplex, cuComplex, I, E)                                                      \
  X(Z, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, I, E)                                    \
  __HEDDLE_CUBLAS_HALF_GEMV(X, I, E)

/* X(name, T, I, E): general matrix products */
#define __HEDDLE_CUBLAS_GEMM(X, I, E)                                                              \
  X(Sgemm_v2, float, I, E)                                                                         \
  X(Dgemm_v2, double, I, E)                                                                        \
  X(Cgemm_v2, cuComplex, I, E)                                                                     \
  X(Zgemm_v2, cuDoubleComplex, I, E)                                                               \
  X(Cgemm3m, cuComplex, I, E)                                                                      \
  X(Zgemm3m, cuDoubleComplex, I, E)                                                                \
  __HEDDLE_CUBLAS_HALF_GEMM(Hgemm, X, I, E)
/* X(name without Batched or StridedBatched, T, I, E) */
#define __HEDDLE_CUBLAS_GEMM_BATCHES(X, I, E)                                                      \
  __HEDDLE_CUBLAS_HALF_GEMM(Hgemm, X, I, E)                                                        \
  X(Sgemm, float, I, E)                                                                            \
  X(Dgemm, double, I, E)                                                                           \
  X(Cgemm, cuComplex, I, E)                                                                        \
  X(Cgemm3m, cuComplex, I, E)                                                                      \
  X(Zgemm, cuDoubleComplex, I, E)

/* X(name, T, type of the scalars, hermitian, I, E): alpha op(A) op(A)^T + beta C */
#define __HEDDLE_CUBLAS_RANK_K(X, I, E)                                                            \
  X(Ssyrk_v2, float, float, 0, I, E)                                                               \
  X(Dsyrk_v2, double, double, 0, I, E)                                                             \
  X(Csyrk_v2, cuComplex, cuComplex, 0, I, E)                                                       \
  X(Zsyrk_v2, cuDoubleComplex, cuDoubleComplex, 0, I, E)                                           \
  X(Cherk_v2, cuComplex, float, 1, I, E)                                                           \
  X(Zherk_v2, cuDoubleComplex, double, 1, I, E)

/* X(name, T, type of beta, kind, I, E): the products of two matrices in a symmetric or Hermitian
   result. Kind 0 syr2k, 1 her2k, 2 syrkx, 3 herkx. */
#define __HEDDLE_CUBLAS_RANK_2K(X, I, E)                                                           \
  X(Ssyr2k_v2, float, float, 0, I, E)                                                              \
  X(Dsyr2k_v2, double, double, 0, I, E)                                                            \
  X(Csyr2k_v2, cuComplex, cuComplex, 0, I, E)                                                      \
  X(Zsyr2k_v2, cuDoubleComplex, cuDoubleComplex, 0, I, E)                                          \
  X(Cher2k_v2, cuComplex, float, 1, I, E)                                                          \
  X(Zher2k_v2, cuDoubleComplex, double, 1, I, E)                                                   \
  X(Ssyrkx, float, float, 2, I, E)                                                                 \
  X(Dsyrkx, double, double, 2, I, E)                                                               \
  X(Csyrkx, cuComplex, cuComplex, 2, I, E)                                                         \
  X(Zsyrkx, cuDoubleComplex, cuDoubleComplex, 2, I, E)                                             \
  X(Cherkx, cuComplex, float, 3, I, E)                                                             \
  X(Zherkx, cuDoubleComplex, double, 3, I, E)

/* X(type letter, function, T, I, E): symmetric and Hermitian matrices times matrices */
#define __HEDDLE_CUBLAS_SYMM(X, I, E)                                                              \
  X(S, symm, float, I, E)                                                                          \
  X(D, symm, double, I, E)                                                                         \
  X(C, symm, cuComplex, I, E)                                                                      \
  X(Z, symm, cuDoubleComplex, I, E)                                                                \
  X(C, hemm, cuComplex, I, E)                                                                      \
  X(Z, hemm, cuDoubleComplex, I, E)

#endif
