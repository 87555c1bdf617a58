// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cuSPARSE programs share: full matrices of complex doubles, in which expected results are
// written out, and the sparse forms of them that the library is given.
#pragma once
#include "../check.h"

#include <algorithm>
#include <complex>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cusparse.h>

namespace sparse {

/// Heddle's library takes every format with every operation; NVIDIA's takes fewer.
#ifdef __HEDDLE_CUSPARSE_TYPES_H__
constexpr bool takes_all = true;
#else
constexpr bool takes_all = false;
#endif

using Number = std::complex<double>;

inline Number value(float v) { return v; }
inline Number value(double v) { return v; }
inline Number value(int v) { return double(v); }
inline Number value(signed char v) { return double(v); }
inline Number value(__half v) { return double(__half2float(v)); }
inline Number value(__nv_bfloat16 v) { return double(__bfloat162float(v)); }
inline Number value(cuComplex v) { return {v.x, v.y}; }
inline Number value(cuDoubleComplex v) { return {v.x, v.y}; }

template <typename T> T make(Number v) { return T(v.real()); }
template <> inline __half make<__half>(Number v) { return __float2half(float(v.real())); }
template <> inline __nv_bfloat16 make<__nv_bfloat16>(Number v) {
  return __float2bfloat16(float(v.real()));
}
template <> inline cuComplex make<cuComplex>(Number v) {
  return make_cuComplex(float(v.real()), float(v.imag()));
}
template <> inline cuDoubleComplex make<cuDoubleComplex>(Number v) {
  return make_cuDoubleComplex(v.real(), v.imag());
}

template <typename T> cudaDataType type();
template <> inline cudaDataType type<float>() { return CUDA_R_32F; }
template <> inline cudaDataType type<double>() { return CUDA_R_64F; }
template <> inline cudaDataType type<int>() { return CUDA_R_32I; }
template <> inline cudaDataType type<signed char>() { return CUDA_R_8I; }
template <> inline cudaDataType type<__half>() { return CUDA_R_16F; }
template <> inline cudaDataType type<__nv_bfloat16>() { return CUDA_R_16BF; }
template <> inline cudaDataType type<cuComplex>() { return CUDA_C_32F; }
template <> inline cudaDataType type<cuDoubleComplex>() { return CUDA_C_64F; }

/// Memory of host and device. Reading waits for the device.
template <typename T> class Array {
public:
  explicit Array(size_t count = 0) : count_(count) {
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMallocManaged(&data_, std::max<size_t>(count, 1) * sizeof(T)));
    std::memset(static_cast<void *>(data_), 0, std::max<size_t>(count, 1) * sizeof(T));
  }
  explicit Array(const std::vector<T> &values) : Array(values.size()) {
    std::copy(values.begin(), values.end(), data_);
  }
  explicit Array(const std::vector<Number> &values) : Array(values.size()) {
    for (size_t i = 0; i < values.size(); ++i)
      data_[i] = make<T>(values[i]);
  }
  Array(Array &&other) : data_(other.data_), count_(other.count_) { other.data_ = nullptr; }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { cudaFree(data_); }

  operator T *() const { return data_; }
  T *data() const { return data_; }
  size_t size() const { return count_; }
  std::vector<T> raw() const {
    CHECK_CUDA(cudaDeviceSynchronize());
    return std::vector<T>(data_, data_ + count_);
  }
  std::vector<Number> read() const {
    std::vector<Number> all;
    for (const T v : raw())
      all.push_back(value(v));
    return all;
  }

private:
  T *data_;
  size_t count_;
};

/// A matrix by columns.
struct Full {
  int rows, cols;
  std::vector<Number> at_;
  Full(int rows, int cols) : rows(rows), cols(cols), at_(size_t(rows) * cols) {}
  Number &operator()(int i, int j) { return at_[i + size_t(j) * rows]; }
  Number operator()(int i, int j) const { return at_[i + size_t(j) * rows]; }
};

template <typename T> constexpr bool isComplex() {
  return std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;
}

/// Numbers that every type can hold exactly; a third of the elements are there, or all.
template <typename T> Number numberAt(int k) {
  const bool whole = std::is_same_v<T, signed char> || std::is_same_v<T, int>;
  const double re = (k * 37 % 15 - 7) / (whole ? 1.0 : 4.0), im = (k * 23 % 13 - 6) / 4.0;
  return {re == 0 ? 1 : re, isComplex<T>() ? im : 0};
}
template <typename T> Full sparseFull(int rows, int cols, int seed) {
  Full a(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      if ((i * 7 + j * 5 + seed) % 3 == 0 && i != 2) // row 2 is empty
        a(i, j) = numberAt<T>(i * 31 + j * 17 + seed);
  return a;
}
template <typename T> Full denseFull(int rows, int cols, int seed) {
  Full a(rows, cols);
  for (size_t k = 0; k < a.at_.size(); ++k)
    a.at_[k] = numberAt<T>(int(k) * 3 + seed);
  return a;
}
/// A square matrix with a dominant diagonal, Hermitian if asked for.
template <typename T> Full dominantFull(int n, int seed, bool hermitian = false) {
  Full a = sparseFull<T>(n, n, seed);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      if (hermitian)
        a(j, i) = std::conj(a(i, j));
  for (int i = 0; i < n; ++i)
    a(i, i) = Number(30.0 + i, isComplex<T>() && !hermitian ? 1 : 0);
  return a;
}

inline Full transposed(const Full &a, cusparseOperation_t op) {
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
    return a;
  Full t(a.cols, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.cols; ++j)
      t(j, i) = op == CUSPARSE_OPERATION_TRANSPOSE ? a(i, j) : std::conj(a(i, j));
  return t;
}
inline Full product(const Full &a, const Full &b) {
  Full c(a.rows, b.cols);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.cols; ++j)
      for (int k = 0; k < a.cols; ++k)
        c(i, j) += a(i, k) * b(k, j);
  return c;
}
/// alpha a + beta b
inline Full sum(Number alpha, const Full &a, Number beta, const Full &b) {
  Full c(a.rows, a.cols);
  for (size_t k = 0; k < c.at_.size(); ++k)
    c.at_[k] = alpha * a.at_[k] + beta * b.at_[k];
  return c;
}

template <typename T> double tolerance() {
  return sizeof(T) == 2                                                    ? 0.02
         : std::is_same_v<T, double> || std::is_same_v<T, cuDoubleComplex> ? 1e-12
                                                                           : 1e-5;
}

/// The largest difference, as a part of the largest expected number, is within the tolerance.
inline void compareAt(const std::vector<Number> &actual, const std::vector<Number> &expected,
                      double tolerance, const char *what) {
  double worst = 0, largest = 1;
  for (size_t k = 0; k < expected.size(); ++k) {
    largest = std::max(largest, std::abs(expected[k]));
    const double difference = std::abs(actual[k] - expected[k]);
    worst = difference <= worst ? worst : difference; // keeps NaN
  }
  const bool good = actual.size() >= expected.size() && worst <= tolerance * largest;
  if (check::failed(good, __FILE__, __LINE__, what))
    std::fprintf(stderr, ": off by %g of %g\n", worst, largest);
}
template <typename T>
void compare(const Array<T> &actual, const std::vector<Number> &expected, const char *what) {
  compareAt(actual.read(), expected, tolerance<T>(), what);
}
inline void compareInts(const std::vector<int> &actual, const std::vector<int> &expected,
                        const char *what) {
  if (check::failed(actual == expected, __FILE__, __LINE__, what)) {
    std::fprintf(stderr, ":");
    for (const int v : actual)
      std::fprintf(stderr, " %d", v);
    std::fprintf(stderr, "; expected");
    for (const int v : expected)
      std::fprintf(stderr, " %d", v);
    std::fprintf(stderr, "\n");
  }
}

/// Compressed rows of what is not 0.
struct HostCsr {
  std::vector<int> offsets, columns;
  std::vector<Number> values;
  explicit HostCsr(const Full &a, int base = 0) {
    for (int i = 0; i < a.rows; ++i) {
      offsets.push_back(int(columns.size()) + base);
      for (int j = 0; j < a.cols; ++j)
        if (a(i, j) != Number(0)) {
          columns.push_back(j + base);
          values.push_back(a(i, j));
        }
    }
    offsets.push_back(int(columns.size()) + base);
  }
};
template <typename T> struct Csr {
  int rows, cols, nnz, base;
  Array<int> offsets, columns;
  Array<T> values;
  Csr(const Full &a, int base = 0) : Csr(a, HostCsr(a, base), base) {}
  Csr(int rows, int cols, int nnz, int base = 0)
      : rows(rows), cols(cols), nnz(nnz), base(base), offsets(rows + 1), columns(nnz), values(nnz) {
  }
  Full full() const {
    CHECK_CUDA(cudaDeviceSynchronize());
    Full a(rows, cols);
    for (int i = 0; i < rows; ++i)
      for (int p = offsets[i] - base; p < offsets[i + 1] - base; ++p)
        a(i, columns[p] - base) += value(values[p]);
    return a;
  }

private:
  Csr(const Full &a, const HostCsr &host, int base)
      : rows(a.rows), cols(a.cols), nnz(int(host.columns.size())), base(base),
        offsets(host.offsets), columns(host.columns), values(host.values) {}
};

/// Blocks of a full matrix, rows of blocks by columns; each block by rows or by columns.
template <typename T> struct Blocks {
  int block_rows, block_cols, row_block, col_block, count = 0;
  std::vector<int> host_offsets, host_columns;
  std::vector<Number> host_values;
  Blocks(const Full &a, int rb, int cb, bool by_row, int base)
      : block_rows((a.rows + rb - 1) / rb), block_cols((a.cols + cb - 1) / cb), row_block(rb),
        col_block(cb) {
    auto element = [&](int i, int j) { return i < a.rows && j < a.cols ? a(i, j) : Number(0); };
    for (int i = 0; i < block_rows; ++i) {
      host_offsets.push_back(count + base);
      for (int j = 0; j < block_cols; ++j) {
        bool any = false;
        std::vector<Number> block(rb * cb);
        for (int r = 0; r < rb; ++r)
          for (int c = 0; c < cb; ++c) {
            const Number v = element(i * rb + r, j * cb + c);
            any |= v != Number(0);
            block[by_row ? r * cb + c : c * rb + r] = v;
          }
        if (!any)
          continue;
        host_columns.push_back(j + base);
        host_values.insert(host_values.end(), block.begin(), block.end());
        ++count;
      }
    }
    host_offsets.push_back(count + base);
  }
};

#define OK(call) CHECK_EQ(call, CUSPARSE_STATUS_SUCCESS)
constexpr auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto T_ = CUSPARSE_OPERATION_TRANSPOSE;
constexpr auto C_ = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;

/// A descriptor of the functions of one type each.
struct MatDescr {
  cusparseMatDescr_t descr;
  explicit MatDescr(int base) {
    OK(cusparseCreateMatDescr(&descr));
    OK(cusparseSetMatIndexBase(descr, cusparseIndexBase_t(base)));
  }
  ~MatDescr() { OK(cusparseDestroyMatDescr(descr)); }
  operator cusparseMatDescr_t() const { return descr; }
};

/// Scalars of the host, or of the device.
template <typename T> struct Scalars {
  Array<T> on_device;
  T on_host[2];
  const T *alpha, *beta;
  Number al, be;
  Scalars(cusparseHandle_t handle, bool device, Number a = 2, Number b = -1) : on_device(2) {
    OK(cusparseSetPointerMode(handle,
                              device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
    on_host[0] = on_device[0] = make<T>(a);
    on_host[1] = on_device[1] = make<T>(b);
    alpha = device ? on_device.data() : on_host;
    beta = alpha + 1;
    al = a, be = b;
  }
};

} // namespace sparse
