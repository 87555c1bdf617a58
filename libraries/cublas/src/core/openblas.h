// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenBLAS's functions by element type: Blas<float>::gemm is cblas_sgemm. Scalars go through
// `pass`, since CBLAS takes complex ones by address.
#pragma once

#include "cuComplex.h"
#include "library_types.h"

#include <cblas.h>
#include <complex>
#include <cublas_api.h>

// What OpenBLAS exports in the Fortran interface only; the length of each string comes last.
#define FORTRAN(p)                                                                                 \
  void p##symv_(const char *, const int *, const void *, const void *, const int *, const void *,  \
                const int *, const void *, void *, const int *, size_t);                           \
  void p##syr_(const char *, const int *, const void *, const void *, const int *, void *,         \
               const int *, size_t);                                                               \
  void p##rotg_(void *, void *, void *, void *);
extern "C" {
FORTRAN(c)
FORTRAN(z)
}
#undef FORTRAN

namespace heddle::cublas {

template <typename T> struct Blas;

#define OF_ALL_TYPES(p)                                                                            \
  static constexpr auto axpy = cblas_##p##axpy;                                                    \
  static constexpr auto copy = cblas_##p##copy;                                                    \
  static constexpr auto swap = cblas_##p##swap;                                                    \
  static constexpr auto amax = cblas_i##p##amax;                                                   \
  static constexpr auto amin = cblas_i##p##amin;                                                   \
  static constexpr auto gemv = cblas_##p##gemv;                                                    \
  static constexpr auto gbmv = cblas_##p##gbmv;                                                    \
  static constexpr auto trmv = cblas_##p##trmv;                                                    \
  static constexpr auto trsv = cblas_##p##trsv;                                                    \
  static constexpr auto tpmv = cblas_##p##tpmv;                                                    \
  static constexpr auto tpsv = cblas_##p##tpsv;                                                    \
  static constexpr auto tbmv = cblas_##p##tbmv;                                                    \
  static constexpr auto tbsv = cblas_##p##tbsv;                                                    \
  static constexpr auto gemm = cblas_##p##gemm;                                                    \
  static constexpr auto symm = cblas_##p##symm;                                                    \
  static constexpr auto syrk = cblas_##p##syrk;                                                    \
  static constexpr auto syr2k = cblas_##p##syr2k;                                                  \
  static constexpr auto trmm = cblas_##p##trmm;                                                    \
  static constexpr auto trsm = cblas_##p##trsm;

#define REAL(T, p)                                                                                 \
  template <> struct Blas<T> {                                                                     \
    using Real = T;                                                                                \
    using Number = T;                                                                              \
    OF_ALL_TYPES(p)                                                                                \
    static constexpr auto dot = cblas_##p##dot;                                                    \
    static constexpr auto nrm2 = cblas_##p##nrm2;                                                  \
    static constexpr auto asum = cblas_##p##asum;                                                  \
    static constexpr auto rotm = cblas_##p##rotm;                                                  \
    static constexpr auto rotg = cblas_##p##rotg;                                                  \
    static constexpr auto rotmg = cblas_##p##rotmg;                                                \
    static constexpr auto symv = cblas_##p##symv;                                                  \
    static constexpr auto sbmv = cblas_##p##sbmv;                                                  \
    static constexpr auto spmv = cblas_##p##spmv;                                                  \
    static constexpr auto ger = cblas_##p##ger;                                                    \
    static constexpr auto syr = cblas_##p##syr;                                                    \
    static constexpr auto spr = cblas_##p##spr;                                                    \
    static constexpr auto syr2 = cblas_##p##syr2;                                                  \
    static constexpr auto spr2 = cblas_##p##spr2;                                                  \
    static T pass(const T &value) { return value; }                                                \
  };
REAL(float, s)
REAL(double, d)

/// The first element of a vector whose step may be negative.
template <typename T> T *first(T *data, int64_t n, int64_t step) {
  return data + (step < 0 ? (1 - n) * step : 0);
}

inline char fortran(CBLAS_UPLO uplo) { return uplo == CblasUpper ? 'U' : 'L'; }

// Real factors are passed by value here, too.
#define COMPLEX(T, R, p, r)                                                                        \
  template <> struct Blas<T> {                                                                     \
    using Real = R;                                                                                \
    using Number = std::complex<R>;                                                                \
    OF_ALL_TYPES(p)                                                                                \
    static constexpr auto dotu = cblas_##p##dotu_sub;                                              \
    static constexpr auto dotc = cblas_##p##dotc_sub;                                              \
    static constexpr auto nrm2 = cblas_##r##p##nrm2;                                               \
    static constexpr auto asum = cblas_##r##p##asum;                                               \
    static constexpr auto hemv = cblas_##p##hemv;                                                  \
    static constexpr auto hbmv = cblas_##p##hbmv;                                                  \
    static constexpr auto hpmv = cblas_##p##hpmv;                                                  \
    static constexpr auto geru = cblas_##p##geru;                                                  \
    static constexpr auto gerc = cblas_##p##gerc;                                                  \
    static constexpr auto her = cblas_##p##her;                                                    \
    static constexpr auto hpr = cblas_##p##hpr;                                                    \
    static constexpr auto her2 = cblas_##p##her2;                                                  \
    static constexpr auto hpr2 = cblas_##p##hpr2;                                                  \
    static constexpr auto hemm = cblas_##p##hemm;                                                  \
    static constexpr auto herk = cblas_##p##herk;                                                  \
    static constexpr auto her2k = cblas_##p##her2k;                                                \
    static constexpr auto rotg = p##rotg_;                                                         \
    static void symv(CBLAS_ORDER, CBLAS_UPLO uplo, int n, const void *alpha, const void *A,        \
                     int lda, const void *x, int incx, const void *beta, void *y, int incy) {      \
      const char letter = fortran(uplo);                                                           \
      p##symv_(&letter, &n, alpha, A, &lda, x, &incx, beta, y, &incy, 1);                          \
    }                                                                                              \
    static void syr(CBLAS_ORDER, CBLAS_UPLO uplo, int n, const void *alpha, const void *x,         \
                    int incx, void *A, int lda) {                                                  \
      const char letter = fortran(uplo);                                                           \
      p##syr_(&letter, &n, alpha, x, &incx, A, &lda, 1);                                           \
    }                                                                                              \
    /* OpenBLAS 0.3.21's csyr2 misplaces vectors with negative steps: two axpy for each column. */ \
    static void syr2(CBLAS_ORDER, CBLAS_UPLO uplo, int n, const void *alpha, const void *x,        \
                     int incx, const void *y, int incy, void *A, int lda) {                        \
      const auto *factor = static_cast<const Number *>(alpha);                                     \
      const auto *xs = first(static_cast<const Number *>(x), n, incx);                             \
      const auto *ys = first(static_cast<const Number *>(y), n, incy);                             \
      for (int j = 0; j < n; ++j) {                                                                \
        const int from = uplo == CblasUpper ? 0 : j, count = uplo == CblasUpper ? j + 1 : n - j;   \
        const Number by_y = *factor * ys[int64_t(j) * incy],                                       \
                     by_x = *factor * xs[int64_t(j) * incx];                                       \
        Number *const to = static_cast<Number *>(A) + from + int64_t(j) * lda;                     \
        for (int64_t i = 0; i < count; ++i)                                                        \
          to[i] += by_y * xs[(from + i) * incx] + by_x * ys[(from + i) * incy];                    \
      }                                                                                            \
    }                                                                                              \
    static const T *pass(const T &value) { return &value; }                                        \
    static R pass(const R &value) { return value; }                                                \
  };
COMPLEX(cuComplex, float, c, s)
COMPLEX(cuDoubleComplex, double, z, d)
#undef OF_ALL_TYPES
#undef REAL
#undef COMPLEX

/// cuComplex as std::complex, which has arithmetic; real numbers are themselves.
template <typename T> const typename Blas<T>::Number *numbers(const T *pointer) {
  return reinterpret_cast<const typename Blas<T>::Number *>(pointer);
}
template <typename T> typename Blas<T>::Number *numbers(T *pointer) {
  return reinterpret_cast<typename Blas<T>::Number *>(pointer);
}
template <typename T> typename Blas<T>::Number number(T value) { return *numbers(&value); }

inline CBLAS_TRANSPOSE toBlas(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? CblasNoTrans
                                  : (operation == CUBLAS_OP_T ? CblasTrans : CblasConjTrans);
}
inline CBLAS_UPLO toBlas(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower;
}
inline CBLAS_DIAG toBlas(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}
inline CBLAS_SIDE toBlas(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_RIGHT ? CblasRight : CblasLeft;
}

} // namespace heddle::cublas
