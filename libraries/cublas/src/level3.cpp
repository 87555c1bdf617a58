// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 3 beyond general products: symmetric, Hermitian and triangular matrices.
#include "check.h"
#include "core/elements.h"

#include <utility>
#include <vector>

namespace heddle::cublas {
namespace {

/// Zeros what beta = 0 multiplies, which is not read, also where it is no number: the rows of C
/// that the triangle has, or all.
template <typename T, typename R>
void clearIfZero(R beta, int64_t m, int64_t n, T *C, int64_t ldc,
                 cublasFillMode_t uplo = CUBLAS_FILL_MODE_FULL) {
  if (number(beta) != typename Blas<R>::Number(0))
    return;
  for (int64_t j = 0; j < n; ++j) {
    const int64_t first = uplo == CUBLAS_FILL_MODE_LOWER ? j : 0;
    const int64_t end = uplo == CUBLAS_FILL_MODE_UPPER ? j + 1 : m;
    std::fill(C + first + j * ldc, C + end + j * ldc, T{});
  }
}

/// In real numbers C is T; symmetric complex functions have no C, Hermitian ones no T.
template <typename T> cublasOperation_t rankOperation(cublasOperation_t trans, bool hermitian) {
  if (std::is_floating_point_v<T> && trans == CUBLAS_OP_C)
    return CUBLAS_OP_T;
  const cublasOperation_t other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  return trans == CUBLAS_OP_N || trans == other ? trans : cublasOperation_t(-1);
}

bool checkRank(Check &c, cublasFillMode_t uplo, cublasOperation_t op, int64_t n, int64_t k,
               std::initializer_list<int64_t> lds, int64_t ldc,
               std::initializer_list<const void *> scalars, std::initializer_list<const void *> in,
               const void *C) {
  c.uplo(uplo).operation(op).sizes({n, k}).leading(ldc, n).scalars(scalars);
  for (int64_t ld : lds)
    c.leading(ld, op == CUBLAS_OP_N ? n : k);
  c.data(n > 0, {C}).data(n > 0 && k > 0, in);
  return !c.bad() && n > 0;
}

template <typename T, typename R>
cublasStatus_t syrk(const char *name, cublasHandle_t h, cublasFillMode_t uplo,
                    cublasOperation_t trans, int64_t n, int64_t k, const R *alpha, const void *A,
                    cudaDataType type, int64_t lda, const R *beta, T *C, int64_t ldc) {
  constexpr bool hermitian = !std::is_same_v<T, R>;
  const cublasOperation_t op = rankOperation<T>(trans, hermitian);
  Check c(name, h);
  if (!checkRank(c, uplo, op, n, k, {lda}, ldc, {alpha, beta}, {A}, C))
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    const R first = a.get(), second = b.get();
    clearIfZero(second, n, n, C, ldc, uplo);
    const bool plain = op == CUBLAS_OP_N;
    const Panel<T> panel(type, A, plain ? n : k, plain ? k : n, lda);
    constexpr auto function = [] {
      if constexpr (hermitian)
        return Blas<T>::herk;
      else
        return Blas<T>::syrk;
    }();
    function(CblasColMajor, toBlas(uplo), toBlas(op), int(n), int(k), Blas<R>::pass(first),
             panel.data(), int(panel.ld()), Blas<R>::pass(second), C, int(ldc));
  });
}

template <typename T, typename R>
cublasStatus_t syr2k(const char *name, cublasHandle_t h, cublasFillMode_t uplo,
                     cublasOperation_t trans, int64_t n, int64_t k, const T *alpha, const T *A,
                     int64_t lda, const T *B, int64_t ldb, const R *beta, T *C, int64_t ldc) {
  constexpr bool hermitian = !std::is_same_v<T, R>;
  const cublasOperation_t op = rankOperation<T>(trans, hermitian);
  Check c(name, h);
  if (!checkRank(c, uplo, op, n, k, {lda, ldb}, ldc, {alpha, beta}, {A, B}, C))
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    const T first = a.get();
    const R second = b.get();
    clearIfZero(second, n, n, C, ldc, uplo);
    constexpr auto function = [] {
      if constexpr (hermitian)
        return Blas<T>::her2k;
      else
        return Blas<T>::syr2k;
    }();
    function(CblasColMajor, toBlas(uplo), toBlas(op), int(n), int(k), Blas<T>::pass(first), A,
             int(lda), B, int(ldb), Blas<R>::pass(second), C, int(ldc));
  });
}

/// One triangle of C = alpha op(A) op(B)^T + beta C, in blocks of columns: what lies beside the
/// diagonal goes into C at once, the blocks on it through a square of their own.
template <typename T, typename R> struct TriangularProduct {
  cublasFillMode_t uplo;
  cublasOperation_t op;
  int64_t n, k, lda, ldb, ldc;
  static constexpr bool hermitian = !std::is_same_v<T, R>;
  static constexpr int64_t block = 128;

  void run(T alpha, const T *A, const T *B, R beta, T *C) const {
    clearIfZero(beta, n, n, C, ldc, uplo);
    std::vector<T> square(block * block);
    for (int64_t j = 0; j < n; j += block) {
      const int64_t width = std::min(block, n - j);
      const int64_t first = uplo == CUBLAS_FILL_MODE_UPPER ? 0 : j + width;
      const int64_t rows = uplo == CUBLAS_FILL_MODE_UPPER ? j : n - first;
      if (rows > 0)
        gemm(rows, width, alpha, A, first, B, j, beta, C + first + j * ldc, ldc);
      gemm(width, width, alpha, A, j, B, j, R{}, square.data(), width);
      for (int64_t column = 0; column < width; ++column)
        merge(square.data() + column * width, column, width, beta, C + j + (j + column) * ldc);
    }
  }

private:
  void gemm(int64_t rows, int64_t columns, T alpha, const T *A, int64_t i, const T *B, int64_t j,
            R beta, T *C, int64_t ld) const {
    const bool plain = op == CUBLAS_OP_N;
    const CBLAS_TRANSPOSE other = hermitian ? CblasConjTrans : CblasTrans;
    T factor{};
    *reinterpret_cast<R *>(&factor) = beta; // the real part, or all of it
    Blas<T>::gemm(CblasColMajor, plain ? CblasNoTrans : other, plain ? other : CblasNoTrans,
                  int(rows), int(columns), int(k), Blas<T>::pass(alpha), A + (plain ? i : i * lda),
                  int(lda), B + (plain ? j : j * ldb), int(ldb), Blas<T>::pass(factor), C, int(ld));
  }
  void merge(const T *sums, int64_t diagonal, int64_t width, R beta, T *C) const {
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    for (int64_t i = upper ? 0 : diagonal; i < (upper ? diagonal + 1 : width); ++i)
      numbers(C)[i] = numbers(sums)[i] + number(beta) * numbers(C)[i];
    if constexpr (hermitian) // the diagonal is real
      C[diagonal].y = 0;
  }
};

template <typename T, typename R>
cublasStatus_t syrkx(const char *name, cublasHandle_t h, cublasFillMode_t uplo,
                     cublasOperation_t trans, int64_t n, int64_t k, const T *alpha, const T *A,
                     int64_t lda, const T *B, int64_t ldb, const R *beta, T *C, int64_t ldc) {
  const cublasOperation_t op = rankOperation<T>(trans, !std::is_same_v<T, R>);
  Check c(name, h);
  if (!checkRank(c, uplo, op, n, k, {lda, ldb}, ldc, {alpha, beta}, {A, B}, C))
    return c.status();
  const TriangularProduct<T, R> product{uplo, op, n, k, lda, ldb, ldc};
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    product.run(a.get(), A, B, b.get(), C);
  });
}

template <typename T, typename F>
cublasStatus_t symm(const char *name, cublasHandle_t h, F function, cublasSideMode_t side,
                    cublasFillMode_t uplo, int64_t m, int64_t n, const T *alpha, const T *A,
                    int64_t lda, const T *B, int64_t ldb, const T *beta, T *C, int64_t ldc) {
  Check c(name, h);
  c.side(side).uplo(uplo).sizes({m, n}).leading(lda, side == CUBLAS_SIDE_LEFT ? m : n);
  c.leading(ldb, m).leading(ldc, m).scalars({alpha, beta}).data(m > 0 && n > 0, {A, B, C});
  if (c.bad() || m == 0 || n == 0)
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    const T first = a.get(), second = b.get();
    clearIfZero(second, m, n, C, ldc);
    function(CblasColMajor, toBlas(side), toBlas(uplo), int(m), int(n), Blas<T>::pass(first), A,
             int(lda), B, int(ldb), Blas<T>::pass(second), C, int(ldc));
  });
}

/// The triangular matrix of trsm and trmm, and where it stands.
struct Factor {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  cublasDiagType_t diag;
  int64_t m, n, lda, ldb;

  bool check(Check &c, const void *alpha, std::initializer_list<const void *> data,
             int64_t count = 1) const {
    c.side(side).triangle(uplo, trans, diag).sizes({m, n, count});
    c.leading(lda, side == CUBLAS_SIDE_LEFT ? m : n).leading(ldb, m).scalars({alpha});
    const bool any = m > 0 && n > 0 && count > 0;
    return !c.data(any, data).bad() && any;
  }
  template <typename T, typename F> void apply(F function, T alpha, const T *A, T *B) const {
    function(CblasColMajor, toBlas(side), toBlas(uplo), toBlas(trans), toBlas(diag), int(m), int(n),
             Blas<T>::pass(alpha), A, int(lda), B, int(ldb));
  }
};

template <typename T>
cublasStatus_t trsm(const char *name, cublasHandle_t h, const Factor &f, const T *alpha, const T *A,
                    T *B) {
  Check c(name, h);
  if (!f.check(c, alpha, {A, B}))
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha)] { f.apply(Blas<T>::trsm, a.get(), A, B); });
}

template <typename T>
cublasStatus_t trsmBatched(const char *name, cublasHandle_t h, const Factor &f, const T *alpha,
                           const T *const A[], T *const B[], int64_t count) {
  Check c(name, h);
  if (!f.check(c, alpha, {A, B}, count))
    return c.status();
  return submit(name, h, [=, a = Scalar(h, alpha)] {
    for (int64_t i = 0; i < count; ++i)
      f.apply(Blas<T>::trsm, a.get(), A[i], B[i]);
  });
}

/// cuBLAS's trmm puts the result into C, which may be B.
template <typename T>
cublasStatus_t trmm(const char *name, cublasHandle_t h, Factor f, const T *alpha, const T *A,
                    const T *B, T *C, int64_t ldc) {
  Check c(name, h);
  c.leading(ldc, f.m);
  c.that(B != C || f.ldb == ldc, "in place, ldb and ldc must be equal");
  if (!f.check(c, alpha, {A, B, C}))
    return c.status();
  const int64_t ldb = std::exchange(f.ldb, ldc);
  return submit(name, h, [=, a = Scalar(h, alpha)] {
    if (B != C)
      for (int64_t j = 0; j < f.n; ++j)
        std::copy_n(B + j * ldb, f.m, C + j * ldc);
    f.apply(Blas<T>::trmm, a.get(), A, C);
  });
}

/// cublasCsyrkEx and its kin: A is complex float or complex bytes, C is complex float.
template <typename R>
cublasStatus_t syrkEx(const char *name, cublasHandle_t h, cublasFillMode_t uplo,
                      cublasOperation_t trans, int64_t n, int64_t k, const R *alpha, const void *A,
                      cudaDataType type, int64_t lda, const R *beta, void *C, cudaDataType ctype,
                      int64_t ldc) {
  Check c(name, h);
  c.supported((type == CUDA_C_32F || type == CUDA_C_8I) && ctype == CUDA_C_32F,
              "this combination of types is not supported");
  return c.bad() ? c.status()
                 : syrk(name, h, uplo, trans, n, k, alpha, A, type, lda, beta,
                        static_cast<cuComplex *>(C), ldc);
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define X(name, T, R, hermitian, I, E)                                                             \
  cublasStatus_t cublas##name##E __HEDDLE_CUBLAS_SYRK(T, R, I) {                                   \
    return syrk(__func__, handle, uplo, trans, n, k, alpha, A, typeOf<T>, lda, beta, C, ldc);      \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_RANK_K, X)
#undef X

#define X(name, T, R, kind, I, E)                                                                  \
  cublasStatus_t cublas##name##E __HEDDLE_CUBLAS_SYR2K(T, R, I) {                                  \
    constexpr auto function = kind < 2 ? syr2k<T, R> : syrkx<T, R>;                                \
    return function(__func__, handle, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);     \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_RANK_2K, X)
#undef X

#define X(P, name, T, I, E)                                                                        \
  cublasStatus_t cublas##P##name##_v2##E __HEDDLE_CUBLAS_SYMM_ARGS(T, I) {                         \
    return symm(__func__, handle, Blas<T>::name, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, \
                ldc);                                                                              \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SYMM, X)
#undef X

#define FACTOR                                                                                     \
  Factor { side, uplo, trans, diag, m, n, lda, ldb }
#define X(P, T, I, E)                                                                              \
  cublasStatus_t cublas##P##trsm_v2##E __HEDDLE_CUBLAS_TRSM(T, I) {                                \
    return trsm(__func__, handle, FACTOR, alpha, A, B);                                            \
  }                                                                                                \
  cublasStatus_t cublas##P##trmm_v2##E __HEDDLE_CUBLAS_TRMM(T, I) {                                \
    return trmm(__func__, handle, FACTOR, alpha, A, B, C, ldc);                                    \
  }                                                                                                \
  cublasStatus_t cublas##P##trsmBatched##E __HEDDLE_CUBLAS_TRSM_BATCHED(T, I) {                    \
    return trsmBatched(__func__, handle, FACTOR, alpha, A, B, batchCount);                         \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SDCZ, X)
#undef X

#define SYRK_EX(name, R, I)                                                                        \
  cublasStatus_t name __HEDDLE_CUBLAS_SYRK_EX(R, I) {                                              \
    return syrkEx(__func__, handle, uplo, trans, n, k, alpha, A, Atype, lda, beta, C, Ctype, ldc); \
  }
#define X(I, E)                                                                                    \
  SYRK_EX(cublasCsyrkEx##E, cuComplex, I)                                                          \
  SYRK_EX(cublasCsyrk3mEx##E, cuComplex, I)                                                        \
  SYRK_EX(cublasCherkEx##E, float, I)                                                              \
  SYRK_EX(cublasCherk3mEx##E, float, I)
X(int, ) X(int64_t, _64)
