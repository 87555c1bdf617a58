// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and sums of sparse matrices, row by row: first where the result has elements, then
// which.
#pragma once

#include "descriptors.h"

#include <algorithm>

namespace heddle::cusparse {

/// Where a sum of patterns, all of the same size, has elements; places are positions.
Pattern unite(const std::vector<const Pattern *> &terms);

/// Where a product has elements; rows are sorted.
Pattern productOf(const Pattern &a, const Pattern &b);

/// How many products of elements the product of two matrices has.
int64_t countProducts(const Pattern &a, const Pattern &b);

/// Offsets and columns of a pattern as a program's matrix has them.
void writeOffsets(const Pattern &pattern, const Index &offsets, int64_t base);
void writeColumns(const Pattern &pattern, const Index &columns, int64_t base);

/// The values of a pattern's elements. `conjugate` for the transposed one of op = C.
template <typename C> struct Operand {
  const Pattern *pattern;
  const C *values;
  bool conjugate = false;

  C at(int64_t p) const {
    const C value = values[pattern->place[p]];
    return conjugate ? conj(value) : value;
  }
};

/// The sums in a row of the result, laid out by columns.
template <typename C> class RowOfSums {
public:
  explicit RowOfSums(const Pattern &result) : result_(result), sums_(size_t(result.cols)) {}

  void addProduct(int64_t i, C alpha, const Operand<C> &a, const Operand<C> &b) {
    for (int64_t p = a.pattern->begin(i); p < a.pattern->end(i); ++p)
      add(a.pattern->column[p], alpha * a.at(p), b);
  }
  void add(int64_t i, C alpha, const Operand<C> &a) {
    for (int64_t p = a.pattern->begin(i); p < a.pattern->end(i); ++p)
      sums_[a.pattern->column[p]] += alpha * a.at(p);
  }
  /// Calls f(position, sum) for each element of the row, and clears it.
  template <typename F> void take(int64_t i, F f) {
    for (int64_t p = result_.begin(i); p < result_.end(i); ++p) {
      C &sum = sums_[result_.column[p]];
      f(p, sum);
      sum = C(0);
    }
  }

private:
  const Pattern &result_;
  std::vector<C> sums_;
};

} // namespace heddle::cusparse
