// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of cuSPARSE's generic functions for full matrices: sparse in every format, and dense.
#pragma once
#include "sparse_check.h"

namespace sparse {

/// Indices of any type.
struct Indices {
  Array<int> narrow;
  Array<int64_t> wide;
  cusparseIndexType_t type;
  Indices(const std::vector<int> &values, bool is_wide)
      : narrow(values), wide(std::vector<int64_t>(values.begin(), values.end())),
        type(is_wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I) {}
  void *data() const {
    return type == CUSPARSE_INDEX_64I ? static_cast<void *>(wide.data()) : narrow.data();
  }
};

enum Format { csr, csc, coo, bsr, bsr_col, ell, sell, formats };

/// A matrix in one of the formats, with what it is made of.
template <typename T> struct Sparse {
  Indices offsets{{}, false}, columns{{}, false};
  Array<T> values;
  cusparseSpMatDescr_t mat = nullptr;

  static std::vector<int> rowsOf(const HostCsr &h, int base) {
    std::vector<int> rows;
    for (size_t i = 0; i + 1 < h.offsets.size(); ++i)
      rows.insert(rows.end(), h.offsets[i + 1] - h.offsets[i], int(i) + base);
    return rows;
  }
  struct Parts {
    std::vector<int> first, second;
    std::vector<Number> values;
  };
  static Parts partsOf(const Full &a, Format f, int base) {
    if (f == bsr || f == bsr_col) {
      const Blocks<T> b(a, 2, 3, f == bsr, base);
      return {b.host_offsets, b.host_columns, b.host_values};
    }
    if (f == ell)
      return ellParts(a, base);
    if (f == sell)
      return sellParts(a, base);
    const HostCsr h(f == csc ? transposed(a, T_) : a, base);
    return {f == coo ? rowsOf(h, base) : h.offsets, h.columns, h.values};
  }
  // Blocks of 2 by 2, two in each row; the second is missing (-1) in the first row.
  static Parts ellParts(const Full &a, int base) {
    Parts p;
    for (int i = 0; i < a.rows / 2; ++i)
      for (int b = 0; b < 2; ++b)
        p.second.push_back(i == 0 && b == 1 ? -1 : (i + b * 2) % (a.cols / 2) + base);
    for (int i = 0; i < a.rows; ++i)
      for (int b = 0; b < 2; ++b)
        for (int c = 0; c < 2; ++c) {
          const int block = p.second[i / 2 * 2 + b];
          p.values.push_back(block < 0 ? Number(99) : a(i, (block - base) * 2 + c));
        }
    return p;
  }
  // Slices of 4 rows.
  static Parts sellParts(const Full &a, int base) {
    const HostCsr h(a, 0);
    Parts p;
    p.first.push_back(base);
    for (int s = 0; s < (a.rows + 3) / 4; ++s) {
      int width = 0;
      for (int i = s * 4; i < std::min(a.rows, s * 4 + 4); ++i)
        width = std::max(width, h.offsets[i + 1] - h.offsets[i]);
      for (int k = 0; k < width; ++k)
        for (int i = s * 4; i < s * 4 + 4; ++i) {
          const bool there = i < a.rows && h.offsets[i] + k < h.offsets[i + 1];
          p.second.push_back(there ? h.columns[h.offsets[i] + k] + base : -1);
          p.values.push_back(there ? h.values[h.offsets[i] + k] : Number(0));
        }
      p.first.push_back(int(p.second.size()) + base);
    }
    return p;
  }

  Sparse(const Full &a, Format f, int base, bool wide)
      : Sparse(a, f, partsOf(a, f, base), base, wide) {}
  ~Sparse() { OK(cusparseDestroySpMat(mat)); }

private:
  Sparse(const Full &a, Format f, const Parts &p, int base_value, bool wide)
      : offsets(p.first, wide), columns(p.second, wide), values(p.values) {
    const auto base = cusparseIndexBase_t(base_value);
    const int64_t nnz = int64_t(p.values.size());
    const cudaDataType t = type<T>();
    if (f == csr)
      OK(cusparseCreateCsr(&mat, a.rows, a.cols, nnz, offsets.data(), columns.data(), values.data(),
                           offsets.type, columns.type, base, t));
    else if (f == csc)
      OK(cusparseCreateCsc(&mat, a.rows, a.cols, nnz, offsets.data(), columns.data(), values.data(),
                           offsets.type, columns.type, base, t));
    else if (f == coo)
      OK(cusparseCreateCoo(&mat, a.rows, a.cols, nnz, offsets.data(), columns.data(), values.data(),
                           columns.type, base, t));
    else if (f == bsr || f == bsr_col)
      OK(cusparseCreateBsr(&mat, a.rows / 2, a.cols / 3, nnz / 6, 2, 3, offsets.data(),
                           columns.data(), values.data(), offsets.type, columns.type, base, t,
                           f == bsr ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
    else if (f == ell)
      OK(cusparseCreateBlockedEll(&mat, a.rows, a.cols, 2, 4, columns.data(), values.data(),
                                  columns.type, base, t));
    else
      OK(cusparseCreateSlicedEll(
          &mat, a.rows, a.cols,
          std::count_if(p.second.begin(), p.second.end(), [](int c) { return c >= 0; }), nnz, 4,
          offsets.data(), columns.data(), values.data(), offsets.type, columns.type, base, t));
  }
};

/// What a blocked ELL matrix has of a full one.
template <typename T> Full seen(const Full &a, Format f) {
  if (f != ell)
    return a;
  Full b(a.rows, a.cols);
  const auto p = Sparse<T>::ellParts(a, 0);
  for (int i = 0; i < a.rows; ++i)
    for (int k = 0; k < 2; ++k)
      if (const int block = p.second[i / 2 * 2 + k]; block >= 0)
        for (int c = 0; c < 2; ++c)
          b(i, block * 2 + c) = a(i, block * 2 + c);
  return b;
}

struct DnVec {
  cusparseDnVecDescr_t vec;
  template <typename T> explicit DnVec(const Array<T> &a) {
    OK(cusparseCreateDnVec(&vec, int64_t(a.size()), a.data(), type<T>()));
  }
  ~DnVec() { OK(cusparseDestroyDnVec(vec)); }
  operator cusparseDnVecDescr_t() const { return vec; }
};

/// A dense matrix in memory with a leading dimension one larger than needed.
template <typename T> struct DnMat {
  Array<T> data;
  int rows, cols;
  bool by_row;
  cusparseDnMatDescr_t mat;
  DnMat(const Full &a, bool by_row)
      : data(size_t(a.rows + 1) * (a.cols + 1)), rows(a.rows), cols(a.cols), by_row(by_row) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        data[at(i, j)] = make<T>(a(i, j));
    OK(cusparseCreateDnMat(&mat, rows, cols, by_row ? cols + 1 : rows + 1, data.data(), type<T>(),
                           by_row ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  }
  ~DnMat() { OK(cusparseDestroyDnMat(mat)); }
  int at(int i, int j) const { return by_row ? i * (cols + 1) + j : i + j * (rows + 1); }
  void compareTo(const Full &expected, const char *what) const {
    std::vector<Number> actual;
    const auto all = data.read();
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i)
        actual.push_back(all[at(i, j)]);
    compareAt(actual, expected.at_, tolerance<T>(), what);
  }
};

} // namespace sparse
