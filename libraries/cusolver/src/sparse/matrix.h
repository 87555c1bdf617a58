// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sparse functions share: the handle, matrices in compressed rows as Eigen's, orders of
// elimination, and work that runs on the host at once or on the handle's stream.
#pragma once

#include "../handle.h"
#include "../lapack.h"
#include "cusolverSp.h"

#include <Eigen/SparseCore>
#include <functional>
#include <stdexcept>

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

namespace heddle::cusolver {

template <typename T> using Matrix = Eigen::SparseMatrix<T, Eigen::ColMajor, int>;
template <typename T> using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// Work of a sparse call. It throws std::invalid_argument for a pattern that is none.
enum class Where { Host, Stream, StreamAndWait };
Status runSparse(const Check &c, cusolverSpHandle_t handle, Where where,
                 std::function<void()> work);

/// The pattern of a matrix in compressed rows, as it was handed over.
struct Pattern {
  int rows, columns, nnz;
  cusparseMatDescr_t description;
  const int *starts, *indices;

  int base() const { return cusparseGetMatIndexBase(description) == CUSPARSE_INDEX_BASE_ONE; }
  void check(Check &c) const;
  /// Whether starts ascend to nnz and indices are columns; throws if not.
  void validate(const int *ends = nullptr) const;
  /// Calls function(row, column, position) for all elements, from 0.
  template <typename F> void each(F function) const {
    const int first = base();
    for (int row = 0; row < rows; ++row)
      for (int k = starts[row] - first; k < starts[row + 1] - first; ++k)
        function(row, indices[k] - first, k);
  }
};

template <typename T> struct Csr {
  Pattern pattern;
  const T *values;

  void check(Check &c) const {
    pattern.check(c);
    c.array(values, pattern.nnz, "the array of values is null");
  }
  /// A - shift I; `keep(row, column)` says which elements count.
  template <typename Keep> Matrix<T> matrix(Keep keep, T shift = T(0)) const {
    pattern.validate();
    std::vector<Eigen::Triplet<T, int>> elements;
    elements.reserve(pattern.nnz);
    pattern.each([&](int row, int column, int k) {
      if (keep(row, column))
        elements.emplace_back(row, column, values[k]);
    });
    for (int i = 0; shift != T(0) && i < std::min(pattern.rows, pattern.columns); ++i)
      elements.emplace_back(i, i, -shift);
    Matrix<T> result(pattern.rows, pattern.columns);
    result.setFromTriplets(elements.begin(), elements.end());
    return result;
  }
  Matrix<T> matrix(T shift = T(0)) const {
    return matrix([](int, int) { return true; }, shift);
  }
};

/// Which order of elimination `reorder` asks for (cuSOLVER, "csrlsvlu"): none, reverse
/// Cuthill-McKee, minimum degree, nested dissection (here minimum degree too).
enum class Order { None, Rcm, Amd, Metis };

/// The order of a square pattern: element i says which row comes at place i.
std::vector<int> order(const Pattern &pattern, Order kind);

/// A with its rows and columns in the order p.
template <typename T> Matrix<T> permuted(const Matrix<T> &A, const std::vector<int> &p) {
  if (p.empty())
    return A;
  std::vector<int> place(p.size());
  for (size_t i = 0; i < p.size(); ++i)
    place[p[i]] = int(i);
  std::vector<Eigen::Triplet<T, int>> elements;
  elements.reserve(A.nonZeros());
  for (int column = 0; column < A.outerSize(); ++column)
    for (typename Matrix<T>::InnerIterator it(A, column); it; ++it)
      elements.emplace_back(place[it.row()], place[column], it.value());
  Matrix<T> result(A.rows(), A.cols());
  result.setFromTriplets(elements.begin(), elements.end());
  return result;
}

template <typename T> Eigen::Map<const Vector<T>> view(const T *data, int64_t count) {
  return {data, count};
}
template <typename T> Eigen::Map<Vector<T>> view(T *data, int64_t count) { return {data, count}; }

} // namespace heddle::cusolver
