// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factorisations and solutions that both the typed and the 64-bit API have. Each checks its
// arguments and puts LAPACK's function on the handle's stream.
#pragma once

#include "handle.h"
#include "lapack.h"

namespace heddle::cusolver {

constexpr const char *NullInfo = "the pointer to info is null";

/// Pivots of LAPACK are ints, those of the 64-bit API are not. Null means that there are none.
template <typename I> class Pivots {
public:
  Pivots(I *pointer, int64_t count) : pointer_(pointer), count_(count) {
    if constexpr (!std::is_same_v<std::remove_const_t<I>, int>)
      copy_.assign(pointer, pointer + (pointer ? count : 0));
  }
  auto *data() {
    if constexpr (std::is_same_v<std::remove_const_t<I>, int>)
      return pointer_;
    else
      return copy_.data();
  }
  void writeBack() {
    if constexpr (!std::is_same_v<std::remove_const_t<I>, int>)
      std::copy_n(copy_.data(), count_, pointer_);
  }

private:
  I *pointer_;
  int64_t count_;
  std::vector<int> copy_;
};

template <typename T>
Status potrf(Check c, cublasFillMode_t uplo, int64_t n, T *A, int64_t lda, int *info) {
  c.uplo(uplo).size(n).matrix(A, n, n, lda).pointer(info, NullInfo);
  return c.run(info, [=] { return lapack(Lapack<T>::potrf, letter(uplo), n, A, lda); });
}

template <typename T>
Status potrs(Check c, cublasFillMode_t uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda, T *B,
             int64_t ldb, int *info) {
  c.uplo(uplo).size(n).size(nrhs).matrix(A, n, n, lda).matrix(B, n, nrhs, ldb);
  c.pointer(info, NullInfo);
  return c.run(info,
               [=] { return lapack(Lapack<T>::potrs, letter(uplo), n, nrhs, A, lda, B, ldb); });
}

template <typename T>
void solveTriangular(char side, char uplo, char op, char diag, int64_t m, int64_t n, const T *A,
                     int64_t lda, T *B, int64_t ldb) {
  const T one = 1;
  blas(Lapack<T>::trsm, side, uplo, op, diag, m, n, &one, A, lda, B, ldb);
}

/// LU without pivots: halves the columns until one is left. Returns the first zero pivot, from 1.
template <typename T> int luWithoutPivots(int64_t m, int64_t n, T *A, int64_t lda) {
  const int64_t steps = std::min(m, n);
  if (steps <= 0)
    return 0;
  if (n == 1) {
    if (A[0] == T(0))
      return 1;
    for (int64_t i = 1; i < m; ++i)
      A[i] /= A[0];
    return 0;
  }
  const int64_t left = std::max<int64_t>(1, steps / 2), right = n - left;
  T *const upper = A + left * lda, *const lower = upper + left;
  const int first = luWithoutPivots(m, left, A, lda);
  solveTriangular('L', 'L', 'N', 'U', left, right, A, lda, upper, lda);
  const T minus = -1, one = 1;
  if (m > left)
    blas(Lapack<T>::gemm, 'N', 'N', m - left, right, left, &minus, A + left, lda, upper, lda, &one,
         lower, lda);
  const int second = luWithoutPivots(m - left, right, lower, lda);
  return first ? first : (second ? second + int(left) : 0);
}

/// Without `ipiv` there is no pivoting (cuSOLVER, "getrf").
template <typename T, typename I>
Status getrf(Check c, int64_t m, int64_t n, T *A, int64_t lda, I *ipiv, int *info) {
  c.size(m).size(n).matrix(A, m, n, lda).pointer(info, NullInfo);
  return c.run(info, [=] {
    if (!ipiv)
      return luWithoutPivots(m, n, A, lda);
    Pivots<I> pivots(ipiv, std::min(m, n));
    const int result = lapack(Lapack<T>::getrf, m, n, A, lda, pivots.data());
    pivots.writeBack();
    return result;
  });
}

template <typename T, typename I>
Status getrs(Check c, cublasOperation_t op, int64_t n, int64_t nrhs, const T *A, int64_t lda,
             const I *ipiv, T *B, int64_t ldb, int *info) {
  c.operation(op).size(n).size(nrhs).matrix(A, n, n, lda).matrix(B, n, nrhs, ldb);
  c.pointer(info, NullInfo);
  return c.run(info, [=] {
    if (ipiv)
      return lapack(Lapack<T>::getrs, letter(op), n, nrhs, A, lda, Pivots<const I>(ipiv, n).data(),
                    B, ldb);
    const bool plain = op == CUBLAS_OP_N;
    for (const char uplo : {plain ? 'L' : 'U', plain ? 'U' : 'L'})
      solveTriangular('L', uplo, letter(op), uplo == 'L' ? 'U' : 'N', n, nrhs, A, lda, B, ldb);
    return 0;
  });
}

template <typename T>
Status geqrf(Check c, int64_t m, int64_t n, T *A, int64_t lda, T *tau, int *info) {
  c.size(m).size(n).matrix(A, m, n, lda).array(tau, std::min(m, n), "tau is null");
  c.pointer(info, NullInfo);
  return c.run(info, [=] {
    return withWork<T>([=](T *work, int lwork) {
      return lapack(Lapack<T>::geqrf, m, n, A, lda, tau, work, lwork);
    });
  });
}

template <typename T>
Status trtri(Check c, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, T *A, int64_t lda,
             int *info) {
  c.uplo(uplo).size(n).matrix(A, n, n, lda).pointer(info, NullInfo);
  c.that(unsigned(diag) <= CUBLAS_DIAG_UNIT, "diag is neither of the two");
  const char unit = diag == CUBLAS_DIAG_UNIT ? 'U' : 'N';
  return c.run(info, [=] { return lapack(Lapack<T>::trtri, letter(uplo), unit, n, A, lda); });
}

/// A factorisation without pivots is one whose pivots are all on their places.
inline std::vector<int> identity(int64_t n) {
  std::vector<int> pivots(n);
  for (int64_t i = 0; i < n; ++i)
    pivots[i] = int(i) + 1;
  return pivots;
}

template <typename T>
Status sytrs(Check c, cublasFillMode_t uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda,
             const int64_t *ipiv, T *B, int64_t ldb, int *info) {
  c.uplo(uplo).size(n).size(nrhs).matrix(A, n, n, lda).matrix(B, n, nrhs, ldb);
  c.pointer(info, NullInfo);
  return c.run(info, [=] {
    const auto pivots = ipiv ? std::vector<int>(ipiv, ipiv + n) : identity(n);
    return lapack(Lapack<T>::sytrs, letter(uplo), n, nrhs, A, lda, pivots.data(), B, ldb);
  });
}

} // namespace heddle::cusolver
