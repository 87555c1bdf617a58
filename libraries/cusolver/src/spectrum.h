// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues and singular values as LAPACK computes them, and the calls that both the typed and
// the 64-bit API have.
#pragma once

#include "factor.h"

#include <cmath>
#include <memory>

namespace heddle::cusolver {

/// For LAPACK's functions with up to three work areas: asks `function` how much each needs, then
/// calls it with that much.
template <typename T, typename F> int withWorks(F function) {
  T best{};
  Real<T> best_real = 0;
  int best_int = 0;
  if (const int info = function(&best, -1, &best_real, -1, &best_int, -1))
    return info;
  const auto roundUp = [](double value) { return size_t(value * (1 + 1e-6)) + 1; };
  std::vector<T> work(roundUp(std::real(best)));
  std::vector<Real<T>> reals(roundUp(best_real));
  std::vector<int> ints(best_int + 1);
  return function(work.data(), int(work.size()), reals.data(), int(reals.size()), ints.data(),
                  int(ints.size()));
}

/// All eigenvalues of a symmetric or Hermitian matrix, ascending, and in A their vectors.
template <typename T> int eigen(char jobz, char uplo, int64_t n, T *A, int64_t lda, Real<T> *W) {
  return withWorks<T>([=](T *work, int lwork, [[maybe_unused]] Real<T> *rwork,
                          [[maybe_unused]] int lrwork, int *iwork, int liwork) {
    if constexpr (is_complex<T>)
      return lapack(Lapack<T>::syevd, jobz, uplo, n, A, lda, W, work, lwork, rwork, lrwork, iwork,
                    liwork);
    else
      return lapack(Lapack<T>::syevd, jobz, uplo, n, A, lda, W, work, lwork, iwork, liwork);
  });
}

/// The same of a pair; B becomes its Cholesky factor.
template <typename T>
int eigenOfPair(int itype, char jobz, char uplo, int64_t n, T *A, int64_t lda, T *B, int64_t ldb,
                Real<T> *W) {
  return withWorks<T>([=](T *work, int lwork, [[maybe_unused]] Real<T> *rwork,
                          [[maybe_unused]] int lrwork, int *iwork, int liwork) {
    if constexpr (is_complex<T>)
      return lapack(Lapack<T>::sygvd, itype, jobz, uplo, n, A, lda, B, ldb, W, work, lwork, rwork,
                    lrwork, iwork, liwork);
    else
      return lapack(Lapack<T>::sygvd, itype, jobz, uplo, n, A, lda, B, ldb, W, work, lwork, iwork,
                    liwork);
  });
}

/// Which eigenvalues a call asks for: all, those from number `il` to `iu`, or those in (vl, vu].
template <typename R> struct Selection {
  cusolverEigRange_t range = CUSOLVER_EIG_RANGE_ALL;
  R vl = 0, vu = 0;
  int64_t il = 1, iu = 0;

  void check(Check &c, int64_t n) const {
    c.that(range >= CUSOLVER_EIG_RANGE_ALL && range <= CUSOLVER_EIG_RANGE_V,
           "the range is none of ALL, I and V");
    if (range == CUSOLVER_EIG_RANGE_V)
      c.that(vl < vu || n == 0, "the range needs vl < vu");
    if (range == CUSOLVER_EIG_RANGE_I && n > 0)
      c.that(il >= 1 && il <= iu && iu <= n, "the range needs 1 <= il <= iu <= n");
  }
  /// The first of the sorted values, and how many.
  std::pair<int64_t, int64_t> of(const R *W, int64_t n) const {
    if (range == CUSOLVER_EIG_RANGE_I)
      return {il - 1, n == 0 ? 0 : iu - il + 1};
    if (range == CUSOLVER_EIG_RANGE_ALL)
      return {0, n};
    const R *const first = std::upper_bound(W, W + n, vl), *const last =
                                                               std::upper_bound(W, W + n, vu);
    return {first - W, last - first};
  }
};

/// Moves the selected values and vectors to the front; returns how many they are.
template <typename T>
int64_t moveToFront(const Selection<Real<T>> &selection, char jobz, int64_t n, T *A, int64_t lda,
                    Real<T> *W) {
  const auto [first, count] = selection.of(W, n);
  if (first == 0 || count == 0)
    return count;
  std::copy_n(W + first, count, W);
  for (int64_t j = 0; jobz == 'V' && j < count; ++j)
    std::copy_n(A + (first + j) * lda, n, A + j * lda);
  return count;
}

/// The call of syevd and syevdx. How many values lie in an interval is known only when they are
/// computed, and goes to the host's memory, so that call waits.
template <typename T, typename Count>
Status eigenSelected(Check c, cusolverEigMode_t jobz, const Selection<Real<T>> &selection,
                     cublasFillMode_t uplo, int64_t n, T *A, int64_t lda, Count *meig, Real<T> *W,
                     int *info) {
  c.jobz(jobz).uplo(uplo).size(n).matrix(A, n, n, lda).array(W, n, "W is null");
  c.pointer(info, NullInfo);
  selection.check(c, n);
  const bool wait = selection.range == CUSOLVER_EIG_RANGE_V;
  if (meig && !wait && !c.bad())
    *meig = Count(selection.of(nullptr, n).second);
  return c.run(
      info,
      [=] {
        const int result = eigen(letter(jobz), letter(uplo), n, A, lda, W);
        const int64_t count =
            result == 0 ? moveToFront(selection, letter(jobz), n, A, lda, W) : int64_t(0);
        if (meig && wait)
          *meig = Count(count);
        return result;
      },
      wait);
}

/// Matrices one behind the other, lda * n elements apart.
template <typename T>
Status eigenBatched(Check c, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, T *A,
                    int64_t lda, Real<T> *W, int *infos, int64_t batch) {
  c.jobz(jobz).uplo(uplo).size(n).size(batch, "batchSize is negative");
  c.matrix(A, n, n, lda).array(W, n * batch, "W is null").array(infos, batch, NullInfo);
  return c.run(nullptr, [=] {
    for (int64_t i = 0; i < batch; ++i)
      infos[i] = eigen(letter(jobz), letter(uplo), n, A + i * lda * n, lda, W + i * n);
    return 0;
  });
}
/// A = U diag(S) VT by the QR algorithm. `rwork` gets what did not converge, unless it is null.
template <typename T>
int singular(char jobu, char jobvt, int64_t m, int64_t n, T *A, int64_t lda, Real<T> *S, T *U,
             int64_t ldu, T *VT, int64_t ldvt, Real<T> *rwork) {
  const int64_t count = std::min(m, n);
  std::vector<Real<T>> reals(5 * count + 1);
  return withWork<T>([&](T *work, int lwork) {
    int info;
    if constexpr (is_complex<T>)
      info = lapack(Lapack<T>::gesvd, jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, work, lwork,
                    reals.data());
    else
      info = lapack(Lapack<T>::gesvd, jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, work, lwork);
    for (int64_t i = 0; info > 0 && rwork && i + 1 < count; ++i)
      if constexpr (is_complex<T>)
        rwork[i] = reals[i];
      else
        rwork[i] = work[i + 1];
    return info;
  });
}

/// The call of gesvd.
template <typename T>
Status gesvd(Check c, signed char jobu, signed char jobvt, int64_t m, int64_t n, T *A, int64_t lda,
             Real<T> *S, T *U, int64_t ldu, T *VT, int64_t ldvt, Real<T> *rwork, int *info) {
  const auto job = [](signed char value) {
    return value == 'A' || value == 'S' || value == 'O' || value == 'N';
  };
  // cuSOLVER, "gesvd", Remark 1: only for m >= n.
  c.size(m).size(n).that(m >= n, "gesvd needs m >= n").matrix(A, m, n, lda);
  c.that(job(jobu) && job(jobvt), "jobu and jobvt are A, S, O or N");
  c.that(jobu != 'O' || jobvt != 'O', "jobu and jobvt are both O");
  c.array(S, n, "S is null").pointer(info, NullInfo);
  if (jobu == 'A' || jobu == 'S')
    c.matrix(U, m, n, ldu);
  if (jobvt == 'A' || jobvt == 'S')
    c.matrix(VT, n, n, ldvt);
  ldu = std::max<int64_t>(ldu, 1); // LAPACK looks at them in any case
  ldvt = std::max<int64_t>(ldvt, 1);
  return c.run(info, [=] {
    return singular(char(jobu), char(jobvt), m, n, A, lda, S, U, ldu, VT, ldvt, rwork);
  });
}

/// The outputs of the functions that return V, not VT: its first `rank` vectors. A of `m` rows and
/// `n` columns is kept.
template <typename T> struct Singular {
  bool vectors, all; // all: U and V are square
  int64_t m, n, rank;
  Real<T> *S;
  T *U;
  int64_t ldu;
  T *V;
  int64_t ldv;

  void check(Check &c, const T *A, int64_t lda) const {
    c.size(m).size(n).matrix(A, m, n, lda).array(S, std::min(m, n), "S is null");
    if (vectors)
      c.matrix(U, m, rank, ldu).matrix(V, n, rank, ldv);
  }
  int compute(const T *A, int64_t lda) const {
    const int64_t count = std::min(m, n), left = all ? m : count, right = all ? n : count;
    std::vector<T> copy(m * n), left_vectors(vectors ? m * left : 1),
        right_vectors(vectors ? right * n : 1);
    std::vector<Real<T>> values(count);
    blas(Lapack<T>::lacpy, 'A', m, n, A, lda, copy.data(), std::max<int64_t>(m, 1));
    const int info = divide(vectors ? (all ? 'A' : 'S') : 'N', copy.data(), values.data(),
                            left_vectors.data(), right_vectors.data(), right);
    std::copy_n(values.data(), std::min(rank, count), S);
    if (!vectors)
      return info;
    const int64_t u_columns = all ? m : std::min(rank, count),
                  v_columns = all ? n : std::min(rank, count);
    blas(Lapack<T>::lacpy, 'A', m, u_columns, left_vectors.data(), std::max<int64_t>(m, 1), U, ldu);
    for (int64_t j = 0; j < v_columns; ++j)
      for (int64_t i = 0; i < n; ++i)
        V[i + j * ldv] = conjugate(right_vectors[j + i * right]);
    return info;
  }
  /// The Frobenius norm of A - U S V'.
  double residual(const T *A, int64_t lda) const {
    const int64_t count = std::min({m, n, rank});
    std::vector<T> rest(m * n), scaled(m * count);
    blas(Lapack<T>::lacpy, 'A', m, n, A, lda, rest.data(), std::max<int64_t>(m, 1));
    for (int64_t j = 0; j < count; ++j)
      for (int64_t i = 0; i < m; ++i)
        scaled[i + j * m] = U[i + j * ldu] * S[j];
    const T minus = -1, one = 1;
    if (m > 0 && n > 0 && count > 0)
      blas(Lapack<T>::gemm, 'N', adjoint<T>(), m, n, count, &minus, scaled.data(), m, V, ldv, &one,
           rest.data(), m);
    double sum = 0;
    for (const T value : rest)
      sum += double(std::norm(value));
    return std::sqrt(sum);
  }

private:
  /// Divide and conquer.
  int divide(char job, T *A, Real<T> *values, T *left, T *right, int64_t right_rows) const {
    const int64_t less = std::min(m, n), more = std::max(m, n);
    std::vector<int> ints(8 * less + 1);
    std::vector<Real<T>> reals(
        is_complex<T>
            ? std::max(5 * less * less + 5 * less, 2 * more * less + 2 * less * less + less) + 1
            : 1);
    const int64_t rows = std::max<int64_t>(m, 1), right_ld = std::max<int64_t>(right_rows, 1);
    return withWork<T>([&](T *work, int lwork) {
      if constexpr (is_complex<T>)
        return lapack(Lapack<T>::gesdd, job, m, n, A, rows, values, left, rows, right, right_ld,
                      work, lwork, reals.data(), ints.data());
      else
        return lapack(Lapack<T>::gesdd, job, m, n, A, rows, values, left, rows, right, right_ld,
                      work, lwork, ints.data());
    });
  }
};

} // namespace heddle::cusolver
