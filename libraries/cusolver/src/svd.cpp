// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Singular values in the typed API.
#include "jacobi.h"
#include "spectrum.h"

namespace heddle::cusolver {
namespace {

constexpr int LargestBatched = 32; // cuSOLVER, "gesvdjBatched": m and n are at most 32

Status sizes(Check c, cusolverEigMode_t jobz, int m, int n, int lda, int *lwork) {
  return c.jobz(jobz).size(m).size(n).leading(lda, m).answer(lwork, area(m, n));
}

template <typename T>
Status gesvdj(Check c, Singular<T> s, T *A, int lda, int *info, gesvdjInfo_t params) {
  s.check(c, A, lda);
  if (use(c.pointer(info, NullInfo), params).bad())
    return c.status();
  return c.run(info, [=, outcome = params->outcome] {
    const int result = s.compute(A, lda);
    *outcome = {result == 0 && s.vectors ? s.residual(A, lda) : 0, 1};
    return result;
  });
}

template <typename T>
Status gesvdjBatched(Check c, Singular<T> s, T *A, int lda, int *infos, int batch,
                     gesvdjInfo_t params) {
  s.check(c, A, lda);
  c.that(s.m <= LargestBatched && s.n <= LargestBatched, "m and n are at most 32 in a batch");
  c.size(batch, "batchSize is negative").array(infos, batch, NullInfo);
  return use(c, params, true).run(nullptr, [=]() mutable {
    for (int i = 0; i < batch; ++i) {
      Singular<T> at = s;
      at.S += i * std::min(s.m, s.n);
      if (s.vectors) {
        at.U += i * s.ldu * s.m;
        at.V += i * s.ldv * s.n;
      }
      infos[i] = at.compute(A + int64_t(i) * lda * s.n, lda);
    }
    return 0;
  });
}

struct Strides {
  long long A, S, U, V;
};

/// The call of gesvda. The norms of what is left go to the host's memory, so it waits then.
template <typename T>
Status gesvda(Check c, Singular<T> s, const T *A, int lda, Strides stride, int *infos,
              double *norms, int batch) {
  s.check(c, A, lda);
  c.that(s.m >= s.n, "gesvda needs m >= n")
      .that(s.rank >= 0 && s.rank <= s.n, "rank is not 0 to n");
  c.size(batch, "batchSize is negative").array(infos, batch, NullInfo);
  const auto run = [=] {
    for (int i = 0; i < batch; ++i) {
      Singular<T> at = s;
      at.S += i * stride.S;
      if (s.vectors) {
        at.U += i * stride.U;
        at.V += i * stride.V;
      }
      infos[i] = at.compute(A + i * stride.A, lda);
      if (norms && s.vectors)
        norms[i] = at.residual(A + i * stride.A, lda);
    }
    return 0;
  };
  return c.run(nullptr, run, norms != nullptr);
}

template <typename T>
Singular<T> outputs(cusolverEigMode_t jobz, bool all, int64_t m, int64_t n, int64_t rank,
                    Real<T> *S, T *U, int64_t ldu, T *V, int64_t ldv) {
  return {jobz == CUSOLVER_EIG_MODE_VECTOR, all, m, n, rank, S, U, ldu, V, ldv};
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define CALL Check(__func__, h)
#define JOB cusolverEigMode_t jobz
#define DN(name) cusolverStatus_t cusolverDn##name
#define H cusolverDnHandle_t h
#define LL long long

#define EACH(P, T, R)                                                                              \
  DN(P##gesvd_bufferSize)(H, int m, int n, int *lwork) {                                           \
    return CALL.size(m).size(n).that(m >= n, "gesvd needs m >= n").answer(lwork, area(m, n));      \
  }                                                                                                \
  DN(P##gesvd)(H, signed char jobu, signed char jobvt, int m, int n, T *A, int lda, R *S, T *U,    \
               int ldu, T *VT, int ldvt, T *, int lwork, R *rwork, int *info) {                    \
    return gesvd(CALL.work(lwork, area(m, n)), jobu, jobvt, m, n, num(A), lda, S, num(U), ldu,     \
                 num(VT), ldvt, rwork, info);                                                      \
  }                                                                                                \
  DN(P##gesvdj_bufferSize)(H, JOB, int, int m, int n, const T *, int lda, const R *, const T *,    \
                           int, const T *, int, int *lwork, gesvdjInfo_t params) {                 \
    Check c = CALL;                                                                                \
    return sizes(use(c, params), jobz, m, n, lda, lwork);                                          \
  }                                                                                                \
  DN(P##gesvdj)(H, JOB, int econ, int m, int n, T *A, int lda, R *S, T *U, int ldu, T *V, int ldv, \
                T *, int lwork, int *info, gesvdjInfo_t params) {                                  \
    return gesvdj(CALL.jobz(jobz).work(lwork, area(m, n)),                                         \
                  outputs(jobz, !econ, m, n, std::min(m, n), S, num(U), ldu, num(V), ldv), num(A), \
                  lda, info, params);                                                              \
  }                                                                                                \
  DN(P##gesvdjBatched_bufferSize)(H, JOB, int m, int n, const T *, int lda, const R *, const T *,  \
                                  int, const T *, int, int *lwork, gesvdjInfo_t params,            \
                                  int batch) {                                                     \
    Check c = CALL.size(batch, "batchSize is negative");                                           \
    c.that(m <= LargestBatched && n <= LargestBatched, "m and n are at most 32 in a batch");       \
    return sizes(use(c, params, true), jobz, m, n, lda, lwork);                                    \
  }                                                                                                \
  DN(P##gesvdjBatched)(H, JOB, int m, int n, T *A, int lda, R *S, T *U, int ldu, T *V, int ldv,    \
                       T *, int lwork, int *info, gesvdjInfo_t params, int batch) {                \
    return gesvdjBatched(CALL.jobz(jobz).work(lwork, area(m, n)),                                  \
                         outputs(jobz, true, m, n, std::min(m, n), S, num(U), ldu, num(V), ldv),   \
                         num(A), lda, info, batch, params);                                        \
  }                                                                                                \
  DN(P##gesvdaStridedBatched_bufferSize)(H, JOB, int rank, int m, int n, const T *, int lda, LL,   \
                                         const R *, LL, const T *, int, LL, const T *, int, LL,    \
                                         int *lwork, int batch) {                                  \
    return sizes(CALL.size(batch, "batchSize is negative")                                         \
                     .that(m >= n, "gesvda needs m >= n")                                          \
                     .that(rank >= 0 && rank <= n, "rank is not 0 to n"),                          \
                 jobz, m, n, lda, lwork);                                                          \
  }                                                                                                \
  DN(P##gesvdaStridedBatched)(H, JOB, int rank, int m, int n, const T *A, int lda, LL stride_a,    \
                              R *S, LL stride_s, T *U, int ldu, LL stride_u, T *V, int ldv,        \
                              LL stride_v, T *, int lwork, int *info, double *norms, int batch) {  \
    return gesvda(CALL.jobz(jobz).work(lwork, area(m, n)),                                         \
                  outputs(jobz, false, m, n, rank, S, num(U), ldu, num(V), ldv), num(A), lda,      \
                  {stride_a, stride_s, stride_u, stride_v}, info, norms, batch);                   \
  }
EACH(S, float, float)
EACH(D, double, double)
EACH(C, cuComplex, float)
EACH(Z, cuDoubleComplex, double)
