// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky, LU, LDL and QR of the typed API.
#include "factor.h"

namespace heddle::cusolver {
namespace {

Status squareSize(Check c, cublasFillMode_t uplo, int n, int lda, int *lwork) {
  return c.uplo(uplo).size(n).leading(lda, n).answer(lwork, area(n));
}

Status rectangleSize(Check c, int m, int n, int lda, int *lwork) {
  return c.size(m).size(n).leading(lda, m).answer(lwork, area(n));
}

template <typename T>
Status potrfBatched(Check c, cublasFillMode_t uplo, int n, T **A, int lda, int *infos, int batch) {
  c.uplo(uplo).size(n).size(batch, "batchSize is negative").leading(lda, n);
  c.array(A, batch, "the array of matrices is null").array(infos, batch, NullInfo);
  return c.run(nullptr, [=] {
    for (int i = 0; i < batch; ++i)
      infos[i] = lapack(Lapack<T>::potrf, letter(uplo), n, A[i], lda);
    return 0;
  });
}

template <typename T>
Status potrsBatched(Check c, cublasFillMode_t uplo, int n, int nrhs, T **A, int lda, T **B, int ldb,
                    int *info, int batch) {
  c.uplo(uplo).size(n).size(nrhs).size(batch, "batchSize is negative");
  c.leading(lda, n).leading(ldb, n).pointer(info, NullInfo);
  c.array(A, batch, "the array of matrices is null").array(B, batch, "the array B is null");
  // cuSOLVER, "potrsBatched": one right side a matrix.
  c.that(nrhs == 1, "potrsBatched takes one right-hand side (nrhs = 1)");
  return c.run(info, [=] {
    for (int i = 0; i < batch; ++i)
      lapack(Lapack<T>::potrs, letter(uplo), n, nrhs, A[i], lda, B[i], ldb);
    return 0;
  });
}

/// potri and lauum: functions of a triangle in its place.
template <typename T>
Status triangle(Check c, Routine routine, cublasFillMode_t uplo, int n, T *A, int lda, int lwork,
                int *info) {
  c.uplo(uplo).size(n).matrix(A, n, n, lda).work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] { return lapack(routine, letter(uplo), n, A, lda); });
}

template <typename T>
Status laswp(Check c, int n, T *A, int lda, int k1, int k2, const int *ipiv, int incx) {
  c.size(n).leading(lda, 1).that(k1 >= 1 && k2 >= k1, "k1 or k2 is out of range");
  c.that(incx != 0, "incx is zero").array(A, n, "A is null").pointer(ipiv, "devIpiv is null");
  return c.run(nullptr, [=] {
    blas(Lapack<T>::laswp, n, A, lda, k1, k2, ipiv, incx);
    return 0;
  });
}

/// LDL' without pivots, whose D has no blocks. Returns the first zero of D, from 1.
template <typename T> int ldlWithoutPivots(bool upper, int64_t n, T *A, int64_t lda) {
  int info = 0;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t k = upper ? n - 1 - step : step;
    const int64_t from = upper ? 0 : k + 1, to = upper ? k : n;
    const T pivot = A[k + k * lda];
    T *const column = A + k * lda;
    if (pivot == T(0)) {
      info = info ? info : int(k) + 1;
      continue;
    }
    for (int64_t j = from; j < to; ++j) {
      const T factor = column[j] / pivot;
      for (int64_t i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i)
        A[i + j * lda] -= column[i] * factor;
    }
    for (int64_t i = from; i < to; ++i)
      column[i] /= pivot;
  }
  return info;
}

template <typename T>
Status sytrf(Check c, cublasFillMode_t uplo, int n, T *A, int lda, int *ipiv, int lwork,
             int *info) {
  c.uplo(uplo).size(n).matrix(A, n, n, lda).work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] {
    if (!ipiv)
      return ldlWithoutPivots(uplo == CUBLAS_FILL_MODE_UPPER, n, A, lda);
    return withWork<T>([=](T *work, int count) {
      return lapack(Lapack<T>::sytrf, letter(uplo), n, A, lda, ipiv, work, count);
    });
  });
}

template <typename T>
Status sytri(Check c, cublasFillMode_t uplo, int n, T *A, int lda, const int *ipiv, int lwork,
             int *info) {
  c.uplo(uplo).size(n).matrix(A, n, n, lda).work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] {
    const auto pivots = ipiv ? std::vector<int>(ipiv, ipiv + n) : identity(n);
    std::vector<T> work(n);
    return lapack(Lapack<T>::sytri, letter(uplo), n, A, lda, pivots.data(), work.data());
  });
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define CALL Check(__func__, h)
#define UPLO cublasFillMode_t uplo
#define DN(name) cusolverStatus_t cusolverDn##name
#define H cusolverDnHandle_t h

#define EACH(P, T)                                                                                 \
  DN(P##potrf_bufferSize)(H, UPLO, int n, T *, int lda, int *lwork) {                              \
    return squareSize(CALL, uplo, n, lda, lwork);                                                  \
  }                                                                                                \
  DN(P##potrf)(H, UPLO, int n, T *A, int lda, T *, int lwork, int *info) {                         \
    return potrf(CALL.work(lwork, area(n)), uplo, n, num(A), lda, info);                           \
  }                                                                                                \
  DN(P##potrs)(H, UPLO, int n, int nrhs, const T *A, int lda, T *B, int ldb, int *info) {          \
    return potrs(CALL, uplo, n, nrhs, num(A), lda, num(B), ldb, info);                             \
  }                                                                                                \
  DN(P##potrfBatched)(H, UPLO, int n, T *A[], int lda, int *infos, int batch) {                    \
    return potrfBatched(CALL, uplo, n, num(A), lda, infos, batch);                                 \
  }                                                                                                \
  DN(P##potrsBatched)(H, UPLO, int n, int nrhs, T *A[], int lda, T *B[], int ldb, int *info,       \
                      int batch) {                                                                 \
    return potrsBatched(CALL, uplo, n, nrhs, num(A), lda, num(B), ldb, info, batch);               \
  }                                                                                                \
  DN(P##potri_bufferSize)(H, UPLO, int n, T *, int lda, int *lwork) {                              \
    return squareSize(CALL, uplo, n, lda, lwork);                                                  \
  }                                                                                                \
  DN(P##potri)(H, UPLO, int n, T *A, int lda, T *, int lwork, int *info) {                         \
    return triangle(CALL, Lapack<Number<T>>::potri, uplo, n, num(A), lda, lwork, info);            \
  }                                                                                                \
  DN(P##lauum_bufferSize)(H, UPLO, int n, T *, int lda, int *lwork) {                              \
    return squareSize(CALL, uplo, n, lda, lwork);                                                  \
  }                                                                                                \
  DN(P##lauum)(H, UPLO, int n, T *A, int lda, T *, int lwork, int *info) {                         \
    return triangle(CALL, Lapack<Number<T>>::lauum, uplo, n, num(A), lda, lwork, info);            \
  }                                                                                                \
  DN(P##getrf_bufferSize)(H, int m, int n, T *, int lda, int *lwork) {                             \
    return rectangleSize(CALL, m, n, lda, lwork);                                                  \
  }                                                                                                \
  DN(P##getrf)(H, int m, int n, T *A, int lda, T *, int *ipiv, int *info) {                        \
    return getrf(CALL, m, n, num(A), lda, ipiv, info);                                             \
  }                                                                                                \
  DN(P##laswp)(H, int n, T *A, int lda, int k1, int k2, const int *ipiv, int incx) {               \
    return laswp(CALL, n, num(A), lda, k1, k2, ipiv, incx);                                        \
  }                                                                                                \
  DN(P##getrs)(H, cublasOperation_t op, int n, int nrhs, const T *A, int lda, const int *ipiv,     \
               T *B, int ldb, int *info) {                                                         \
    return getrs(CALL, op, n, nrhs, num(A), lda, ipiv, num(B), ldb, info);                         \
  }                                                                                                \
  DN(P##geqrf_bufferSize)(H, int m, int n, T *, int lda, int *lwork) {                             \
    return rectangleSize(CALL, m, n, lda, lwork);                                                  \
  }                                                                                                \
  DN(P##geqrf)(H, int m, int n, T *A, int lda, T *tau, T *, int lwork, int *info) {                \
    return geqrf(CALL.work(lwork, area(n)), m, n, num(A), lda, num(tau), info);                    \
  }                                                                                                \
  DN(P##sytrf_bufferSize)(H, int n, T *, int lda, int *lwork) {                                    \
    return rectangleSize(CALL, n, n, lda, lwork);                                                  \
  }                                                                                                \
  DN(P##sytrf)(H, UPLO, int n, T *A, int lda, int *ipiv, T *, int lwork, int *info) {              \
    return sytrf(CALL, uplo, n, num(A), lda, ipiv, lwork, info);                                   \
  }                                                                                                \
  DN(P##sytri_bufferSize)(H, UPLO, int n, T *, int lda, const int *, int *lwork) {                 \
    return squareSize(CALL, uplo, n, lda, lwork);                                                  \
  }                                                                                                \
  DN(P##sytri)(H, UPLO, int n, T *A, int lda, const int *ipiv, T *, int lwork, int *info) {        \
    return sytri(CALL, uplo, n, num(A), lda, ipiv, lwork, info);                                   \
  }
EACH(S, float)
EACH(D, double)
EACH(C, cuComplex)
EACH(Z, cuDoubleComplex)
