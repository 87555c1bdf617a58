// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The BLAS functions: arguments are checked, then a task on the handle's stream calls OpenBLAS.
#include "handle.h"

#include <algorithm>
#include <cblas.h>
#include <climits>

namespace heddle::cublas {
namespace {

// OpenBLAS's functions by type.
template <typename T> struct Blas;
#define REAL(T, p)                                                                                 \
  template <> struct Blas<T> {                                                                     \
    static constexpr auto axpy = cblas_##p##axpy;                                                  \
    static constexpr auto copy = cblas_##p##copy;                                                  \
    static constexpr auto swap = cblas_##p##swap;                                                  \
    static constexpr auto scal = cblas_##p##scal;                                                  \
    static constexpr auto gemv = cblas_##p##gemv;                                                  \
    static constexpr auto gemm = cblas_##p##gemm;                                                  \
    static constexpr auto dot = cblas_##p##dot;                                                    \
    static T norm(int n, const T *x, int inc) { return cblas_##p##nrm2(n, x, inc); }               \
    static T sum(int n, const T *x, int inc) { return cblas_##p##asum(n, x, inc); }                \
    static T pass(T value) { return value; }                                                       \
  };
REAL(float, s)
REAL(double, d)
#define COMPLEX(T, p)                                                                              \
  template <> struct Blas<T> {                                                                     \
    static constexpr auto axpy = cblas_##p##axpy;                                                  \
    static constexpr auto copy = cblas_##p##copy;                                                  \
    static constexpr auto swap = cblas_##p##swap;                                                  \
    static constexpr auto scal = cblas_##p##scal;                                                  \
    static constexpr auto gemv = cblas_##p##gemv;                                                  \
    static constexpr auto gemm = cblas_##p##gemm;                                                  \
    static const T *pass(const T &value) { return &value; }                                        \
  };
COMPLEX(cuComplex, c)
COMPLEX(cuDoubleComplex, z)

template <typename T> bool isZero(T value) { return value == T(0); }
bool isZero(cuComplex value) { return value.x == 0 && value.y == 0; }
bool isZero(cuDoubleComplex value) { return value.x == 0 && value.y == 0; }

CBLAS_TRANSPOSE transpose(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? CblasNoTrans
                                  : (operation == CUBLAS_OP_T ? CblasTrans : CblasConjTrans);
}

/// Collects what is wrong with a call's arguments; the first fault is the one that is told.
class Check {
public:
  Check(const char *function, cublasHandle_t handle) : function_(function) {
    if (!isLive(handle))
      fault(CUBLAS_STATUS_NOT_INITIALIZED, "the handle was not created, or destroyed");
  }
  Check &that(bool holds, const char *why) {
    if (!holds)
      fault(CUBLAS_STATUS_INVALID_VALUE, why);
    return *this;
  }
  Check &pointer(const void *pointer, const char *why) { return that(pointer != nullptr, why); }
  Check &operation(cublasOperation_t value) {
    return that(unsigned(value) <= CUBLAS_OP_C, "the operation is none of N, T and C");
  }
  // OpenBLAS counts in int.
  Check &sizes(std::initializer_list<int64_t> values) {
    if (std::any_of(values.begin(), values.end(), [](int64_t v) { return v > INT_MAX; }))
      fault(CUBLAS_STATUS_NOT_SUPPORTED, "a size or stride of 2^31 or more is not supported");
    return *this;
  }
  bool bad() const { return status_ != CUBLAS_STATUS_SUCCESS; }
  cublasStatus_t status() const { return status_; }

private:
  void fault(cublasStatus_t status, const char *why) {
    if (!bad())
      status_ = refuse(function_, status, why);
  }
  const char *function_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

template <typename T>
cublasStatus_t axpy(const char *name, cublasHandle_t h, int64_t n, const T *alpha, const T *x,
                    int64_t incx, T *y, int64_t incy) {
  if (Check c(name, h); c.pointer(alpha, "alpha is null").sizes({n, incx, incy}).bad())
    return c.status();
  if (n <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(name, h, [=, a = Scalar(h, alpha)] {
    const T value = a.get();
    Blas<T>::axpy(int(n), Blas<T>::pass(value), x, int(incx), y, int(incy));
  });
}

template <typename T, typename X>
cublasStatus_t twoVectors(const char *name, cublasHandle_t h, int64_t n, X *x, int64_t incx, T *y,
                          int64_t incy, void (*function)(int, X *, int, T *, int)) {
  if (Check c(name, h); c.sizes({n, incx, incy}).bad())
    return c.status();
  if (n <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(name, h, [=] { function(int(n), x, int(incx), y, int(incy)); });
}

template <typename T>
cublasStatus_t copy(const char *name, cublasHandle_t h, int64_t n, const T *x, int64_t incx, T *y,
                    int64_t incy) {
  return twoVectors<T, const T>(name, h, n, x, incx, y, incy,
                                [](int count, const T *from, int step, T *to, int to_step) {
                                  Blas<T>::copy(count, from, step, to, to_step);
                                });
}

template <typename T>
cublasStatus_t swap(const char *name, cublasHandle_t h, int64_t n, T *x, int64_t incx, T *y,
                    int64_t incy) {
  return twoVectors<T, T>(name, h, n, x, incx, y, incy,
                          [](int count, T *from, int step, T *to, int to_step) {
                            Blas<T>::swap(count, from, step, to, to_step);
                          });
}

template <typename T>
cublasStatus_t scal(const char *name, cublasHandle_t h, int64_t n, const T *alpha, T *x,
                    int64_t incx) {
  if (Check c(name, h); c.pointer(alpha, "alpha is null").sizes({n, incx}).bad())
    return c.status();
  if (n <= 0 || incx <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(name, h, [=, a = Scalar(h, alpha)] {
    const T value = a.get();
    Blas<T>::scal(int(n), Blas<T>::pass(value), x, int(incx));
  });
}

/// A function with one number as result, which in host mode is there when the call returns.
template <typename T, typename F>
cublasStatus_t reduce(const char *name, cublasHandle_t h, std::initializer_list<int64_t> sizes,
                      T *result, F function) {
  if (Check c(name, h); c.pointer(result, "result is null").sizes(sizes).bad())
    return c.status();
  const cublasStatus_t status = submit(name, h, [=] { *result = function(); });
  if (status != CUBLAS_STATUS_SUCCESS || h->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
    return status;
  return finish(h);
}

template <typename T>
cublasStatus_t gemv(const char *name, cublasHandle_t h, cublasOperation_t op, int64_t m, int64_t n,
                    const T *alpha, const T *A, int64_t lda, const T *x, int64_t incx,
                    const T *beta, T *y, int64_t incy) {
  Check c(name, h);
  c.operation(op).that(m >= 0 && n >= 0, "m or n is negative");
  c.that(lda >= std::max<int64_t>(1, m), "lda is less than the rows of A");
  c.that(incx != 0 && incy != 0, "incx or incy is zero");
  c.pointer(alpha, "alpha is null").pointer(beta, "beta is null").sizes({m, n, lda, incx, incy});
  if (c.bad() || m == 0 || n == 0)
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    const T first = a.get(), second = b.get();
    Blas<T>::gemv(CblasColMajor, transpose(op), int(m), int(n), Blas<T>::pass(first), A, int(lda),
                  x, int(incx), Blas<T>::pass(second), y, int(incy));
  });
}

/// C = alpha op(A) op(B) + beta C of one matrix or several.
template <typename T> struct Gemm {
  cublasOperation_t opa, opb;
  int64_t m, n, k, lda, ldb, ldc;

  bool check(Check &c, const T *alpha, const T *beta, int64_t batch) const {
    c.operation(opa).operation(opb).that(m >= 0 && n >= 0 && k >= 0, "m, n or k is negative");
    c.that(batch >= 0, "batchCount is negative");
    c.that(lda >= std::max<int64_t>(1, opa == CUBLAS_OP_N ? m : k), "lda is less than A's rows");
    c.that(ldb >= std::max<int64_t>(1, opb == CUBLAS_OP_N ? k : n), "ldb is less than B's rows");
    c.that(ldc >= std::max<int64_t>(1, m), "ldc is less than C's rows");
    c.pointer(alpha, "alpha is null").pointer(beta, "beta is null");
    return !c.sizes({m, n, k, lda, ldb, ldc}).bad() && m > 0 && n > 0 && batch > 0;
  }
  void run(T alpha, const T *A, const T *B, T beta, T *C) const {
    // What is multiplied by zero is not read, also if it is no number.
    if (isZero(beta))
      for (int64_t column = 0; column < n; ++column)
        std::fill_n(C + column * ldc, m, T{});
    Blas<T>::gemm(CblasColMajor, transpose(opa), transpose(opb), int(m), int(n), int(k),
                  Blas<T>::pass(alpha), A, int(lda), B, int(ldb), Blas<T>::pass(beta), C, int(ldc));
  }
};

template <typename T>
cublasStatus_t gemm(const char *name, cublasHandle_t h, Gemm<T> g, const T *alpha, const T *A,
                    const T *B, const T *beta, T *C, int64_t strideA = 0, int64_t strideB = 0,
                    int64_t strideC = 0, int64_t batch = 1) {
  Check c(name, h);
  if (!g.check(c, alpha, beta, batch))
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    for (int64_t i = 0; i < batch; ++i)
      g.run(a.get(), A + i * strideA, B + i * strideB, b.get(), C + i * strideC);
  });
}

template <typename T>
cublasStatus_t gemmBatched(const char *name, cublasHandle_t h, Gemm<T> g, const T *alpha,
                           const T *const A[], const T *const B[], const T *beta, T *const C[],
                           int64_t batch) {
  Check c(name, h);
  if (!g.check(c, alpha, beta, batch))
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    for (int64_t i = 0; i < batch; ++i)
      g.run(a.get(), A[i], B[i], b.get(), C[i]);
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define SDCZ(X, I, E)                                                                              \
  X(S, float, I, E) X(D, double, I, E) X(C, cuComplex, I, E) X(Z, cuDoubleComplex, I, E)
#define H cublasHandle_t h
#define OP cublasOperation_t

#define EACH(P, T, I, E)                                                                           \
  cublasStatus_t cublas##P##axpy_v2##E(H, I n, const T *alpha, const T *x, I incx, T *y, I incy) { \
    return axpy(__func__, h, n, alpha, x, incx, y, incy);                                          \
  }                                                                                                \
  cublasStatus_t cublas##P##copy_v2##E(H, I n, const T *x, I incx, T *y, I incy) {                 \
    return copy(__func__, h, n, x, incx, y, incy);                                                 \
  }                                                                                                \
  cublasStatus_t cublas##P##swap_v2##E(H, I n, T *x, I incx, T *y, I incy) {                       \
    return heddle::cublas::swap(__func__, h, n, x, incx, y, incy);                                 \
  }                                                                                                \
  cublasStatus_t cublas##P##scal_v2##E(H, I n, const T *alpha, T *x, I incx) {                     \
    return scal(__func__, h, n, alpha, x, incx);                                                   \
  }                                                                                                \
  cublasStatus_t cublas##P##gemv_v2##E(H, OP op, I m, I n, const T *alpha, const T *A, I lda,      \
                                       const T *x, I incx, const T *beta, T *y, I incy) {          \
    return gemv(__func__, h, op, m, n, alpha, A, lda, x, incx, beta, y, incy);                     \
  }                                                                                                \
  cublasStatus_t cublas##P##gemm_v2##E(H, OP ta, OP tb, I m, I n, I k, const T *alpha, const T *A, \
                                       I lda, const T *B, I ldb, const T *beta, T *C, I ldc) {     \
    return gemm(__func__, h, Gemm<T>{ta, tb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C);       \
  }                                                                                                \
  cublasStatus_t cublas##P##gemmStridedBatched##E(                                                 \
      H, OP ta, OP tb, I m, I n, I k, const T *alpha, const T *A, I lda, long long sa, const T *B, \
      I ldb, long long sb, const T *beta, T *C, I ldc, long long sc, I batch) {                    \
    return gemm(__func__, h, Gemm<T>{ta, tb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C, sa,    \
                sb, sc, batch);                                                                    \
  }                                                                                                \
  cublasStatus_t cublas##P##gemmBatched##E(H, OP ta, OP tb, I m, I n, I k, const T *alpha,         \
                                           const T *const A[], I lda, const T *const B[], I ldb,   \
                                           const T *beta, T *const C[], I ldc, I batch) {          \
    return gemmBatched(__func__, h, Gemm<T>{ta, tb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C, \
                       batch);                                                                     \
  }
SDCZ(EACH, int, )
SDCZ(EACH, int64_t, _64)

#define REDUCTIONS(P, T, I, E)                                                                     \
  cublasStatus_t cublas##P##dot_v2##E(H, I n, const T *x, I incx, const T *y, I incy, T *result) { \
    return reduce(__func__, h, {n, incx, incy}, result,                                            \
                  [=] { return Blas<T>::dot(int(n), x, int(incx), y, int(incy)); });               \
  }                                                                                                \
  cublasStatus_t cublas##P##nrm2_v2##E(H, I n, const T *x, I incx, T *result) {                    \
    return reduce(__func__, h, {n, incx}, result,                                                  \
                  [=] { return incx > 0 ? Blas<T>::norm(int(n), x, int(incx)) : 0; });             \
  }                                                                                                \
  cublasStatus_t cublas##P##asum_v2##E(H, I n, const T *x, I incx, T *result) {                    \
    return reduce(__func__, h, {n, incx}, result,                                                  \
                  [=] { return incx > 0 ? Blas<T>::sum(int(n), x, int(incx)) : 0; });              \
  }
REDUCTIONS(S, float, int, )
REDUCTIONS(D, double, int, )
REDUCTIONS(S, float, int64_t, _64)
REDUCTIONS(D, double, int64_t, _64)
