// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 2: functions of a matrix and vectors.
#include "check.h"
#include "core/openblas.h"

namespace heddle::cublas {
namespace {

/// Zeros a vector that beta = 0 multiplies, which is not read, also where it is no number.
template <typename T> void clearIfZero(T beta, int64_t n, T *y, int64_t incy) {
  if (number(beta) != typename Blas<T>::Number(0))
    return;
  for (int64_t i = 0; i < n; ++i)
    y[i * std::abs(incy)] = T{};
}

template <typename T>
cublasStatus_t gemv(const char *name, cublasHandle_t h, cublasOperation_t op, int64_t m, int64_t n,
                    const T *alpha, const T *A, int64_t lda, const T *x, int64_t incx,
                    const T *beta, T *y, int64_t incy) {
  Check c(name, h);
  c.operation(op).sizes({m, n}).leading(lda, m).steps({incx, incy}).scalars({alpha, beta});
  if (c.data(m > 0 && n > 0, {A, x, y}).bad() || m == 0 || n == 0)
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    const T first = a.get(), second = b.get();
    clearIfZero(second, op == CUBLAS_OP_N ? m : n, y, incy);
    Blas<T>::gemv(CblasColMajor, toBlas(op), int(m), int(n), Blas<T>::pass(first), A, int(lda), x,
                  int(incx), Blas<T>::pass(second), y, int(incy));
  });
}

template <typename T>
cublasStatus_t gbmv(const char *name, cublasHandle_t h, cublasOperation_t op, int64_t m, int64_t n,
                    int64_t kl, int64_t ku, const T *alpha, const T *A, int64_t lda, const T *x,
                    int64_t incx, const T *beta, T *y, int64_t incy) {
  Check c(name, h);
  c.operation(op).sizes({m, n, kl, ku}).leading(lda, kl + ku + 1).steps({incx, incy});
  c.scalars({alpha, beta});
  if (c.data(m > 0 && n > 0, {A, x, y}).bad() || m == 0 || n == 0)
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    const T first = a.get(), second = b.get();
    clearIfZero(second, op == CUBLAS_OP_N ? m : n, y, incy);
    Blas<T>::gbmv(CblasColMajor, toBlas(op), int(m), int(n), int(kl), int(ku), Blas<T>::pass(first),
                  A, int(lda), x, int(incx), Blas<T>::pass(second), y, int(incy));
  });
}

struct Triangle {
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  cublasDiagType_t diag;
};

/// A function of a triangular matrix and one vector. `rows` is what a column of the matrix needs
/// (0: packed); the function gets order, triangle, n, and then what `call` adds.
template <typename T, typename F>
cublasStatus_t triangular(const char *name, cublasHandle_t h, Triangle t,
                          std::initializer_list<int64_t> sizes, int64_t n, int64_t lda,
                          int64_t rows, const T *A, T *x, int64_t incx, F call) {
  Check c(name, h);
  c.triangle(t.uplo, t.trans, t.diag).sizes(sizes).steps({incx});
  if (rows >= 0)
    c.leading(lda, rows);
  if (c.data(n > 0, {A, x}).bad() || n == 0)
    return c.status();
  return submit(name, h, [=] { call(toBlas(t.uplo), toBlas(t.trans), toBlas(t.diag)); });
}

/// y = alpha A x + beta y with a symmetric matrix, however it is stored.
template <typename T, typename F>
cublasStatus_t symmetric(const char *name, cublasHandle_t h, cublasFillMode_t uplo,
                         std::initializer_list<int64_t> sizes, int64_t n, int64_t lda, int64_t rows,
                         const T *alpha, const T *A, const T *x, int64_t incx, const T *beta, T *y,
                         int64_t incy, F call) {
  Check c(name, h);
  c.uplo(uplo).sizes(sizes).steps({incx, incy}).scalars({alpha, beta});
  if (rows >= 0)
    c.leading(lda, rows);
  if (c.data(n > 0, {A, x, y}).bad() || n == 0)
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    const T first = a.get(), second = b.get();
    clearIfZero(second, n, y, incy);
    call(toBlas(uplo), Blas<T>::pass(first), Blas<T>::pass(second));
  });
}

/// A += alpha x y^T and its kin: rows < 0 means that A is packed.
template <typename R, typename F>
cublasStatus_t update(const char *name, cublasHandle_t h, cublasFillMode_t uplo, int64_t m,
                      int64_t n, int64_t lda, int64_t rows, const R *alpha,
                      std::initializer_list<int64_t> steps,
                      std::initializer_list<const void *> data, F call) {
  Check c(name, h);
  c.uplo(uplo).sizes({m, n}).steps(steps).scalars({alpha});
  if (rows >= 0)
    c.leading(lda, rows);
  if (c.data(m > 0 && n > 0, data).bad() || m == 0 || n == 0)
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha)] {
    const R value = a.get();
    call(toBlas(uplo), Blas<R>::pass(value));
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define X(P, T, I, E)                                                                              \
  cublasStatus_t cublas##P##gemv_v2##E __HEDDLE_CUBLAS_GEMV(T, I) {                                \
    return gemv(__func__, handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);             \
  }                                                                                                \
  cublasStatus_t cublas##P##gbmv_v2##E __HEDDLE_CUBLAS_GBMV(T, I) {                                \
    return gbmv(__func__, handle, trans, m, n, kl, ku, alpha, A, lda, x, incx, beta, y, incy);     \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SDCZ, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_TRMV(T, I) {                              \
    return triangular(__func__, handle, {uplo, trans, diag}, {n}, n, lda, n, A, x, incx,           \
                      [=](auto u, auto t, auto d) {                                                \
                        Blas<T>::name(CblasColMajor, u, t, d, int(n), A, int(lda), x, int(incx));  \
                      });                                                                          \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_FULL_TRIANGLES, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_TPMV(T, I) {                              \
    return triangular(__func__, handle, {uplo, trans, diag}, {n}, n, 0, -1, AP, x, incx,           \
                      [=](auto u, auto t, auto d) {                                                \
                        Blas<T>::name(CblasColMajor, u, t, d, int(n), AP, x, int(incx));           \
                      });                                                                          \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_PACKED_TRIANGLES, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_TBMV(T, I) {                              \
    return triangular(__func__, handle, {uplo, trans, diag}, {n, k}, n, lda, int64_t(k) + 1, A, x, \
                      incx, [=](auto u, auto t, auto d) {                                          \
                        Blas<T>::name(CblasColMajor, u, t, d, int(n), int(k), A, int(lda), x,      \
                                      int(incx));                                                  \
                      });                                                                          \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_BANDED_TRIANGLES, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_SYMV(T, I) {                              \
    return symmetric(__func__, handle, uplo, {n}, n, lda, n, alpha, A, x, incx, beta, y, incy,     \
                     [=](auto u, auto a, auto b) {                                                 \
                       Blas<T>::name(CblasColMajor, u, int(n), a, A, int(lda), x, int(incx), b, y, \
                                     int(incy));                                                   \
                     });                                                                           \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SYMMETRIC, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_SBMV(T, I) {                              \
    return symmetric(__func__, handle, uplo, {n, k}, n, lda, int64_t(k) + 1, alpha, A, x, incx,    \
                     beta, y, incy, [=](auto u, auto a, auto b) {                                  \
                       Blas<T>::name(CblasColMajor, u, int(n), int(k), a, A, int(lda), x,          \
                                     int(incx), b, y, int(incy));                                  \
                     });                                                                           \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_BANDED_SYMMETRIC, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_SPMV(T, I) {                              \
    return symmetric(__func__, handle, uplo, {n}, n, 0, -1, alpha, AP, x, incx, beta, y, incy,     \
                     [=](auto u, auto a, auto b) {                                                 \
                       Blas<T>::name(CblasColMajor, u, int(n), a, AP, x, int(incx), b, y,          \
                                     int(incy));                                                   \
                     });                                                                           \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_PACKED_SYMMETRIC, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_GER(T, I) {                               \
    return update(__func__, handle, CUBLAS_FILL_MODE_LOWER, m, n, lda, m, alpha, {incx, incy},     \
                  {x, y, A}, [=](auto, auto a) {                                                   \
                    Blas<T>::name(CblasColMajor, int(m), int(n), a, x, int(incx), y, int(incy), A, \
                                  int(lda));                                                       \
                  });                                                                              \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_OUTER, X)
#undef X

#define X(P, name, T, R, I, E)                                                                     \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_SYR(T, R, I) {                            \
    return update(__func__, handle, uplo, n, n, lda, n, alpha, {incx}, {x, A},                     \
                  [=](auto u, auto a) {                                                            \
                    Blas<T>::name(CblasColMajor, u, int(n), a, x, int(incx), A, int(lda));         \
                  });                                                                              \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_RANK_1, X)
#undef X

#define X(P, name, T, R, I, E)                                                                     \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_SPR(T, R, I) {                            \
    return update(                                                                                 \
        __func__, handle, uplo, n, n, 0, -1, alpha, {incx}, {x, AP},                               \
        [=](auto u, auto a) { Blas<T>::name(CblasColMajor, u, int(n), a, x, int(incx), AP); });    \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_PACKED_RANK_1, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_SYR2(T, I) {                              \
    return update(__func__, handle, uplo, n, n, lda, n, alpha, {incx, incy}, {x, y, A},            \
                  [=](auto u, auto a) {                                                            \
                    Blas<T>::name(CblasColMajor, u, int(n), a, x, int(incx), y, int(incy), A,      \
                                  int(lda));                                                       \
                  });                                                                              \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_RANK_2, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_SPR2(T, I) {                              \
    return update(__func__, handle, uplo, n, n, 0, -1, alpha, {incx, incy}, {x, y, AP},            \
                  [=](auto u, auto a) {                                                            \
                    Blas<T>::name(CblasColMajor, u, int(n), a, x, int(incx), y, int(incy), AP);    \
                  });                                                                              \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_PACKED_RANK_2, X)
