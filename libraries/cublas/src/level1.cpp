// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 1: functions of vectors.
#include "check.h"
#include "core/openblas.h"

namespace heddle::cublas {
namespace {

template <typename T>
cublasStatus_t axpy(const char *name, cublasHandle_t h, int64_t n, const T *alpha, const T *x,
                    int64_t incx, T *y, int64_t incy) {
  if (Check c(name, h); c.scalars({alpha}).narrow({n, incx, incy}).data(n > 0, {x, y}).bad())
    return c.status();
  if (n <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(name, h, [=, a = Scalar(h, alpha)] {
    const T value = a.get();
    Blas<T>::axpy(int(n), Blas<T>::pass(value), x, int(incx), y, int(incy));
  });
}

/// copy and swap. X is const T for copy.
template <typename T, typename X, typename F>
cublasStatus_t move(const char *name, cublasHandle_t h, F function, int64_t n, X *x, int64_t incx,
                    T *y, int64_t incy) {
  if (Check c(name, h); c.narrow({n, incx, incy}).data(n > 0, {x, y}).bad())
    return c.status();
  if (n <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(name, h, [=] { function(int(n), x, int(incx), y, int(incy)); });
}

template <typename T, typename S>
cublasStatus_t scal(const char *name, cublasHandle_t h, int64_t n, const S *alpha, T *x,
                    int64_t incx) {
  if (Check c(name, h); c.scalars({alpha}).narrow({n, incx}).data(n > 0 && incx > 0, {x}).bad())
    return c.status();
  if (n <= 0 || incx <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(name, h, [=, a = Scalar(h, alpha)] {
    const auto factor = number(a.get());
    for (int64_t i = 0; i < n; ++i)
      numbers(x)[i * incx] *= factor;
  });
}

/// A function with one number as result, which is zero for no elements.
template <typename R, typename F>
cublasStatus_t reduce(const char *name, cublasHandle_t h, std::initializer_list<int64_t> sizes,
                      std::initializer_list<const void *> vectors, bool any, R *result,
                      F function) {
  if (Check c(name, h); c.scalars({result}).narrow(sizes).data(any, vectors).bad())
    return c.status();
  return submitResult(name, h, [=] { *result = any ? R(function()) : R{}; });
}

template <typename T>
cublasStatus_t dot(const char *name, cublasHandle_t h, bool conjugated, int64_t n, const T *x,
                   int64_t incx, const T *y, int64_t incy, T *result) {
  return reduce(name, h, {n, incx, incy}, {x, y}, n > 0, result, [=] {
    if constexpr (std::is_floating_point_v<T>)
      return Blas<T>::dot(int(n), x, int(incx), y, int(incy));
    else {
      T sum;
      if (conjugated)
        Blas<T>::dotc(int(n), x, int(incx), y, int(incy), &sum);
      else
        Blas<T>::dotu(int(n), x, int(incx), y, int(incy), &sum);
      return sum;
    }
  });
}

template <typename T, typename C, typename S>
cublasStatus_t rot(const char *name, cublasHandle_t h, int64_t n, T *x, int64_t incx, T *y,
                   int64_t incy, const C *c, const S *s) {
  if (Check k(name, h); k.scalars({c, s}).narrow({n, incx, incy}).data(n > 0, {x, y}).bad())
    return k.status();
  if (n <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(name, h, [=, cosine = Scalar(h, c), sine = Scalar(h, s)] {
    const C cs = cosine.get();
    const auto sn = number(sine.get());
    auto *a = numbers(x) + (incx < 0 ? (1 - n) * incx : 0);
    auto *b = numbers(y) + (incy < 0 ? (1 - n) * incy : 0);
    for (int64_t i = 0; i < n; ++i, a += incx, b += incy) {
      const auto first = *a, second = *b;
      *a = cs * first + sn * second;
      if constexpr (std::is_floating_point_v<S>)
        *b = cs * second - sn * first;
      else
        *b = cs * second - std::conj(sn) * first;
    }
  });
}

/// In host mode what makes rotations has all its arguments in host memory, and is done at once.
template <typename F> cublasStatus_t make(const char *name, cublasHandle_t h, F function) {
  if (onDevice(h))
    return submit(name, h, function);
  function();
  return CUBLAS_STATUS_SUCCESS;
}

template <typename T, typename C>
cublasStatus_t rotg(const char *name, cublasHandle_t h, T *a, T *b, C *c, T *s) {
  if (Check k(name, h); k.scalars({a, b, c, s}).bad())
    return k.status();
  return make(name, h, [=] { Blas<T>::rotg(a, b, c, s); });
}

template <typename T>
cublasStatus_t rotmg(const char *name, cublasHandle_t h, T *d1, T *d2, T *x1, const T *y1,
                     T *param) {
  if (Check k(name, h); k.scalars({d1, d2, x1, y1, param}).bad())
    return k.status();
  return make(name, h, [=] { Blas<T>::rotmg(d1, d2, x1, *y1, param); });
}

template <typename T> struct Parameters {
  T values[5];
};

template <typename T>
cublasStatus_t rotm(const char *name, cublasHandle_t h, int64_t n, T *x, int64_t incx, T *y,
                    int64_t incy, const T *param) {
  if (Check k(name, h); k.scalars({param}).narrow({n, incx, incy}).data(n > 0, {x, y}).bad())
    return k.status();
  if (n <= 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(name, h, [=, p = Scalar(h, reinterpret_cast<const Parameters<T> *>(param))] {
    const Parameters<T> values = p.get();
    Blas<T>::rotm(int(n), x, int(incx), y, int(incy), values.values);
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define X(P, T, I, E)                                                                              \
  cublasStatus_t cublas##P##axpy_v2##E __HEDDLE_CUBLAS_AXPY(T, I) {                                \
    return axpy(__func__, handle, n, alpha, x, incx, y, incy);                                     \
  }                                                                                                \
  cublasStatus_t cublas##P##copy_v2##E __HEDDLE_CUBLAS_COPY(T, I) {                                \
    return move(__func__, handle, Blas<T>::copy, n, x, incx, y, incy);                             \
  }                                                                                                \
  cublasStatus_t cublas##P##swap_v2##E __HEDDLE_CUBLAS_SWAP(T, I) {                                \
    return move(__func__, handle, Blas<T>::swap, n, x, incx, y, incy);                             \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SDCZ, X)
#undef X

// cuBLAS counts from one; none is zero.
#define EXTREME(name, function, T, I)                                                              \
  cublasStatus_t name __HEDDLE_CUBLAS_NRM2(T, I, I) {                                              \
    return reduce(__func__, handle, {n, incx}, {x}, n > 0 && incx > 0, result,                     \
                  [=] { return Blas<T>::function(int(n), x, int(incx)) + 1; });                    \
  }
#define X(P, T, I, E)                                                                              \
  EXTREME(cublas##P##amax_v2##E, amax, T, I)                                                       \
  EXTREME(cublas##P##amin_v2##E, amin, T, I)
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_EXTREMES, X)
#undef X

#define NORM(name, function, T, R, I)                                                              \
  cublasStatus_t name __HEDDLE_CUBLAS_NRM2(T, R, I) {                                              \
    return reduce(__func__, handle, {n, incx}, {x}, n > 0 && incx > 0, result,                     \
                  [=] { return Blas<T>::function(int(n), x, int(incx)); });                        \
  }
#define X(P, T, R, I, E)                                                                           \
  NORM(cublas##P##nrm2_v2##E, nrm2, T, R, I)                                                       \
  NORM(cublas##P##asum_v2##E, asum, T, R, I)
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_NORMS, X)
#undef X

#define X(name, T, conjugated, I, E)                                                               \
  cublasStatus_t cublas##name##_v2##E __HEDDLE_CUBLAS_DOT(T, I) {                                  \
    return dot(__func__, handle, conjugated, n, x, incx, y, incy, result);                         \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_DOTS, X)
#undef X

#define X(P, T, S, I, E)                                                                           \
  cublasStatus_t cublas##P##scal_v2##E __HEDDLE_CUBLAS_SCAL(T, S, I) {                             \
    return scal(__func__, handle, n, alpha, x, incx);                                              \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SCALES, X)
#undef X

#define X(P, T, C, S, I, E)                                                                        \
  cublasStatus_t cublas##P##rot_v2##E __HEDDLE_CUBLAS_ROT(T, C, S, I) {                            \
    return rot(__func__, handle, n, x, incx, y, incy, c, s);                                       \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_ROTATIONS, X)
#undef X

#define X(P, T, I, E)                                                                              \
  cublasStatus_t cublas##P##rotm_v2##E __HEDDLE_CUBLAS_ROTM(T, I) {                                \
    return rotm(__func__, handle, n, x, incx, y, incy, param);                                     \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_SD, X)
#undef X

#define X(P, T, C)                                                                                 \
  cublasStatus_t cublas##P##rotg_v2 __HEDDLE_CUBLAS_ROTG(T, C) {                                   \
    return rotg(__func__, handle, a, b, c, s);                                                     \
  }
X(S, float, float)
X(D, double, double)
X(C, cuComplex, float)
X(Z, cuDoubleComplex, double)
#undef X

#define X(P, T)                                                                                    \
  cublasStatus_t cublas##P##rotmg_v2 __HEDDLE_CUBLAS_ROTMG(T) {                                    \
    return rotmg(__func__, handle, d1, d2, x1, y1, param);                                         \
  }
X(S, float) X(D, double)
