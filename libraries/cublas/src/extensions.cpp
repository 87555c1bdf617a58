// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's extensions that need no factorisation: sums of matrices, diagonal matrices, packed
// triangles.
#include "check.h"
#include "core/openblas.h"

namespace heddle::cublas {
namespace {

template <typename T>
typename Blas<T>::Number element(const T *A, int64_t ld, cublasOperation_t op, int64_t i,
                                 int64_t j) {
  const auto value = numbers(A)[op == CUBLAS_OP_N ? i + j * ld : j + i * ld];
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return op == CUBLAS_OP_C ? std::conj(value) : value;
}

template <typename T>
cublasStatus_t geam(const char *name, cublasHandle_t h, cublasOperation_t opa,
                    cublasOperation_t opb, int64_t m, int64_t n, const T *alpha, const T *A,
                    int64_t lda, const T *beta, const T *B, int64_t ldb, T *C, int64_t ldc) {
  Check c(name, h);
  c.operation(opa).operation(opb).sizes({m, n}).leading(ldc, m).scalars({alpha, beta});
  c.leading(lda, opa == CUBLAS_OP_N ? m : n).leading(ldb, opb == CUBLAS_OP_N ? m : n);
  // In place, only where each element is read before it is written (documentation of geam).
  c.that(C != A || (opa == CUBLAS_OP_N && lda == ldc), "C may be A only untransposed and alike");
  c.that(C != B || (opb == CUBLAS_OP_N && ldb == ldc), "C may be B only untransposed and alike");
  if (c.data(m > 0 && n > 0, {C}).bad() || m == 0 || n == 0)
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    using Number = typename Blas<T>::Number;
    const Number first = number(a.get()), second = number(b.get()), zero(0);
    const bool use_a = first != zero && A, use_b = second != zero && B;
    constexpr int64_t tile = 32; // so that what is read across columns stays in the cache
    for (int64_t j0 = 0; j0 < n; j0 += tile)
      for (int64_t i0 = 0; i0 < m; i0 += tile)
        for (int64_t j = j0; j < std::min(n, j0 + tile); ++j)
          for (int64_t i = i0; i < std::min(m, i0 + tile); ++i)
            numbers(C)[i + j * ldc] = (use_a ? first * element(A, lda, opa, i, j) : zero) +
                                      (use_b ? second * element(B, ldb, opb, i, j) : zero);
  });
}

template <typename T>
cublasStatus_t dgmm(const char *name, cublasHandle_t h, cublasSideMode_t side, int64_t m, int64_t n,
                    const T *A, int64_t lda, const T *x, int64_t incx, T *C, int64_t ldc) {
  Check c(name, h);
  c.side(side).sizes({m, n}).narrow({incx}).leading(lda, m).leading(ldc, m);
  c.that(C != A || lda == ldc, "in place, lda and ldc must be equal");
  if (c.data(m > 0 && n > 0, {A, x, C}).bad() || m == 0 || n == 0)
    return c.status();
  const int64_t count = side == CUBLAS_SIDE_LEFT ? m : n;
  return submit(name, h, [=] {
    const auto *diagonal = numbers(x) + (incx < 0 ? (1 - count) * incx : 0);
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i)
        numbers(C)[i + j * ldc] =
            numbers(A)[i + j * lda] * diagonal[(side == CUBLAS_SIDE_LEFT ? i : j) * incx];
  });
}

/// Calls f(index in the packed triangle, index in the matrix) for each element of a triangle.
template <typename F> void eachOfTriangle(cublasFillMode_t uplo, int64_t n, int64_t lda, F f) {
  int64_t packed = 0;
  for (int64_t j = 0; j < n; ++j) {
    const int64_t first = uplo == CUBLAS_FILL_MODE_UPPER ? 0 : j;
    const int64_t end = uplo == CUBLAS_FILL_MODE_UPPER ? j + 1 : n;
    for (int64_t i = first; i < end; ++i)
      f(packed++, i + j * lda);
  }
}

/// tpttr and trttp: `move` copies one element.
template <typename F>
cublasStatus_t pack(const char *name, cublasHandle_t h, cublasFillMode_t uplo, int n, int lda,
                    const void *A, const void *AP, F move) {
  Check c(name, h);
  c.uplo(uplo).sizes({n}).leading(lda, n).data(n > 0, {A, AP});
  if (c.bad() || n == 0)
    return c.status();
  return submit(name, h, [=] { eachOfTriangle(uplo, n, lda, move); });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define X(P, T, I, E)                                                                              \
  cublasStatus_t cublas##P##geam##E __HEDDLE_CUBLAS_GEAM(T, I) {                                   \
    return geam(__func__, handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);      \
  }                                                                                                \
  cublasStatus_t cublas##P##dgmm##E __HEDDLE_CUBLAS_DGMM(T, I) {                                   \
    return dgmm(__func__, handle, mode, m, n, A, lda, x, incx, C, ldc);                            \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SDCZ, X)
#undef X

#define X(P, T, I, E)                                                                              \
  cublasStatus_t cublas##P##tpttr __HEDDLE_CUBLAS_TPTTR(T) {                                       \
    return pack(__func__, handle, uplo, n, lda, A, AP,                                             \
                [=](int64_t packed, int64_t full) { A[full] = AP[packed]; });                      \
  }                                                                                                \
  cublasStatus_t cublas##P##trttp __HEDDLE_CUBLAS_TRTTP(T) {                                       \
    return pack(__func__, handle, uplo, n, lda, A, AP,                                             \
                [=](int64_t packed, int64_t full) { AP[packed] = A[full]; });                      \
  }
__HEDDLE_CUBLAS_SDCZ(X, int, )
