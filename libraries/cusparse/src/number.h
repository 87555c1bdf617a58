// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that matrices hold. Sums are computed in float, double, complex numbers of both, and
// int; elements of any other type are converted when they are read and written.
#pragma once

#include "cusparse.h"

#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

#ifdef __CUDACC__
#define HEDDLE_SIDES __host__ __device__
#else
#define HEDDLE_SIDES
#endif

namespace heddle::cusparse {

/// A complex number without the special cases for infinities that std::complex's products have.
template <typename R> struct Complex {
  R re = 0, im = 0;

  HEDDLE_SIDES constexpr Complex(R re = 0, R im = 0) : re(re), im(im) {}
  template <typename S>
  HEDDLE_SIDES constexpr explicit Complex(Complex<S> v) : re(R(v.re)), im(R(v.im)) {}

  HEDDLE_SIDES Complex operator-() const { return {-re, -im}; }
  HEDDLE_SIDES Complex &operator+=(Complex b) { return *this = {re + b.re, im + b.im}; }
  HEDDLE_SIDES Complex &operator-=(Complex b) { return *this = {re - b.re, im - b.im}; }
  HEDDLE_SIDES Complex &operator*=(Complex b) {
    return *this = {re * b.re - im * b.im, re * b.im + im * b.re};
  }
  Complex &operator/=(Complex b) {
    // Scaled by the divisor's size, so that nothing overflows on the way.
    const R scale = std::abs(b.re) + std::abs(b.im);
    const Complex a{re / scale, im / scale}, d{b.re / scale, b.im / scale};
    const R square = d.re * d.re + d.im * d.im;
    return *this = {(a.re * d.re + a.im * d.im) / square, (a.im * d.re - a.re * d.im) / square};
  }
  HEDDLE_SIDES friend Complex operator+(Complex a, Complex b) { return a += b; }
  HEDDLE_SIDES friend Complex operator-(Complex a, Complex b) { return a -= b; }
  HEDDLE_SIDES friend Complex operator*(Complex a, Complex b) { return a *= b; }
  friend Complex operator/(Complex a, Complex b) { return a /= b; }
  HEDDLE_SIDES friend bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
};

using Complex32 = Complex<float>;
using Complex64 = Complex<double>;

template <typename T> constexpr bool is_complex = false;
template <typename R> constexpr bool is_complex<Complex<R>> = true;

template <typename T> HEDDLE_SIDES T conj(T v) { return v; }
template <typename R> HEDDLE_SIDES Complex<R> conj(Complex<R> v) { return {v.re, -v.im}; }

/// The size of a number as a double.
template <typename T> double magnitude(T v) { return std::abs(double(v)); }
template <typename R> double magnitude(Complex<R> v) { return std::hypot(double(v.re), v.im); }

template <typename R> Complex<R> real(Complex<R> v) { return {v.re, 0}; }
template <typename T> T real(T v) { return v; }
template <typename T> T squareRoot(T v) { return std::sqrt(v); }
template <typename R> Complex<R> squareRoot(Complex<R> v) { return {std::sqrt(v.re), 0}; }

// CUDA's types of functions' arguments and ours of the same layout.
template <typename T> struct NumberOf {
  using Type = T;
};
template <> struct NumberOf<cuComplex> {
  using Type = Complex32;
};
template <> struct NumberOf<cuDoubleComplex> {
  using Type = Complex64;
};
template <typename T> using Number = typename NumberOf<T>::Type;

template <typename T> Number<T> *as(T *pointer) { return reinterpret_cast<Number<T> *>(pointer); }
template <typename T> const Number<T> *as(const T *pointer) {
  return reinterpret_cast<const Number<T> *>(pointer);
}
template <typename T> Number<T> asValue(T value) { return *as(&value); }

template <typename T> struct Tag {
  using Type = T;
};

template <typename C> constexpr cudaDataType dataType() {
  if constexpr (std::is_same_v<C, float>)
    return CUDA_R_32F;
  else if constexpr (std::is_same_v<C, double>)
    return CUDA_R_64F;
  else if constexpr (std::is_same_v<C, Complex32>)
    return CUDA_C_32F;
  else if constexpr (std::is_same_v<C, Complex64>)
    return CUDA_C_64F;
  else
    return CUDA_R_32I;
}

/// Calls `f` with the Tag of the type in memory; returns false if matrices cannot have the type.
template <typename F> bool withElementType(cudaDataType type, F f) {
  switch (type) {
  case CUDA_R_32F:
    f(Tag<float>());
    return true;
  case CUDA_R_64F:
    f(Tag<double>());
    return true;
  case CUDA_C_32F:
    f(Tag<Complex32>());
    return true;
  case CUDA_C_64F:
    f(Tag<Complex64>());
    return true;
  case CUDA_R_16F:
    f(Tag<__half>());
    return true;
  case CUDA_R_16BF:
    f(Tag<__nv_bfloat16>());
    return true;
  case CUDA_C_16F:
    f(Tag<Complex<__half>>());
    return true;
  case CUDA_C_16BF:
    f(Tag<Complex<__nv_bfloat16>>());
    return true;
  case CUDA_R_8I:
    f(Tag<signed char>());
    return true;
  case CUDA_R_32I:
    f(Tag<int>());
    return true;
  default:
    return false;
  }
}

/// Calls `f` with the Tag of the type that sums have; returns false if there is none such.
template <typename F> bool withComputeType(cudaDataType type, F f) {
  switch (type) {
  case CUDA_R_32F:
    f(Tag<float>());
    return true;
  case CUDA_R_64F:
    f(Tag<double>());
    return true;
  case CUDA_C_32F:
    f(Tag<Complex32>());
    return true;
  case CUDA_C_64F:
    f(Tag<Complex64>());
    return true;
  case CUDA_R_32I:
    f(Tag<int>());
    return true;
  default:
    return false;
  }
}

/// The size of an element in memory; 0 if matrices cannot have the type.
inline size_t sizeOf(cudaDataType type) {
  size_t size = 0;
  withElementType(type, [&](auto tag) { size = sizeof(typename decltype(tag)::Type); });
  return size;
}

inline float widen(__half v) { return __half2float(v); }
inline float widen(__nv_bfloat16 v) { return __bfloat162float(v); }
template <typename T> T widen(T v) { return v; }
template <typename R> auto widen(Complex<R> v) {
  return Complex<decltype(widen(v.re))>(widen(v.re), widen(v.im));
}

/// A number in another type. An imaginary part that has no place is dropped.
template <typename To, typename From> To convert(From from) {
  const auto v = widen(from);
  using V = std::decay_t<decltype(v)>;
  if constexpr (is_complex<To>) {
    using R = decltype(To().re);
    if constexpr (is_complex<V>)
      return To(convert<R>(v.re), convert<R>(v.im));
    else
      return To(convert<R>(v));
  } else if constexpr (is_complex<V>)
    return convert<To>(v.re);
  else if constexpr (std::is_same_v<To, __half>)
    return __float2half(float(v));
  else if constexpr (std::is_same_v<To, __nv_bfloat16>)
    return __float2bfloat16(float(v));
  else
    return To(v);
}

} // namespace heddle::cusparse
