// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solvers with iterative refinement. Systems in double precision are factored in single precision,
// whatever lower one is asked for, and refined the classical way, whatever solver is asked for;
// systems in single precision, and least squares, are solved in the main precision at once (zero
// iterations).
#include "refine.h"
#include "lapack.h"

#include <cfloat>
#include <cmath>

namespace heddle::cusolver {
namespace {

constexpr const char *NullInfo = "the pointer to info is null";

template <typename T> struct Lower {
  using type = float;
};
template <> struct Lower<std::complex<double>> {
  using type = std::complex<float>;
};

/// What a solver is asked to do besides computing X.
struct Request {
  bool mixed; // may factor in lower precision
  double tolerance = 0;
  int max_iterations = 50;
  bool fallback = true;
};

/// A X = B of order n; `ipiv` may be null.
template <typename T> struct Linear {
  int64_t n, nrhs;
  T *A;
  int64_t lda;
  int *ipiv;
  T *B;
  int64_t ldb;
  T *X;
  int64_t ldx;
  Request request;
  std::vector<Real<T>> *history; // null: not wanted

  /// Returns info, and in `iterations` what cuSOLVER documents for `niters`: how many, or less than
  /// zero if the main precision had to do it.
  int solve(int *iterations) const {
    *iterations = 0;
    if constexpr (sizeof(Real<T>) == sizeof(double)) {
      if (request.mixed && n > 0 && nrhs > 0) {
        *iterations = refine();
        if (*iterations >= 0 || !request.fallback)
          return 0;
      }
    }
    blas(Lapack<T>::lacpy, 'A', n, nrhs, B, ldb, X, ldx);
    std::vector<int> own(ipiv ? 0 : n);
    int *const pivots = ipiv ? ipiv : own.data();
    const int info = lapack(Lapack<T>::getrf, n, n, A, lda, pivots);
    if (info == 0)
      lapack(Lapack<T>::getrs, 'N', n, nrhs, A, lda, pivots, X, ldx);
    return info;
  }

private:
  using Low = typename Lower<T>::type;

  /// The number of iterations, -2 for what single precision cannot hold, -3 for a singular
  /// factor, -max_iterations - 1 if it does not converge.
  int refine() const {
    std::vector<Low> factor(n * n), step(n * nrhs);
    std::vector<T> rest(n * nrhs);
    std::vector<int> own(ipiv ? 0 : n);
    int *const pivots = ipiv ? ipiv : own.data();
    if (!convert(n, n, A, lda, factor.data()))
      return -2;
    if (lapack(Lapack<Low>::getrf, n, n, factor.data(), n, pivots))
      return -3;
    blas(Lapack<T>::lacpy, 'A', n, nrhs, B, ldb, rest.data(), n);
    for (int64_t j = 0; j < nrhs; ++j)
      std::fill_n(X + j * ldx, n, T(0));
    const double limit = std::sqrt(double(n)) * normOfA() *
                         (request.tolerance > 0 ? request.tolerance : DBL_EPSILON);
    for (int iteration = 0;; ++iteration) {
      if (!convert(n, nrhs, rest.data(), n, step.data()))
        return -2;
      lapack(Lapack<Low>::getrs, 'N', n, nrhs, factor.data(), n, pivots, step.data(), n);
      for (int64_t j = 0; j < nrhs; ++j)
        for (int64_t i = 0; i < n; ++i)
          X[i + j * ldx] += T(step[i + j * n]);
      if (converged(rest, limit, iteration))
        return iteration;
      if (iteration >= request.max_iterations)
        return -request.max_iterations - 1;
    }
  }

  /// Computes rest = B - A X; whether it is small in each column.
  bool converged(std::vector<T> &rest, double limit, int iteration) const {
    const T minus = -1, one = 1;
    blas(Lapack<T>::lacpy, 'A', n, nrhs, B, ldb, rest.data(), n);
    blas(Lapack<T>::gemm, 'N', 'N', n, nrhs, n, &minus, A, lda, X, ldx, &one, rest.data(), n);
    bool all = true;
    for (int64_t j = 0; j < nrhs; ++j) {
      const double left = largest(rest.data() + j * n);
      all = all && left <= largest(X + j * ldx) * limit; // false for NaN
      if (history)
        (*history)[iteration + j * (request.max_iterations + 1)] = Real<T>(left);
    }
    return all;
  }

  double largest(const T *column) const {
    double worst = 0;
    for (int64_t i = 0; i < n; ++i)
      worst = std::max(worst, double(std::abs(column[i])));
    return worst;
  }
  double normOfA() const {
    std::vector<double> rows(n);
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i)
        rows[i] += double(std::abs(A[i + j * lda]));
    return *std::max_element(rows.begin(), rows.end());
  }
  static bool convert(int64_t rows, int64_t columns, const T *from, int64_t ld, Low *to) {
    bool fits = true;
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i) {
        to[i + j * rows] = Low(from[i + j * ld]);
        fits = fits && std::isfinite(double(std::abs(to[i + j * rows])));
      }
    return fits;
  }
};

template <typename T>
int leastSquares(int64_t m, int64_t n, int64_t nrhs, const T *A, int64_t lda, const T *B,
                 int64_t ldb, T *X, int64_t ldx) {
  std::vector<T> factor(m * n), sides(m * nrhs);
  const int64_t rows = std::max<int64_t>(m, 1);
  blas(Lapack<T>::lacpy, 'A', m, n, A, lda, factor.data(), rows);
  blas(Lapack<T>::lacpy, 'A', m, nrhs, B, ldb, sides.data(), rows);
  const int info = withWork<T>([&](T *work, int lwork) {
    return lapack(Lapack<T>::gels, 'N', m, n, nrhs, factor.data(), rows, sides.data(), rows, work,
                  lwork);
  });
  blas(Lapack<T>::lacpy, 'A', n, nrhs, sides.data(), rows, X, ldx);
  return info;
}

/// Copies of what is in work areas of NVIDIA's library: the factor and the residuals.
size_t bytesFor(int64_t m, int64_t n, int64_t nrhs) {
  return size_t(std::max<int64_t>(1, m * n + (m + n) * nrhs)) * 16;
}

template <typename T>
Status gesv(Check c, Linear<T> system, size_t bytes, int *iterations, int *info,
            cusolverDnIRSInfos_t infos = nullptr) {
  const int64_t n = system.n, nrhs = system.nrhs;
  c.size(n).size(nrhs).matrix(system.A, n, n, system.lda).matrix(system.B, n, nrhs, system.ldb);
  c.matrix(system.X, n, nrhs, system.ldx).pointer(iterations, "the pointer to iter is null");
  c.pointer(info, NullInfo)
      .that(bytes >= bytesFor(n, n, nrhs), "the work area is too small",
            CUSOLVER_STATUS_INVALID_WORKSPACE);
  if (c.bad())
    return c.status();
  const int64_t rows = system.request.max_iterations + 1;
  std::vector<Real<T>> history(infos && infos->residual_requested ? rows * nrhs : 0);
  system.history = history.empty() ? nullptr : &history;
  const Status status = c.run(info, [=] { return system.solve(iterations); }, true);
  if (infos && !status) {
    infos->iterations = infos->outer_iterations = *iterations;
    infos->history.resize(history.size() * sizeof(Real<T>));
    std::copy_n(reinterpret_cast<const char *>(history.data()), infos->history.size(),
                infos->history.data());
  }
  return status;
}

template <typename T>
Status gels(Check c, int64_t m, int64_t n, int64_t nrhs, const T *A, int64_t lda, const T *B,
            int64_t ldb, T *X, int64_t ldx, size_t bytes, int *iterations, int *info) {
  c.size(m).size(n).size(nrhs).that(m >= n, "gels needs m >= n").matrix(A, m, n, lda);
  c.matrix(B, m, nrhs, ldb).matrix(X, n, nrhs, ldx).pointer(info, NullInfo);
  c.pointer(iterations, "the pointer to iter is null");
  c.that(bytes >= bytesFor(m, n, nrhs), "the work area is too small",
         CUSOLVER_STATUS_INVALID_WORKSPACE);
  return c.run(
      info,
      [=] {
        *iterations = 0;
        return leastSquares(m, n, nrhs, A, lda, B, ldb, X, ldx);
      },
      true);
}

/// Whether the settings are complete, and can be together.
Check &check(Check &c, cusolverDnIRSParams_t params) {
  c.that(library::handles<cusolverDnIRSParams>().has(params),
         "the parameters were not created, or destroyed",
         CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  if (c.bad())
    return c;
  c.that(params->main && params->lowest &&
             (params->main < CUSOLVER_C_8I) == (params->lowest < CUSOLVER_C_8I) &&
             params->lowest >= params->main,
         "the precisions are not set, or do not go together",
         CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  return c.that(params->refinement != CUSOLVER_IRS_REFINE_NOT_SET,
                "the refinement solver is not set", CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE);
}
Check &check(Check &c, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos) {
  check(c, params).that(library::handles<cusolverDnIRSInfos>().has(infos),
                        "the result object was not created, or destroyed",
                        CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
  if (c.bad())
    return c;
  if (infos->params != params) {
    if (infos->params)
      --infos->params->results;
    infos->params = params;
    ++params->results;
  }
  infos->max_iterations = params->max_iterations;
  infos->iterations = infos->outer_iterations = 0;
  return c;
}

template <typename F> Status byPrecision(cusolverPrecType_t main, F function) {
  switch (main) {
  case CUSOLVER_R_32F:
    return function(float());
  case CUSOLVER_C_32F:
    return function(std::complex<float>());
  case CUSOLVER_C_64F:
    return function(std::complex<double>());
  default:
    return function(double());
  }
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define INT cusolver_int_t
#define H cusolverDnHandle_t h
#define DN(name) cusolverStatus_t cusolverDn##name

DN(IRSXgesv_bufferSize)(H, cusolverDnIRSParams_t params, INT n, INT nrhs, size_t *bytes) {
  Check c(__func__, h);
  return check(c, params).size(n).size(nrhs).answer(bytes, int64_t(bytesFor(n, n, nrhs)));
}

DN(IRSXgesv)
(H, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos, INT n, INT nrhs, void *A, INT lda,
 void *B, INT ldb, void *X, INT ldx, void *, size_t bytes, INT *iterations, INT *info) {
  Check c(__func__, h);
  if (check(c, params, infos).bad())
    return c.status();
  const bool mixed =
      params->lowest != params->main && params->refinement != CUSOLVER_IRS_REFINE_NONE;
  const Request request{mixed, params->tolerance, params->max_iterations, params->fallback};
  return byPrecision(params->main, [&](auto t) {
    using T = decltype(t);
    return gesv(c,
                Linear<T>{n, nrhs, static_cast<T *>(A), lda, nullptr, static_cast<T *>(B), ldb,
                          static_cast<T *>(X), ldx, request, nullptr},
                bytes, iterations, info, infos);
  });
}

DN(IRSXgels_bufferSize)(H, cusolverDnIRSParams_t params, INT m, INT n, INT nrhs, size_t *bytes) {
  Check c(__func__, h);
  return check(c, params).size(m).size(n).size(nrhs).answer(bytes, int64_t(bytesFor(m, n, nrhs)));
}

DN(IRSXgels)
(H, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos, INT m, INT n, INT nrhs, void *A,
 INT lda, void *B, INT ldb, void *X, INT ldx, void *, size_t bytes, INT *iterations, INT *info) {
  Check c(__func__, h);
  if (check(c, params, infos).bad())
    return c.status();
  return byPrecision(params->main, [&](auto t) {
    using T = decltype(t);
    return gels(c, m, n, nrhs, static_cast<const T *>(A), lda, static_cast<const T *>(B), ldb,
                static_cast<T *>(X), ldx, bytes, iterations, info);
  });
}

#define EACH(P, T, mixed)                                                                          \
  DN(P##gesv_bufferSize)(H, INT n, INT nrhs, T *, INT lda, INT *, T *, INT ldb, T *, INT ldx,      \
                         void *, size_t *bytes) {                                                  \
    return Check(__func__, h)                                                                      \
        .size(n)                                                                                   \
        .size(nrhs)                                                                                \
        .leading(std::min({lda, ldb, ldx}), n)                                                     \
        .answer(bytes, int64_t(bytesFor(n, n, nrhs)));                                             \
  }                                                                                                \
  DN(P##gesv)(H, INT n, INT nrhs, T * A, INT lda, INT * ipiv, T * B, INT ldb, T * X, INT ldx,      \
              void *, size_t bytes, INT *iterations, INT *info) {                                  \
    return gesv(Check(__func__, h),                                                                \
                Linear<Number<T>>{n, nrhs, num(A), lda, ipiv, num(B), ldb, num(X), ldx,            \
                                  Request{mixed}, nullptr},                                        \
                bytes, iterations, info);                                                          \
  }                                                                                                \
  DN(P##gels_bufferSize)(H, INT m, INT n, INT nrhs, T *, INT lda, T *, INT ldb, T *, INT ldx,      \
                         void *, size_t *bytes) {                                                  \
    return Check(__func__, h)                                                                      \
        .size(m)                                                                                   \
        .size(n)                                                                                   \
        .size(nrhs)                                                                                \
        .leading(std::min(lda, ldb), m)                                                            \
        .leading(ldx, n)                                                                           \
        .answer(bytes, int64_t(bytesFor(m, n, nrhs)));                                             \
  }                                                                                                \
  DN(P##gels)(H, INT m, INT n, INT nrhs, T * A, INT lda, T * B, INT ldb, T * X, INT ldx, void *,   \
              size_t bytes, INT *iterations, INT *info) {                                          \
    using N = Number<T>;                                                                           \
    return gels<N>(Check(__func__, h), m, n, nrhs, num(A), lda, num(B), ldb, num(X), ldx, bytes,   \
                   iterations, info);                                                              \
  }
EACH(ZZ, cuDoubleComplex, false)
EACH(ZC, cuDoubleComplex, true)
EACH(ZK, cuDoubleComplex, true)
EACH(ZE, cuDoubleComplex, true)
EACH(ZY, cuDoubleComplex, true)
EACH(CC, cuComplex, false)
EACH(CK, cuComplex, true)
EACH(CE, cuComplex, true)
EACH(CY, cuComplex, true)
EACH(DD, double, false)
EACH(DS, double, true)
EACH(DH, double, true)
EACH(DB, double, true)
EACH(DX, double, true)
EACH(SS, float, false)
EACH(SH, float, true)
EACH(SB, float, true)
EACH(SX, float, true)
