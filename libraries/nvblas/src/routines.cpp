// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BLAS's own names. What a BLAS would complain about goes to the CPU's, which tells the program as
// it is used to (xerbla).
#pragma GCC visibility push(default)
#include <nvblas.h>
#pragma GCC visibility pop

#include "library.h"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace heddle::nvblas {
namespace {

char upper(const char *letter) {
  return *letter >= 'a' && *letter <= 'z' ? char(*letter - 32) : *letter;
}

std::optional<cublasOperation_t> operation(const char *letter) {
  switch (upper(letter)) {
  case 'N':
    return CUBLAS_OP_N;
  case 'T':
    return CUBLAS_OP_T;
  case 'C':
    return CUBLAS_OP_C;
  default:
    return std::nullopt;
  }
}

// Two letters that mean two values.
template <class Value>
std::optional<Value> choice(const char *letter, char first, Value one, char second, Value other) {
  const char is = upper(letter);
  return is == first ? std::optional(one) : is == second ? std::optional(other) : std::nullopt;
}
auto sideOf(const char *letter) {
  return choice(letter, 'L', CUBLAS_SIDE_LEFT, 'R', CUBLAS_SIDE_RIGHT);
}
auto fill(const char *letter) {
  return choice(letter, 'U', CUBLAS_FILL_MODE_UPPER, 'L', CUBLAS_FILL_MODE_LOWER);
}
auto diagonal(const char *letter) {
  return choice(letter, 'U', CUBLAS_DIAG_UNIT, 'N', CUBLAS_DIAG_NON_UNIT);
}

std::string text(const char *name, char letter) { return std::string(name) + '=' + letter + ", "; }
std::string text(const char *name, int number) {
  return std::string(name) + '=' + std::to_string(number);
}

// A matrix of so many rows fits its leading dimension.
bool fits(int rows, int leading) { return rows >= 0 && leading >= std::max(1, rows); }

// What is large enough for a GPU, in multiplications of real numbers: as NVBLAS 13.0 has sent
// routines to an H100 or left them to the CPU.
constexpr double least_product = 3e7, least_symmetric = 1 << 28, least_twice = 1 << 30;

// Of a product, so much has to be computed for each element that is copied.
bool isDense(double m, double n, double k) { return m * n * k > 10 * (m * k + k * n + 2 * m * n); }

template <class T> double realWork(double a, double b, double c) {
  return a * b * c * (std::is_floating_point_v<T> ? 1 : 4);
}

struct Call {
  const char *name, *upper_name;
  bool worthwhile; // and without mistakes
  std::string arguments;
};

// True if the GPU has computed it.
template <class Compute> bool onGpu(const Call &call, Compute compute) {
  Library &library = Library::instance();
  const bool gpu = call.worthwhile && library.wantsGpu(call.upper_name);
  library.trace(call.name, gpu, call.arguments);
  return gpu && library.onGpu(call.name, compute);
}

template <class Function> Function *cpu(const char *name, Function *) {
  return reinterpret_cast<Function *>(Library::instance().onCpu(name));
}

} // namespace
} // namespace heddle::nvblas

using namespace heddle::nvblas;

// Defines both names of a routine; what it does is behind it.
#define ROUTINE(name, parameters, arguments)                                                       \
  void name parameters { name##_ arguments; }                                                      \
  void name##_ parameters
#define CPU(name, arguments)                                                                       \
  {                                                                                                \
    static const auto routine = cpu(#name, name##_);                                               \
    routine arguments;                                                                             \
  }

#define GEMM(p, P, T)                                                                              \
  ROUTINE(p##gemm, __NVBLAS_GEMM(T),                                                               \
          (transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) {                        \
    const auto ta = operation(transa), tb = operation(transb);                                     \
    const bool valid = ta && tb && *k >= 0 && *n >= 0 && fits(*m, *ldc) &&                         \
                       fits(*ta == CUBLAS_OP_N ? *m : *k, *lda) &&                                 \
                       fits(*tb == CUBLAS_OP_N ? *k : *n, *ldb);                                   \
    const Call call{#p "gemm", #P "GEMM",                                                          \
                    valid && realWork<T>(*m, *n, *k) >= least_product && isDense(*m, *n, *k),      \
                    text("ta", *transa) + text("tb", *transb) + text("m", *m) + ", " +             \
                        text("n", *n) + ", " + text("k", *k)};                                     \
    if (!onGpu(call, [&](cublasXtHandle_t h) {                                                     \
          return cublasXt##P##gemm(h, *ta, *tb, *m, *n, *k, alpha, a, *lda, b, *ldb, beta, c,      \
                                   *ldc);                                                          \
        }))                                                                                        \
      CPU(p##gemm, (transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))                 \
  }

#define SYRK(p, P, Name, NAME, T, R, Allowed)                                                      \
  ROUTINE(p##Name, __NVBLAS_SYRK(T, R), (uplo, trans, n, k, alpha, a, lda, beta, c, ldc)) {        \
    const auto up = fill(uplo);                                                                    \
    const auto ta = operation(trans);                                                              \
    const bool valid = up && ta && (Allowed) && *k >= 0 && fits(*n, *ldc) &&                       \
                       fits(*ta == CUBLAS_OP_N ? *n : *k, *lda);                                   \
    const Call call{#p #Name, #P NAME, valid && realWork<T>(*n, *n, *k) >= least_symmetric,        \
                    text("up", *uplo) + text("ta", *trans) + text("n", *n) + ", " +                \
                        text("k", *k)};                                                            \
    if (!onGpu(call, [&](cublasXtHandle_t h) {                                                     \
          return cublasXt##P##Name(h, *up, *ta, *n, *k, alpha, a, *lda, beta, c, *ldc);            \
        }))                                                                                        \
      CPU(p##Name, (uplo, trans, n, k, alpha, a, lda, beta, c, ldc))                               \
  }

#define SYR2K(p, P, Name, NAME, T, R, Allowed)                                                     \
  ROUTINE(p##Name, __NVBLAS_SYR2K(T, R),                                                           \
          (uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) {                              \
    const auto up = fill(uplo);                                                                    \
    const auto ta = operation(trans);                                                              \
    const bool valid = up && ta && (Allowed) && *k >= 0 && fits(*n, *ldc) &&                       \
                       fits(*ta == CUBLAS_OP_N ? *n : *k, std::min(*lda, *ldb));                   \
    const Call call{#p #Name, #P NAME, valid && realWork<T>(*n, *n, *k) >= least_twice,            \
                    text("up", *uplo) + text("ta", *trans) + text("n", *n) + ", " +                \
                        text("k", *k)};                                                            \
    if (!onGpu(call, [&](cublasXtHandle_t h) {                                                     \
          return cublasXt##P##Name(h, *up, *ta, *n, *k, alpha, a, *lda, b, *ldb, beta, c, *ldc);   \
        }))                                                                                        \
      CPU(p##Name, (uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc))                       \
  }

#define SYMM(p, P, Name, NAME, T)                                                                  \
  ROUTINE(p##Name, __NVBLAS_SYMM(T), (side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)) {    \
    const auto si = sideOf(side);                                                                  \
    const auto up = fill(uplo);                                                                    \
    const int order = upper(side) == 'L' ? *m : *n;                                                \
    const bool valid = si && up && *n >= 0 && fits(order, *lda) && fits(*m, std::min(*ldb, *ldc)); \
    const Call call{#p #Name, #P NAME, valid && realWork<T>(*m, *n, order) >= least_symmetric,     \
                    text("si", *side) + text("up", *uplo) + text("m", *m) + ", " + text("n", *n)}; \
    if (!onGpu(call, [&](cublasXtHandle_t h) {                                                     \
          return cublasXt##P##Name(h, *si, *up, *m, *n, alpha, a, *lda, b, *ldb, beta, c, *ldc);   \
        }))                                                                                        \
      CPU(p##Name, (side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc))                        \
  }

// Both change B; cuBLAS's product has a result of its own, which may be B.
#define TRIANGULAR(p, P, Name, NAME, T, ...)                                                       \
  ROUTINE(p##Name, __NVBLAS_TRSM(T), (side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)) {    \
    const auto si = sideOf(side);                                                                  \
    const auto up = fill(uplo);                                                                    \
    const auto ta = operation(transa);                                                             \
    const auto di = diagonal(diag);                                                                \
    const int order = upper(side) == 'L' ? *m : *n;                                                \
    const bool valid = si && up && ta && di && *n >= 0 && fits(order, *lda) && fits(*m, *ldb);     \
    const Call call{#p #Name, #P NAME, valid && realWork<T>(*m, *n, order) >= least_symmetric,     \
                    text("si", *side) + text("up", *uplo) + text("ta", *transa) +                  \
                        text("di", *diag) + text("m", *m) + ", " + text("n", *n)};                 \
    if (!onGpu(call, [&](cublasXtHandle_t h) {                                                     \
          return cublasXt##P##Name(h, *si, *up, *ta, *di, *m, *n, alpha, a, *lda, __VA_ARGS__);    \
        }))                                                                                        \
      CPU(p##Name, (side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb))                        \
  }

#define ALL(p, P, T, SymmetricAllowed)                                                             \
  GEMM(p, P, T)                                                                                    \
  SYRK(p, P, syrk, "SYRK", T, T, SymmetricAllowed)                                                 \
  SYR2K(p, P, syr2k, "SYR2K", T, T, SymmetricAllowed)                                              \
  SYMM(p, P, symm, "SYMM", T)                                                                      \
  TRIANGULAR(p, P, trsm, "TRSM", T, b, *ldb)                                                       \
  TRIANGULAR(p, P, trmm, "TRMM", T, b, *ldb, b, *ldb)
#define COMPLEX(p, P, T, R)                                                                        \
  SYRK(p, P, herk, "HERK", T, R, *ta != CUBLAS_OP_T)                                               \
  SYR2K(p, P, her2k, "HER2K", T, R, *ta != CUBLAS_OP_T)                                            \
  SYMM(p, P, hemm, "HEMM", T)

ALL(s, S, float, true)
ALL(d, D, double, true)
ALL(c, C, cuComplex, *ta != CUBLAS_OP_C)
ALL(z, Z, cuDoubleComplex, *ta != CUBLAS_OP_C)
COMPLEX(c, C, cuComplex, float)
COMPLEX(z, Z, cuDoubleComplex, double)
