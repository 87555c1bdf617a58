// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs about cuBLAS share: numbers of any type as complex doubles, vectors in managed
// memory, dense matrices from every kind of storage, and comparisons.
#pragma once

#include "../check.h"

#include <algorithm>
#include <complex>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>
#include <string>

using Number = std::complex<double>;

inline Number value(float v) { return v; }
inline Number value(double v) { return v; }
inline Number value(int v) { return v; }
inline Number value(signed char v) { return v; }
inline Number value(unsigned char v) { return v; }
inline Number value(__half v) { return double(__half2float(v)); }
inline Number value(__nv_bfloat16 v) { return double(__bfloat162float(v)); }
template <typename T> Number value(T v) { return {double(v.x), double(v.y)}; }

template <typename T> struct Make {
  static T from(Number v) {
    T result;
    result.x = decltype(result.x)(v.real());
    result.y = decltype(result.y)(v.imag());
    return result;
  }
};
template <> struct Make<float> {
  static float from(Number v) { return float(v.real()); }
};
template <> struct Make<double> {
  static double from(Number v) { return v.real(); }
};
template <> struct Make<int> {
  static int from(Number v) { return int(v.real()); }
};
template <> struct Make<signed char> {
  static signed char from(Number v) { return static_cast<signed char>(v.real() * 8); }
};
template <> struct Make<unsigned char> {
  static unsigned char from(Number v) { return static_cast<unsigned char>(64 + v.real() * 8); }
};
template <> struct Make<__half> {
  static __half from(Number v) { return __float2half(float(v.real())); }
};
template <> struct Make<__nv_bfloat16> {
  static __nv_bfloat16 from(Number v) { return __float2bfloat16(float(v.real())); }
};

template <typename T> constexpr bool is_complex = false;
template <> constexpr bool is_complex<cuComplex> = true;
template <> constexpr bool is_complex<cuDoubleComplex> = true;
template <typename T> constexpr double tolerance = 1e-4;
template <> constexpr double tolerance<double> = 1e-11;
template <> constexpr double tolerance<cuDoubleComplex> = 1e-11;

/// Numbers that all types have, by a formula.
inline Number sample(int seed, int i) {
  return {((seed + i * 37) % 17 - 8) / 8.0, ((seed + i * 23) % 13 - 6) / 8.0};
}

template <typename T> struct Vector {
  T *data;
  int count;
  Vector(int size, int seed) : count(size) {
    CHECK_CUDA(cudaMallocManaged(&data, size * sizeof(T)));
    for (int i = 0; i < size; ++i)
      data[i] = Make<T>::from(sample(seed, i));
  }
  Vector(const Vector &) = delete;
  ~Vector() { CHECK_CUDA(cudaFree(data)); }
  std::vector<Number> read() const {
    CHECK_CUDA(cudaDeviceSynchronize());
    std::vector<Number> all;
    for (int i = 0; i < count; ++i)
      all.push_back(value(data[i]));
    return all;
  }
  operator T *() const { return data; }
};

inline double difference(const std::vector<Number> &a, const std::vector<Number> &b) {
  double worst = a.size() == b.size() ? 0 : 1e300;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double d = std::abs(a[i] - b[i]);
    worst = d <= worst ? worst : d;
  }
  return worst;
}
/// Checks that memory is what is expected, elements that should be untouched included.
#define COMPARE(T, vector, expected)                                                               \
  CHECK_NEAR(difference((vector).read(), expected), 0, tolerance<T>)

/// The place of element i of n in a vector with a step, which may be negative.
inline int place(int i, int n, int step) { return step > 0 ? i * step : (i - n + 1) * step; }

/// A dense matrix.
struct Dense {
  int rows, columns;
  std::vector<Number> values;
  Dense(int m, int n) : rows(m), columns(n), values(size_t(m * n)) {}
  Number &operator()(int i, int j) { return values[size_t(i + j * rows)]; }
  Number operator()(int i, int j) const { return values[size_t(i + j * rows)]; }
};

/// A matrix of m rows with a leading dimension.
inline Dense dense(const std::vector<Number> &a, int m, int n, int ld, int offset = 0) {
  Dense result(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      result(i, j) = a[size_t(offset + i + j * ld)];
  return result;
}
inline void put(std::vector<Number> &a, const Dense &m, int ld, int offset = 0) {
  for (int j = 0; j < m.columns; ++j)
    for (int i = 0; i < m.rows; ++i)
      a[size_t(offset + i + j * ld)] = m(i, j);
}

/// op: 0 as it is, 1 transposed, 2 conjugated too (cublasOperation_t).
inline Dense apply(int op, const Dense &a) {
  Dense result(op ? a.columns : a.rows, op ? a.rows : a.columns);
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      (op ? result(j, i) : result(i, j)) = op == 2 ? std::conj(a(i, j)) : a(i, j);
  return result;
}
inline Dense operator*(const Dense &a, const Dense &b) {
  Dense result(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int l = 0; l < a.columns; ++l)
      for (int i = 0; i < a.rows; ++i)
        result(i, j) += a(i, l) * b(l, j);
  return result;
}
inline Dense operator*(Number factor, Dense a) {
  for (Number &v : a.values)
    v *= factor;
  return a;
}
inline Dense operator+(Dense a, const Dense &b) {
  for (size_t i = 0; i < a.values.size(); ++i)
    a.values[i] += b.values[i];
  return a;
}

/// Whether a triangle (upper: 1) has an element.
inline bool inside(int upper, int i, int j) { return upper ? i <= j : i >= j; }

enum Storage { Full, Packed, Banded };

/// Where a triangle's element is: with a leading dimension, packed, or in bands (k of them).
inline int place(Storage s, int upper, int i, int j, int n, int ld, int k) {
  if (s == Full)
    return i + j * ld;
  if (s == Packed)
    return upper ? i + j * (j + 1) / 2 : i + (2 * n - j - 1) * j / 2;
  return upper ? k + i - j + j * ld : i - j + j * ld;
}

enum Kind { Triangular, UnitTriangular, Symmetric, Hermitian };

/// The matrix that one triangle of memory stands for.
inline Dense expand(const std::vector<Number> &a, Storage s, Kind kind, int upper, int n, int ld,
                    int k) {
  Dense result(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      if (!inside(upper, i, j) || (s == Banded && std::abs(i - j) > k))
        continue;
      const Number v = a[size_t(place(s, upper, i, j, n, ld, k))];
      result(i, j) = v;
      if (kind == UnitTriangular && i == j)
        result(i, j) = 1;
      if (kind == Symmetric)
        result(j, i) = v;
      if (kind == Hermitian)
        result(j, i) = std::conj(v), result(i, j) = i == j ? v.real() : v;
    }
  return result;
}

/// A vector with a step as a column, and back.
inline Dense column(const std::vector<Number> &x, int n, int step) {
  Dense result(n, 1);
  for (int i = 0; i < n; ++i)
    result(i, 0) = x[size_t(place(i, n, step))];
  return result;
}
inline void put(std::vector<Number> &x, const Dense &values, int n, int step, bool) {
  for (int i = 0; i < n; ++i)
    x[size_t(place(i, n, step))] = values(i, 0);
}

#define OK(call) CHECK_EQ(call, CUBLAS_STATUS_SUCCESS)

/// Two scalars, on the host or on the device, as a pointer mode wants them.
template <typename T> struct Scalars {
  Vector<T> memory;
  T host[2];
  const T *alpha, *beta;
  Number a, b;
  explicit Scalars(bool on_device, int seed = 5) : memory(2, seed), host{memory[0], memory[1]} {
    alpha = on_device ? memory.data : host;
    beta = alpha + 1;
    a = value(host[0]), b = value(host[1]);
  }
};
