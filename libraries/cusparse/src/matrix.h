// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrices of any format as the functions see them: the generic functions have a descriptor
// of one, the older ones make it of their arguments. `forEach` visits the elements of every format;
// a Pattern is what it visits, sorted by rows. Algorithms know nothing else of formats.
#pragma once

#include "number.h"

#include <cstdint>
#include <vector>

namespace heddle::cusparse {

/// An array of indices of one of the types that CUDA has for them.
struct Index {
  void *data = nullptr;
  cusparseIndexType_t type = CUSPARSE_INDEX_32I;

  int64_t at(int64_t i) const {
    switch (type) {
    case CUSPARSE_INDEX_16U:
      return static_cast<const uint16_t *>(data)[i];
    case CUSPARSE_INDEX_64I:
      return static_cast<const int64_t *>(data)[i];
    default:
      return static_cast<const int32_t *>(data)[i];
    }
  }
  void set(int64_t i, int64_t value) const {
    switch (type) {
    case CUSPARSE_INDEX_16U:
      static_cast<uint16_t *>(data)[i] = uint16_t(value);
      break;
    case CUSPARSE_INDEX_64I:
      static_cast<int64_t *>(data)[i] = value;
      break;
    default:
      static_cast<int32_t *>(data)[i] = int32_t(value);
    }
  }
  /// The array `count` elements further on.
  Index from(int64_t count) const;
};

/// Which elements of a matrix count; the others are as if they were not there.
enum class Part { all, lower, upper, strict_lower, strict_upper };

struct Matrix {
  cusparseFormat_t format = CUSPARSE_FORMAT_CSR;
  int64_t rows = 0, cols = 0, nnz = 0; // nnz: as the program gave it, in blocks for BSR
  // CSR, BSR: offsets of rows and columns; CSC: offsets of columns and rows; COO: rows and columns;
  // sliced ELL: offsets of slices and columns; blocked ELL: columns of blocks only
  Index offsets, indices;
  void *values = nullptr;
  cudaDataType type = CUDA_R_32F;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  int64_t row_block = 1, col_block = 1; // of BSR and blocked ELL
  cusparseOrder_t block_order = CUSPARSE_ORDER_ROW;
  int64_t ell_cols = 0;                // of blocked ELL
  int64_t slice = 0, values_count = 0; // of sliced ELL: rows of a slice, elements with padding
  Index ends;                          // of BSR with a mask: where rows end
  int batch_count = 1;
  int64_t offsets_stride = 0, indices_stride = 0, values_stride = 0;
  int fill = -1, diagonal = -1; // the attributes, -1: not set
  Part part = Part::all;

  /// Whether a place is in the matrix, and in the part that counts.
  bool counts(int64_t row, int64_t col) const;
  /// How many values there are in memory.
  int64_t stored() const;
  /// The nth matrix of a batch.
  Matrix batch(int n) const;
};

/// A CSR matrix as the older functions have it; CSC is the same with rows and columns exchanged.
template <typename T>
Matrix csr(int64_t rows, int64_t cols, int64_t nnz, cusparseIndexBase_t base, const T *values,
           const int *offsets, const int *columns) {
  Matrix a;
  a.rows = rows, a.cols = cols, a.nnz = nnz, a.base = base;
  a.offsets.data = const_cast<int *>(offsets), a.indices.data = const_cast<int *>(columns);
  a.values = const_cast<T *>(values);
  if constexpr (!std::is_void_v<T>)
    a.type = dataType<Number<T>>();
  return a;
}
template <typename T>
Matrix csc(int64_t rows, int64_t cols, int64_t nnz, cusparseIndexBase_t base, const T *values,
           const int *offsets, const int *row_indices) {
  Matrix a = csr(rows, cols, nnz, base, values, offsets, row_indices);
  a.format = CUSPARSE_FORMAT_CSC;
  return a;
}

/// A matrix of blocks as the older functions have it.
template <typename T>
Matrix bsr(cusparseDirection_t direction, int64_t block_rows, int64_t block_cols, int64_t blocks,
           cusparseIndexBase_t base, const T *values, const int *offsets, const int *columns,
           int row_block, int col_block) {
  Matrix a =
      csr(block_rows * row_block, block_cols * col_block, blocks, base, values, offsets, columns);
  a.format = CUSPARSE_FORMAT_BSR;
  a.row_block = row_block, a.col_block = col_block;
  a.block_order = direction == CUSPARSE_DIRECTION_ROW ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
  return a;
}

/// Calls f(row, column, place of the value) for each element in memory, in the order of the rows
/// (CSC: columns; COO: as they lie). Padding is left out.
template <typename F> void forEach(const Matrix &a, F f) {
  const int64_t base = a.base;
  switch (a.format) {
  case CUSPARSE_FORMAT_CSR:
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t p = a.offsets.at(i) - base, end = a.offsets.at(i + 1) - base; p < end; ++p)
        f(i, a.indices.at(p) - base, p);
    break;
  case CUSPARSE_FORMAT_CSC:
    for (int64_t j = 0; j < a.cols; ++j)
      for (int64_t p = a.offsets.at(j) - base, end = a.offsets.at(j + 1) - base; p < end; ++p)
        f(a.indices.at(p) - base, j, p);
    break;
  case CUSPARSE_FORMAT_COO:
    for (int64_t p = 0; p < a.nnz; ++p)
      f(a.offsets.at(p) - base, a.indices.at(p) - base, p);
    break;
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    for (int64_t i = 0; i < a.rows; ++i) {
      const int64_t s = i / a.slice, end = a.offsets.at(s + 1) - base;
      for (int64_t p = a.offsets.at(s) - base + i % a.slice; p < end; p += a.slice)
        if (const int64_t column = a.indices.at(p); column >= 0)
          f(i, column - base, p);
    }
    break;
  case CUSPARSE_FORMAT_BSR:
  case CUSPARSE_FORMAT_BLOCKED_ELL: {
    const int64_t rb = a.row_block, cb = a.col_block;
    const bool ell = a.format == CUSPARSE_FORMAT_BLOCKED_ELL,
               by_row = a.block_order == CUSPARSE_ORDER_ROW;
    const int64_t width = ell ? a.ell_cols / cb : 0;
    const Index &ends = a.ends.data ? a.ends : a.offsets.from(1);
    for (int64_t i = 0; i < a.rows / rb; ++i) {
      const int64_t begin = ell ? i * width : a.offsets.at(i) - base;
      const int64_t end = ell ? begin + width : ends.at(i) - base;
      for (int64_t r = 0; r < rb; ++r)
        for (int64_t b = begin; b < end; ++b) {
          const int64_t block = a.indices.at(b);
          if (block < 0)
            continue;
          // A row of blocks of a blocked ELL matrix is one dense matrix in order of rows.
          for (int64_t c = 0; c < cb; ++c) {
            const int64_t inside = by_row ? r * cb + c : c * rb + r;
            const int64_t place =
                ell ? (i * rb + r) * a.ell_cols + (b - begin) * cb + c : b * rb * cb + inside;
            f(i * rb + r, (block - base) * cb + c, place);
          }
        }
    }
    break;
  }
  }
}

/// The elements of a matrix by rows, as places in its array of values.
struct Pattern {
  int64_t rows = 0, cols = 0;
  std::vector<int64_t> start, column, place;

  int64_t begin(int64_t row) const { return start[row]; }
  int64_t end(int64_t row) const { return start[row + 1]; }
  int64_t count() const { return int64_t(column.size()); }
  /// Sorts each row by column; equal ones by place.
  void sortRows();
};

/// The pattern of a matrix or of its transpose. Elements outside the matrix are left out.
Pattern patternOf(const Matrix &a, bool transposed = false);

/// The pattern of a set of places: element k is at (rows[k], columns[k]) and has place k.
Pattern patternOf(int64_t rows, int64_t cols, const std::vector<int64_t> &row,
                  const std::vector<int64_t> &column);

/// `count` numbers of any type as C: those in memory if they are C, otherwise converted ones.
template <typename C> class Numbers {
public:
  Numbers(cudaDataType type, const void *values, int64_t count) {
    if (type == dataType<C>()) {
      data_ = static_cast<const C *>(values);
      return;
    }
    own_.resize(size_t(count));
    withElementType(type, [&](auto tag) {
      const auto *from = static_cast<const typename decltype(tag)::Type *>(values);
      for (int64_t i = 0; i < count; ++i)
        own_[i] = convert<C>(from[i]);
    });
    data_ = own_.data();
  }
  Numbers(const Numbers &) = delete;
  Numbers &operator=(const Numbers &) = delete;
  C operator[](int64_t i) const { return data_[i]; }
  const C *data() const { return data_; }

private:
  std::vector<C> own_;
  const C *data_;
};

template <typename C> void storeAs(cudaDataType type, void *values, int64_t i, C value) {
  withElementType(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    static_cast<T *>(values)[i] = convert<T>(value);
  });
}
template <typename C> C loadAs(cudaDataType type, const void *values, int64_t i) {
  C result{};
  withElementType(type, [&](auto tag) {
    result = convert<C>(static_cast<const typename decltype(tag)::Type *>(values)[i]);
  });
  return result;
}

/// A dense matrix or vector: element (i, j) is values[i * row_step + j * col_step].
struct Dense {
  int64_t rows = 0, cols = 0;
  int64_t row_step = 1, col_step = 0;
  void *values = nullptr;
  cudaDataType type = CUDA_R_32F;
  int batch_count = 1;
  int64_t batch_stride = 0;

  Dense batch(int n) const;
  Dense transposed() const;
  int64_t at(int64_t i, int64_t j) const { return i * row_step + j * col_step; }
  /// How many elements of memory it spans.
  int64_t span() const { return rows && cols ? at(rows - 1, cols - 1) + 1 : 0; }
};

/// A dense matrix of the older functions, by columns; a vector has one column.
template <typename T> Dense columns(int64_t rows, int64_t cols, const T *values, int64_t ld) {
  Dense d{rows, cols, 1, ld, const_cast<T *>(values)};
  d.type = dataType<Number<T>>();
  return d;
}

} // namespace heddle::cusparse
