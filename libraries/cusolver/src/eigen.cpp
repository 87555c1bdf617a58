// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues of symmetric and Hermitian matrices and pairs, in the typed API.
#include "jacobi.h"
#include "spectrum.h"

namespace heddle::cusolver {
namespace {

Status sizes(Check c, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, int lda, int *lwork) {
  return c.jobz(jobz).uplo(uplo).size(n).leading(lda, n).answer(lwork, area(n));
}

template <typename T>
void checkPair(Check &c, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,
               int n, T *A, int lda, T *B, int ldb, Real<T> *W, int *info) {
  c.that(itype >= CUSOLVER_EIG_TYPE_1 && itype <= CUSOLVER_EIG_TYPE_3, "itype is none of 1 to 3");
  c.jobz(jobz).uplo(uplo).size(n).matrix(A, n, n, lda).matrix(B, n, n, ldb);
  c.array(W, n, "W is null").pointer(info, NullInfo);
}

template <typename T>
Status pairSelected(Check c, cusolverEigType_t itype, cusolverEigMode_t jobz,
                    const Selection<Real<T>> &selection, cublasFillMode_t uplo, int n, T *A,
                    int lda, T *B, int ldb, int *meig, Real<T> *W, int *info) {
  checkPair(c, itype, jobz, uplo, n, A, lda, B, ldb, W, info);
  selection.check(c, n);
  const bool wait = selection.range == CUSOLVER_EIG_RANGE_V;
  if (meig && !wait && !c.bad())
    *meig = int(selection.of(nullptr, n).second);
  return c.run(
      info,
      [=] {
        const int result = eigenOfPair(itype, letter(jobz), letter(uplo), n, A, lda, B, ldb, W);
        const int64_t count =
            result == 0 ? moveToFront(selection, letter(jobz), n, A, lda, W) : int64_t(0);
        if (meig && wait)
          *meig = int(count);
        return result;
      },
      wait);
}

/// The Frobenius norm of A - V W V', where `A` has one triangle of the matrix.
template <typename T>
double residual(char uplo, int64_t n, const std::vector<T> &A, const T *V, int64_t ldv,
                const Real<T> *W) {
  std::vector<T> scaled(n * n), rest = A;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i)
      scaled[i + j * n] = V[i + j * ldv] * W[j];
  const T minus = -1, one = 1;
  blas(Lapack<T>::gemm, 'N', adjoint<T>(), n, n, n, &minus, scaled.data(), n, V, ldv, &one,
       rest.data(), n);
  double sum = 0;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = uplo == 'U' ? 0 : j; i < (uplo == 'U' ? j + 1 : n); ++i)
      sum += (i == j ? 1 : 2) * double(std::norm(rest[i + j * n]));
  return std::sqrt(sum);
}

template <typename T>
int eigenMeasured(char jobz, char uplo, int64_t n, T *A, int64_t lda, Real<T> *W,
                  JacobiOutcome &outcome) {
  std::vector<T> copy(jobz == 'V' ? n * n : 0);
  if (!copy.empty())
    blas(Lapack<T>::lacpy, 'A', n, n, A, lda, copy.data(), n);
  const int info = eigen(jobz, uplo, n, A, lda, W);
  outcome = {info == 0 && !copy.empty() ? residual(uplo, n, copy, A, lda, W) : 0, 1};
  return info;
}

template <typename T>
Status syevj(Check c, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A, int lda,
             Real<T> *W, int *info, syevjInfo_t params) {
  c.jobz(jobz).uplo(uplo).size(n).matrix(A, n, n, lda).array(W, n, "W is null");
  if (use(c.pointer(info, NullInfo), params).bad())
    return c.status();
  return c.run(info, [=, outcome = params->outcome] {
    return eigenMeasured(letter(jobz), letter(uplo), n, A, lda, W, *outcome);
  });
}

template <typename T>
Status sygvj(Check c, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
             T *A, int lda, T *B, int ldb, Real<T> *W, int *info, syevjInfo_t params) {
  checkPair(c, itype, jobz, uplo, n, A, lda, B, ldb, W, info);
  if (use(c, params).bad())
    return c.status();
  return c.run(info, [=, outcome = params->outcome] {
    *outcome = {0, 1};
    return eigenOfPair(itype, letter(jobz), letter(uplo), n, A, lda, B, ldb, W);
  });
}

} // namespace

} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define CALL Check(__func__, h)
#define WORK CALL.work(lwork, area(n))
#define UPLO cublasFillMode_t uplo
#define JOB cusolverEigMode_t jobz
#define TYPE cusolverEigType_t itype
#define RANGE cusolverEigRange_t range
#define DN(name) cusolverStatus_t cusolverDn##name
#define H cusolverDnHandle_t h

#define EACH(P, T, R, Y)                                                                           \
  DN(P##Y##evd_bufferSize)(H, JOB, UPLO, int n, const T *, int lda, const R *, int *lwork) {       \
    return sizes(CALL, jobz, uplo, n, lda, lwork);                                                 \
  }                                                                                                \
  DN(P##Y##evd)(H, JOB, UPLO, int n, T *A, int lda, R *W, T *, int lwork, int *info) {             \
    return eigenSelected(WORK, jobz, Selection<R>(), uplo, n, num(A), lda,                         \
                         static_cast<int *>(nullptr), W, info);                                    \
  }                                                                                                \
  DN(P##Y##evdx_bufferSize)(H, JOB, RANGE, UPLO, int n, const T *, int lda, R vl, R vu, int il,    \
                            int iu, int *, const R *, int *lwork) {                                \
    Check c = CALL;                                                                                \
    Selection<R>{range, vl, vu, il, iu}.check(c, n);                                               \
    return sizes(c, jobz, uplo, n, lda, lwork);                                                    \
  }                                                                                                \
  DN(P##Y##evdx)(H, JOB, RANGE, UPLO, int n, T *A, int lda, R vl, R vu, int il, int iu, int *meig, \
                 R *W, T *, int lwork, int *info) {                                                \
    return eigenSelected(WORK, jobz, {range, vl, vu, il, iu}, uplo, n, num(A), lda, meig, W,       \
                         info);                                                                    \
  }                                                                                                \
  DN(P##Y##gvd_bufferSize)(H, TYPE, JOB, UPLO, int n, const T *, int lda, const T *, int ldb,      \
                           const R *, int *lwork) {                                                \
    return sizes(CALL.leading(ldb, n).that(itype >= 1 && itype <= 3, "itype is none of 1 to 3"),   \
                 jobz, uplo, n, lda, lwork);                                                       \
  }                                                                                                \
  DN(P##Y##gvd)(H, TYPE, JOB, UPLO, int n, T *A, int lda, T *B, int ldb, R *W, T *, int lwork,     \
                int *info) {                                                                       \
    return pairSelected(WORK, itype, jobz, Selection<R>(), uplo, n, num(A), lda, num(B), ldb,      \
                        nullptr, W, info);                                                         \
  }                                                                                                \
  DN(P##Y##gvdx_bufferSize)(H, TYPE, JOB, RANGE, UPLO, int n, const T *, int lda, const T *,       \
                            int ldb, R vl, R vu, int il, int iu, int *, const R *, int *lwork) {   \
    Check c = CALL.leading(ldb, n).that(itype >= 1 && itype <= 3, "itype is none of 1 to 3");      \
    Selection<R>{range, vl, vu, il, iu}.check(c, n);                                               \
    return sizes(c, jobz, uplo, n, lda, lwork);                                                    \
  }                                                                                                \
  DN(P##Y##gvdx)(H, TYPE, JOB, RANGE, UPLO, int n, T *A, int lda, T *B, int ldb, R vl, R vu,       \
                 int il, int iu, int *meig, R *W, T *, int lwork, int *info) {                     \
    return pairSelected(WORK, itype, jobz, {range, vl, vu, il, iu}, uplo, n, num(A), lda, num(B),  \
                        ldb, meig, W, info);                                                       \
  }                                                                                                \
  DN(P##Y##evj_bufferSize)(H, JOB, UPLO, int n, const T *, int lda, const R *, int *lwork,         \
                           syevjInfo_t params) {                                                   \
    Check c = CALL;                                                                                \
    return sizes(use(c, params), jobz, uplo, n, lda, lwork);                                       \
  }                                                                                                \
  DN(P##Y##evj)(H, JOB, UPLO, int n, T *A, int lda, R *W, T *, int lwork, int *info,               \
                syevjInfo_t params) {                                                              \
    return syevj(WORK, jobz, uplo, n, num(A), lda, W, info, params);                               \
  }                                                                                                \
  DN(P##Y##evjBatched_bufferSize)(H, JOB, UPLO, int n, const T *, int lda, const R *, int *lwork,  \
                                  syevjInfo_t params, int batch) {                                 \
    Check c = CALL.size(batch, "batchSize is negative");                                           \
    return sizes(use(c, params, true), jobz, uplo, n, lda, lwork);                                 \
  }                                                                                                \
  DN(P##Y##evjBatched)(H, JOB, UPLO, int n, T *A, int lda, R *W, T *, int lwork, int *info,        \
                       syevjInfo_t params, int batch) {                                            \
    Check c = WORK;                                                                                \
    return eigenBatched(use(c, params, true), jobz, uplo, n, num(A), lda, W, info, batch);         \
  }                                                                                                \
  DN(P##Y##gvj_bufferSize)(H, TYPE, JOB, UPLO, int n, const T *, int lda, const T *, int ldb,      \
                           const R *, int *lwork, syevjInfo_t params) {                            \
    Check c = CALL.leading(ldb, n).that(itype >= 1 && itype <= 3, "itype is none of 1 to 3");      \
    return sizes(use(c, params), jobz, uplo, n, lda, lwork);                                       \
  }                                                                                                \
  DN(P##Y##gvj)(H, TYPE, JOB, UPLO, int n, T *A, int lda, T *B, int ldb, R *W, T *, int lwork,     \
                int *info, syevjInfo_t params) {                                                   \
    return sygvj(WORK, itype, jobz, uplo, n, num(A), lda, num(B), ldb, W, info, params);           \
  }
EACH(S, float, float, sy)
EACH(D, double, double, sy)
EACH(C, cuComplex, float, he)
EACH(Z, cuDoubleComplex, double, he)
