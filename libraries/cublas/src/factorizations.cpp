// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of factorisations and solutions: LAPACK's functions (in OpenBLAS), one matrix after
// another. The tables of matrices, pivots and info of each matrix are in device memory, unless it
// is said else.
#include "check.h"
#include "core/openblas.h"

#include <numeric>
#include <vector>

// Fortran takes the length of each string last.
#define LAPACK(p, T)                                                                               \
  void p##getrf_(const int *, const int *, T *, const int *, int *, int *);                        \
  void p##getri_(const int *, T *, const int *, const int *, T *, const int *, int *);             \
  void p##getrs_(const char *, const int *, const int *, const T *, const int *, const int *, T *, \
                 const int *, int *, size_t);                                                      \
  void p##geqrf_(const int *, const int *, T *, const int *, T *, T *, const int *, int *);        \
  void p##gels_(const char *, const int *, const int *, const int *, T *, const int *, T *,        \
                const int *, T *, const int *, int *, size_t);
extern "C" {
LAPACK(s, float)
LAPACK(d, double)
LAPACK(c, cuComplex)
LAPACK(z, cuDoubleComplex)
}
#undef LAPACK

namespace heddle::cublas {
namespace {

template <typename T> struct Lapack;
#define LAPACK(p, T)                                                                               \
  template <> struct Lapack<T> {                                                                   \
    static constexpr auto getrf = p##getrf_;                                                       \
    static constexpr auto getri = p##getri_;                                                       \
    static constexpr auto getrs = p##getrs_;                                                       \
    static constexpr auto geqrf = p##geqrf_;                                                       \
    static constexpr auto gels = p##gels_;                                                         \
  };
LAPACK(s, float)
LAPACK(d, double)
LAPACK(c, cuComplex)
LAPACK(z, cuDoubleComplex)

/// LU without exchanges of rows, as cuBLAS does it for a null array of pivots. Returns LAPACK's
/// info.
template <typename T> int factorWithoutPivots(int n, T *A, int lda) {
  using Number = typename Blas<T>::Number;
  Number *const a = numbers(A);
  const int64_t ld = lda;
  int info = 0;
  for (int64_t k = 0; k < n; ++k) {
    const Number pivot = a[k + k * ld];
    if (pivot == Number(0)) {
      info = info ? info : int(k) + 1;
      continue;
    }
    for (int64_t i = k + 1; i < n; ++i)
      a[i + k * ld] /= pivot;
    for (int64_t j = k + 1; j < n; ++j)
      for (int64_t i = k + 1; i < n; ++i)
        a[i + j * ld] -= a[i + k * ld] * a[k + j * ld];
  }
  return info;
}

template <typename T> int factor(int n, T *A, int lda, int *pivots) {
  if (!pivots)
    return factorWithoutPivots(n, A, lda);
  int info = 0;
  Lapack<T>::getrf(&n, &n, A, &lda, pivots, &info);
  return info;
}

/// The pivots of one matrix; null arrays stand for rows that were not exchanged.
const int *pivotsOf(const int *all, int n, int64_t index, std::vector<int> &identity) {
  if (all)
    return all + index * n;
  identity.resize(size_t(n));
  std::iota(identity.begin(), identity.end(), 1);
  return identity.data();
}

template <typename T>
int invert(int n, const T *LU, int lda, const int *pivots, T *C, int ldc, std::vector<T> &work) {
  for (int64_t j = 0; j < n; ++j)
    std::copy_n(LU + j * lda, n, C + j * ldc);
  const int size = 64 * n;
  work.resize(size_t(size));
  int info = 0;
  Lapack<T>::getri(&n, C, &ldc, pivots, work.data(), &size, &info);
  return info;
}

template <typename T>
cublasStatus_t getrf(const char *name, cublasHandle_t h, int n, T *const A[], int lda, int *P,
                     int *info, int count) {
  Check c(name, h);
  c.sizes({n, count}).leading(lda, n).data(n > 0 && count > 0, {A, info});
  if (c.bad() || n == 0 || count == 0)
    return c.status();
  return submit(name, h, [=] {
    for (int64_t i = 0; i < count; ++i)
      info[i] = factor(n, A[i], lda, P ? P + i * n : nullptr);
  });
}

template <typename T>
cublasStatus_t getri(const char *name, cublasHandle_t h, int n, const T *const A[], int lda,
                     const int *P, T *const C[], int ldc, int *info, int count) {
  Check c(name, h);
  c.sizes({n, count}).leading(lda, n).leading(ldc, n).data(n > 0 && count > 0, {A, C, info});
  if (c.bad() || n == 0 || count == 0)
    return c.status();
  return submit(name, h, [=] {
    std::vector<int> identity;
    std::vector<T> work;
    for (int64_t i = 0; i < count; ++i)
      info[i] = invert(n, A[i], lda, pivotsOf(P, n, i, identity), C[i], ldc, work);
  });
}

template <typename T>
cublasStatus_t matinv(const char *name, cublasHandle_t h, int n, const T *const A[], int lda,
                      T *const C[], int ldc, int *info, int count) {
  Check c(name, h);
  c.sizes({n, count}).leading(lda, n).leading(ldc, n).data(n > 0 && count > 0, {A, C, info});
  c.that(n <= 32, "matrices of more than 32 rows need getrfBatched and getriBatched");
  if (c.bad() || n == 0 || count == 0)
    return c.status();
  return submit(name, h, [=] {
    std::vector<int> pivots(static_cast<size_t>(n));
    std::vector<T> work, copy(size_t(n) * size_t(n));
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t j = 0; j < n; ++j)
        std::copy_n(A[i] + j * lda, n, copy.data() + j * n);
      info[i] = factor(n, copy.data(), n, pivots.data());
      if (info[i] == 0)
        info[i] = invert(n, copy.data(), n, pivots.data(), C[i], ldc, work);
    }
  });
}

/// Sets info, which is on the host, where the function reports what argument is wrong.
cublasStatus_t report(const Check &c, int *info, int argument) {
  if (info)
    *info = c.bad() ? -argument : 0;
  return c.status();
}

template <typename T>
cublasStatus_t getrs(const char *name, cublasHandle_t h, cublasOperation_t trans, int n, int nrhs,
                     const T *const A[], int lda, const int *P, T *const B[], int ldb, int *info,
                     int count) {
  Check c(name, h);
  c.scalars({info}).operation(trans);
  int wrong = 1;
  const auto next = [&](int argument) { wrong = c.bad() ? wrong : argument; };
  c.sizes({n, nrhs, count}), next(5);
  c.leading(lda, n), next(8);
  c.leading(ldb, n).data(n > 0 && nrhs > 0 && count > 0, {A, B});
  if (report(c, info, wrong) != CUBLAS_STATUS_SUCCESS || n == 0 || nrhs == 0 || count == 0)
    return c.status();
  return submit(name, h, [=] {
    const char letter = "NTC"[trans];
    std::vector<int> identity;
    for (int64_t i = 0; i < count; ++i) {
      int result = 0;
      Lapack<T>::getrs(&letter, &n, &nrhs, A[i], &lda, pivotsOf(P, n, i, identity), B[i], &ldb,
                       &result, 1);
    }
  });
}

template <typename T>
cublasStatus_t geqrf(const char *name, cublasHandle_t h, int m, int n, T *const A[], int lda,
                     T *const tau[], int *info, int count) {
  Check c(name, h);
  c.scalars({info}).sizes({m, n, count});
  const int wrong = c.bad() ? 1 : 4;
  c.leading(lda, m).data(m > 0 && n > 0 && count > 0, {A, tau});
  if (report(c, info, wrong) != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0 || count == 0)
    return c.status();
  return submit(name, h, [=] {
    const int size = 64 * n;
    std::vector<T> work(static_cast<size_t>(size));
    for (int64_t i = 0; i < count; ++i) {
      int result = 0;
      Lapack<T>::geqrf(&m, &n, A[i], &lda, tau[i], work.data(), &size, &result);
    }
  });
}

template <typename T>
cublasStatus_t gels(const char *name, cublasHandle_t h, cublasOperation_t trans, int m, int n,
                    int nrhs, T *const A[], int lda, T *const C[], int ldc, int *info, int *each,
                    int count) {
  Check c(name, h);
  c.scalars({info}).operation(trans).sizes({m, n, nrhs, count});
  const int wrong = c.bad() ? 2 : 6;
  c.leading(lda, m).leading(ldc, m).data(m > 0 && n > 0 && count > 0, {A, C});
  c.supported(trans == CUBLAS_OP_N && m >= n,
              "only systems with m >= n, not transposed, are solved");
  if (report(c, info, wrong) != CUBLAS_STATUS_SUCCESS || n == 0 || nrhs == 0 || count == 0)
    return c.status();
  return submit(name, h, [=] {
    const char letter = 'N';
    const int size = n + 64 * std::max({m, n, nrhs});
    std::vector<T> work(static_cast<size_t>(size));
    for (int64_t i = 0; i < count; ++i) {
      int result = 0;
      Lapack<T>::gels(&letter, &m, &n, &nrhs, A[i], &lda, C[i], &ldc, work.data(), &size, &result,
                      1);
      if (each)
        each[i] = result;
    }
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define X(P, T, I, E)                                                                              \
  cublasStatus_t cublas##P##getrfBatched __HEDDLE_CUBLAS_GETRF(T) {                                \
    return getrf(__func__, handle, n, A, lda, pivots, info, batchSize);                            \
  }                                                                                                \
  cublasStatus_t cublas##P##getriBatched __HEDDLE_CUBLAS_GETRI(T) {                                \
    return getri(__func__, handle, n, A, lda, pivots, C, ldc, info, batchSize);                    \
  }                                                                                                \
  cublasStatus_t cublas##P##getrsBatched __HEDDLE_CUBLAS_GETRS(T) {                                \
    return getrs(__func__, handle, trans, n, nrhs, Aarray, lda, devIpiv, Barray, ldb, info,        \
                 batchSize);                                                                       \
  }                                                                                                \
  cublasStatus_t cublas##P##matinvBatched __HEDDLE_CUBLAS_MATINV(T) {                              \
    return matinv(__func__, handle, n, A, lda, Ainv, lda_inv, info, batchSize);                    \
  }                                                                                                \
  cublasStatus_t cublas##P##geqrfBatched __HEDDLE_CUBLAS_GEQRF(T) {                                \
    return geqrf(__func__, handle, m, n, Aarray, lda, TauArray, info, batchSize);                  \
  }                                                                                                \
  cublasStatus_t cublas##P##gelsBatched __HEDDLE_CUBLAS_GELS(T) {                                  \
    return gels(__func__, handle, trans, m, n, nrhs, Aarray, lda, Carray, ldc, info, devInfoArray, \
                batchSize);                                                                        \
  }
__HEDDLE_CUBLAS_SDCZ(X, int, )
