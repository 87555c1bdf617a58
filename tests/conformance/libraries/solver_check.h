// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of cuSOLVER: matrices in double precision with the plainest code, and their copies in
// managed memory in each type.
#pragma once

#include "../check.h"

#include <algorithm>
#include <complex>
#include <cuComplex.h>
#include <cusolverDn.h>

using Number = std::complex<double>;

inline Number value(float v) { return v; }
inline Number value(char v) { return v; }
inline Number value(double v) { return v; }
inline Number value(cuComplex v) { return {v.x, v.y}; }
inline Number value(cuDoubleComplex v) { return {v.x, v.y}; }
template <typename T> T make(Number v) {
  if constexpr (std::is_arithmetic_v<T>)
    return T(v.real());
  else {
    T result;
    result.x = decltype(result.x)(v.real());
    result.y = decltype(result.y)(v.imag());
    return result;
  }
}

template <typename T> struct Traits;
template <> struct Traits<float> {
  using Real = float;
  static constexpr bool complex = false;
  static constexpr double tolerance = 2e-4;
  static constexpr cudaDataType type = CUDA_R_32F, real = CUDA_R_32F;
};
template <> struct Traits<double> {
  using Real = double;
  static constexpr bool complex = false;
  static constexpr double tolerance = 1e-11;
  static constexpr cudaDataType type = CUDA_R_64F, real = CUDA_R_64F;
};
template <> struct Traits<cuComplex> {
  using Real = float;
  static constexpr bool complex = true;
  static constexpr double tolerance = 2e-4;
  static constexpr cudaDataType type = CUDA_C_32F, real = CUDA_R_32F;
};
template <> struct Traits<cuDoubleComplex> {
  using Real = double;
  static constexpr bool complex = true;
  static constexpr double tolerance = 1e-11;
  static constexpr cudaDataType type = CUDA_C_64F, real = CUDA_R_64F;
};
template <typename T> using Real = typename Traits<T>::Real;

struct Mat {
  int m, n;
  std::vector<Number> a;
  Mat(int m, int n) : m(m), n(n), a(size_t(m) * n) {}
  Number &operator()(int i, int j) { return a[i + size_t(j) * m]; }
  Number operator()(int i, int j) const { return a[i + size_t(j) * m]; }
};

inline Mat operator*(const Mat &x, const Mat &y) {
  Mat r(x.m, y.n);
  for (int j = 0; j < y.n; ++j)
    for (int k = 0; k < x.n; ++k)
      for (int i = 0; i < x.m; ++i)
        r(i, j) += x(i, k) * y(k, j);
  return r;
}
inline Mat adjoint(const Mat &x, bool conjugate = true) {
  Mat r(x.n, x.m);
  for (int j = 0; j < x.n; ++j)
    for (int i = 0; i < x.m; ++i)
      r(j, i) = conjugate ? std::conj(x(i, j)) : x(i, j);
  return r;
}
inline Mat identity(int n) {
  Mat r(n, n);
  for (int i = 0; i < n; ++i)
    r(i, i) = 1;
  return r;
}
inline Mat diagonal(const std::vector<double> &d, int m, int n) {
  Mat r(m, n);
  for (int i = 0; i < std::min({m, n, int(d.size())}); ++i)
    r(i, i) = d[i];
  return r;
}
/// The triangle of x; with ones on the diagonal if `unit`.
inline Mat triangle(const Mat &x, bool upper, bool unit = false) {
  Mat r(x.m, x.n);
  for (int j = 0; j < x.n; ++j)
    for (int i = 0; i < x.m; ++i)
      if (i == j)
        r(i, j) = unit ? Number(1) : x(i, j);
      else if ((i < j) == upper)
        r(i, j) = x(i, j);
  return r;
}
inline Mat columns(const Mat &x, int from, int count) {
  Mat r(x.m, count);
  std::copy_n(x.a.begin() + size_t(from) * x.m, r.a.size(), r.a.begin());
  return r;
}
inline double difference(const Mat &x, const Mat &y) {
  double worst = x.m == y.m && x.n == y.n ? 0 : 1e300;
  for (size_t i = 0; worst < 1e300 && i < x.a.size(); ++i) {
    const double d = std::abs(x.a[i] - y.a[i]);
    worst = d <= worst ? worst : (std::isnan(d) ? 1e300 : d);
  }
  return worst;
}

/// Numbers by formula, of about unit size.
template <typename T> Mat general(int m, int n, int seed) {
  Mat r(m, n);
  unsigned state = 12345u + 7919u * unsigned(seed);
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return double(state >> 8) / (1 << 24) * 2 - 1;
  };
  for (auto &v : r.a) {
    const double re = next(), im = next();
    v = Traits<T>::complex ? Number(re, im) : Number(re);
  }
  return r;
}
/// Hermitian; positive definite if `definite`.
template <typename T> Mat hermitian(int n, int seed, bool definite) {
  const Mat g = general<T>(n, n, seed);
  Mat r(n, n);
  if (definite)
    r = g * adjoint(g);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (!definite)
        r(i, j) = (g(i, j) + std::conj(g(j, i))) / 2.0;
      else if (i == j)
        r(i, j) += 1;
  return r;
}

/// A matrix in managed memory with a leading dimension greater than its rows.
template <typename T> struct Dev {
  T *data;
  int m, n, ld;
  Dev(int m, int n, int extra = 2) : m(m), n(n), ld(m + extra) {
    CHECK_CUDA(cudaMallocManaged(&data, sizeof(T) * (size_t(ld) * n + 1)));
    for (size_t i = 0; i < size_t(ld) * n; ++i)
      data[i] = make<T>(77);
  }
  explicit Dev(const Mat &from, int extra = 2) : Dev(from.m, from.n, extra) { write(from); }
  Dev(const Dev &) = delete;
  ~Dev() { cudaFree(data); }
  void write(const Mat &from) {
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        data[i + size_t(j) * ld] = make<T>(from(i, j));
  }
  Mat read() const {
    CHECK_CUDA(cudaDeviceSynchronize());
    Mat r(m, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        r(i, j) = value(data[i + size_t(j) * ld]);
    return r;
  }
  operator T *() const { return data; }
};
/// Plain numbers in managed memory.
template <typename T> struct Array : Dev<T> {
  explicit Array(int count) : Dev<T>(count, 1, 0) {}
  std::vector<double> list() const {
    std::vector<double> r;
    for (const Number v : this->read().a)
      r.push_back(v.real());
    return r;
  }
};
struct Ints {
  int *data;
  explicit Ints(int count) {
    CHECK_CUDA(cudaMallocManaged(&data, sizeof(int) * (count + 1)));
    std::fill_n(data, count + 1, -99);
  }
  Ints(const Ints &) = delete;
  ~Ints() { cudaFree(data); }
  int operator[](int i) const {
    CHECK_CUDA(cudaDeviceSynchronize());
    return data[i];
  }
  operator int *() const { return data; }
};

#define OK(call) CHECK_EQ(call, CUSOLVER_STATUS_SUCCESS)
#define NEAR(T, x, y) CHECK_NEAR(difference(x, y), 0, Traits<T>::tolerance)
