// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace heddle::cusparse {

Index Index::from(int64_t count) const {
  const int64_t size = type == CUSPARSE_INDEX_16U ? 2 : type == CUSPARSE_INDEX_64I ? 8 : 4;
  return {static_cast<char *>(data) + count * size, type};
}

int64_t Matrix::stored() const {
  switch (format) {
  case CUSPARSE_FORMAT_BLOCKED_ELL:
    return rows * ell_cols;
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    return values_count;
  default:
    return nnz * row_block * col_block;
  }
}

Matrix Matrix::batch(int n) const {
  Matrix one = *this;
  one.offsets = offsets.from(n * offsets_stride);
  one.indices = indices.from(n * indices_stride);
  one.values = static_cast<char *>(values) + n * values_stride * int64_t(sizeOf(type));
  return one;
}

Dense Dense::batch(int n) const {
  Dense one = *this;
  one.values = static_cast<char *>(values) + n * batch_stride * int64_t(sizeOf(type));
  return one;
}

Dense Dense::transposed() const {
  Dense other = *this;
  std::swap(other.rows, other.cols);
  std::swap(other.row_step, other.col_step);
  return other;
}

bool Matrix::counts(int64_t i, int64_t j) const {
  if (i < 0 || i >= rows || j < 0 || j >= cols)
    return false;
  switch (part) {
  case Part::lower:
    return i >= j;
  case Part::upper:
    return i <= j;
  case Part::strict_lower:
    return i > j;
  case Part::strict_upper:
    return i < j;
  default:
    return true;
  }
}

Pattern patternOf(const Matrix &a, bool transposed) {
  Pattern result;
  result.rows = transposed ? a.cols : a.rows;
  result.cols = transposed ? a.rows : a.cols;
  auto visit = [&](auto f) {
    forEach(a, [&](int64_t i, int64_t j, int64_t place) {
      if (a.counts(i, j))
        transposed ? f(j, i, place) : f(i, j, place);
    });
  };
  result.start.assign(result.rows + 1, 0);
  visit([&](int64_t i, int64_t, int64_t) { ++result.start[i + 1]; });
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.column.resize(result.start.back());
  result.place.resize(result.start.back());
  std::vector<int64_t> next(result.start.begin(), result.start.end() - 1);
  visit([&](int64_t i, int64_t j, int64_t place) {
    result.column[next[i]] = j;
    result.place[next[i]++] = place;
  });
  return result;
}

Pattern patternOf(int64_t rows, int64_t cols, const std::vector<int64_t> &row,
                  const std::vector<int64_t> &column) {
  Matrix a;
  a.format = CUSPARSE_FORMAT_COO;
  a.rows = rows, a.cols = cols, a.nnz = int64_t(row.size());
  a.offsets = {const_cast<int64_t *>(row.data()), CUSPARSE_INDEX_64I};
  a.indices = {const_cast<int64_t *>(column.data()), CUSPARSE_INDEX_64I};
  return patternOf(a);
}

void Pattern::sortRows() {
  std::vector<std::pair<int64_t, int64_t>> row;
  for (int64_t i = 0; i < rows; ++i) {
    if (std::is_sorted(column.begin() + begin(i), column.begin() + end(i)))
      continue;
    row.clear();
    for (int64_t p = begin(i); p < end(i); ++p)
      row.emplace_back(column[p], place[p]);
    std::sort(row.begin(), row.end());
    for (int64_t p = begin(i); p < end(i); ++p)
      std::tie(column[p], place[p]) = row[p - begin(i)];
  }
}

} // namespace heddle::cusparse
