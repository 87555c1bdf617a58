// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The older functions between dense matrices and CSR or CSC, and counts of elements that are not 0.
#include "descriptors.h"

#include <algorithm>
#include <numeric>

namespace heddle::cusparse {
namespace {

template <typename C> bool isZero(C v) { return v == C(0); }

void needDense(int m, int n, const void *a, int lda) {
  needSizes({m, n});
  need(lda >= std::max(m, 1), "the leading dimension is too small");
  need(m == 0 || n == 0 || a, "the matrix is null");
}

template <typename T>
void nnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,
         const cusparseMatDescr_t descr, const T *a, int lda, int *per_line, int *total) {
  generalBase(descr);
  needDense(m, n, a, lda);
  need(unsigned(dir) <= CUSPARSE_DIRECTION_COLUMN, "there is no such direction");
  needPointers(per_line, total);
  submit(
      handle,
      [=, a = as(a)] {
        const bool rows = dir == CUSPARSE_DIRECTION_ROW;
        std::fill_n(per_line, rows ? m : n, 0);
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i)
            per_line[rows ? i : j] += !isZero(a[i + int64_t(j) * lda]);
        *total = std::accumulate(per_line, per_line + (rows ? m : n), 0);
      },
      resultOnHost(handle));
}

/// Dense to CSR, or to CSC, which is the transposed matrix in CSR.
template <typename T>
void toSparse(cusparseHandle_t handle, bool by_rows, int m, int n, const cusparseMatDescr_t descr,
              const T *a, int lda, const int *per_line, T *values, int *offsets, int *indices) {
  const int base = generalBase(descr);
  needDense(m, n, a, lda);
  needPointers(per_line, offsets);
  submit(handle, [=, a = as(a), values = as(values)] {
    const Dense full = columns(m, n, a, lda), lines = by_rows ? full : full.transposed();
    int count = 0;
    for (int64_t i = 0; i < lines.rows; ++i) {
      offsets[i] = count + base;
      for (int64_t j = 0; j < lines.cols; ++j)
        if (const auto value = a[lines.at(i, j)]; !isZero(value)) {
          values[count] = value;
          indices[count++] = int(j) + base;
        }
    }
    offsets[lines.rows] = count + base;
  });
}

template <typename T>
void toDense(cusparseHandle_t handle, int m, int n, const Matrix &a, T *to, int lda) {
  needDense(m, n, to, lda);
  needPointers(a.offsets.data);
  submit(handle, [=, to = as(to)] {
    const auto *from = static_cast<const Number<T> *>(a.values);
    for (int j = 0; j < n; ++j)
      std::fill_n(to + int64_t(j) * lda, m, Number<T>(0));
    forEach(a, [&](int64_t i, int64_t j, int64_t place) { to[i + j * lda] = from[place]; });
  });
}

/// Elements that are larger than a tolerance stay (cusparse<t>csr2csr_compress).
template <typename C> bool stays(C value, double tolerance) { return magnitude(value) > tolerance; }

template <typename T> double toleranceOf(T value) {
  const auto number = asValue(value);
  const double tolerance = loadAs<double>(dataType<Number<T>>(), &number, 0);
  need(tolerance >= 0, "the tolerance is negative");
  return tolerance;
}

template <typename T>
void nnzCompress(cusparseHandle_t handle, int m, const cusparseMatDescr_t descr, const T *values,
                 const int *offsets, int *per_row, int *total, T tol) {
  const int base = generalBase(descr);
  needSizes({m});
  needPointers(values, offsets, per_row, total);
  const double tolerance = toleranceOf(tol);
  submit(
      handle,
      [=, values = as(values)] {
        int count = 0;
        for (int i = 0; i < m; ++i) {
          per_row[i] = 0;
          for (int p = offsets[i] - base; p < offsets[i + 1] - base; ++p)
            per_row[i] += stays(values[p], tolerance);
          count += per_row[i];
        }
        *total = count;
      },
      resultOnHost(handle));
}

template <typename T>
void compress(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descr,
              const T *values, const int *indices, const int *offsets, int nnz, const int *per_row,
              T *to, int *to_indices, int *to_offsets, T tol) {
  const int base = generalBase(descr);
  needSizes({m, n, nnz});
  needPointers(offsets, per_row, to_offsets);
  need(nnz == 0 || (values && indices && to && to_indices), "a pointer is null");
  const double tolerance = toleranceOf(tol);
  submit(handle, [=, values = as(values), to = as(to)] {
    int count = 0;
    for (int i = 0; i < m; ++i) {
      to_offsets[i] = count + base;
      for (int p = offsets[i] - base; p < offsets[i + 1] - base; ++p)
        if (stays(values[p], tolerance)) {
          to[count] = values[p];
          to_indices[count++] = indices[p];
        }
    }
    to_offsets[m] = count + base;
  });
}

} // namespace
} // namespace heddle::cusparse

using namespace heddle::cusparse;

#define FUNCTIONS(P, T)                                                                            \
  cusparseStatus_t cusparse##P##nnz(cusparseHandle_t h, cusparseDirection_t dir, int m, int n,     \
                                    const cusparseMatDescr_t descr, const T *a, int lda,           \
                                    int *per_line, int *total) {                                   \
    return guarded(__func__, h, [&] { nnz(h, dir, m, n, descr, a, lda, per_line, total); });       \
  }                                                                                                \
  cusparseStatus_t cusparse##P##nnz_compress(                                                      \
      cusparseHandle_t h, int m, const cusparseMatDescr_t descr, const T *values,                  \
      const int *offsets, int *per_row, int *total, T tol) {                                       \
    return guarded(__func__, h,                                                                    \
                   [&] { nnzCompress(h, m, descr, values, offsets, per_row, total, tol); });       \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csr2csr_compress(                                                  \
      cusparseHandle_t h, int m, int n, const cusparseMatDescr_t descr, const T *values,           \
      const int *indices, const int *offsets, int nnz, const int *per_row, T *to, int *to_indices, \
      int *to_offsets, T tol) {                                                                    \
    return guarded(__func__, h, [&] {                                                              \
      compress(h, m, n, descr, values, indices, offsets, nnz, per_row, to, to_indices, to_offsets, \
               tol);                                                                               \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##dense2csr(                                                         \
      cusparseHandle_t h, int m, int n, const cusparseMatDescr_t descr, const T *a, int lda,       \
      const int *per_line, T *values, int *offsets, int *indices) {                                \
    return guarded(__func__, h, [&] {                                                              \
      toSparse(h, true, m, n, descr, a, lda, per_line, values, offsets, indices);                  \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##dense2csc(                                                         \
      cusparseHandle_t h, int m, int n, const cusparseMatDescr_t descr, const T *a, int lda,       \
      const int *per_line, T *values, int *indices, int *offsets) {                                \
    return guarded(__func__, h, [&] {                                                              \
      toSparse(h, false, m, n, descr, a, lda, per_line, values, offsets, indices);                 \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csr2dense(cusparseHandle_t h, int m, int n,                        \
                                          const cusparseMatDescr_t descr, const T *values,         \
                                          const int *offsets, const int *indices, T *a, int lda) { \
    return guarded(__func__, h, [&] {                                                              \
      toDense(h, m, n, csr(m, n, 0, generalBase(descr), values, offsets, indices), a, lda);        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csc2dense(cusparseHandle_t h, int m, int n,                        \
                                          const cusparseMatDescr_t descr, const T *values,         \
                                          const int *indices, const int *offsets, T *a, int lda) { \
    return guarded(__func__, h, [&] {                                                              \
      toDense(h, m, n, csc(m, n, 0, generalBase(descr), values, offsets, indices), a, lda);        \
    });                                                                                            \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)
