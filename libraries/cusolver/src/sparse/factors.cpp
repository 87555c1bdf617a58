// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "factor.h"

#include <Eigen/OrderingMethods>
#include <numeric>

namespace heddle::cusolver {

template <typename T>
void SparseLu<T>::factor(const Matrix<T> &A, const std::vector<int> &columns, double threshold) {
  n_ = int(A.rows());
  q_ = columns;
  if (q_.empty()) {
    q_.resize(n_);
    std::iota(q_.begin(), q_.end(), 0);
  }
  p_.assign(n_, -1);
  place_.assign(n_, -1);
  lower_.assign(n_, {});
  upper_.assign(n_, {});
  pivots_.assign(n_, T(0));
  mark_.assign(n_, -1);
  values_.assign(n_, T(0));
  for (int j = 0; j < n_; ++j)
    column(A, j, threshold);
  complete();
}

template <typename T> int SparseLu<T>::zeroPivot(double tolerance) const {
  for (int j = 0; j < n_; ++j)
    if (!(double(std::abs(pivots_[j])) > tolerance))
      return j;
  return -1;
}

template <typename T> void SparseLu<T>::solve(const T *b, T *x) const {
  std::vector<T> y(n_);
  for (int i = 0; i < n_; ++i)
    y[i] = b[p_[i]];
  for (int j = 0; j < n_; ++j)
    for (const auto &[row, value] : lower_[j])
      y[row] -= value * y[j];
  for (int j = n_; j-- > 0;) {
    y[j] /= pivots_[j];
    for (const auto &[row, value] : upper_[j])
      y[row] -= value * y[j];
  }
  for (int j = 0; j < n_; ++j)
    x[q_[j]] = y[j];
}

template <typename T>
void SparseLu<T>::extractLower(T *values, int *starts, int *indices, int base) const {
  extract(lower_, false, values, starts, indices, base);
}

template <typename T>
void SparseLu<T>::extractUpper(T *values, int *starts, int *indices, int base) const {
  extract(upper_, true, values, starts, indices, base);
}

template <typename T> void SparseLu<T>::reach(int row, std::vector<int> &found, int j) {
  if (mark_[row] == j)
    return;
  std::vector<std::pair<int, size_t>> stack{{row, 0}};
  mark_[row] = j;
  while (!stack.empty()) {
    auto &[at, next] = stack.back();
    const int eliminated = place_[at];
    if (eliminated < 0 || next == lower_[eliminated].size()) {
      found.push_back(at);
      stack.pop_back();
      continue;
    }
    const int other = lower_[eliminated][next++].first;
    if (mark_[other] != j) {
      mark_[other] = j;
      stack.emplace_back(other, 0);
    }
  }
}

template <typename T> void SparseLu<T>::column(const Matrix<T> &A, int j, double threshold) {
  std::vector<int> found;
  for (typename Matrix<T>::InnerIterator it(A, q_[j]); it; ++it)
    reach(int(it.row()), found, j);
  for (typename Matrix<T>::InnerIterator it(A, q_[j]); it; ++it)
    values_[it.row()] = it.value();
  int pivot = -1;
  for (auto row = found.rbegin(); row != found.rend(); ++row) {
    if (place_[*row] >= 0) {
      for (const auto &[below, factor] : lower_[place_[*row]])
        values_[below] -= factor * values_[*row];
      upper_[j].emplace_back(place_[*row], values_[*row]);
    } else if (pivot < 0 || std::abs(values_[*row]) > std::abs(values_[pivot])) {
      pivot = *row;
    }
  }
  const int diagonal = q_[j];
  if (pivot >= 0 && mark_[diagonal] == j && place_[diagonal] < 0 &&
      double(std::abs(values_[diagonal])) >= threshold * double(std::abs(values_[pivot])))
    pivot = diagonal;
  eliminate(found, pivot, j);
}

template <typename T> void SparseLu<T>::eliminate(const std::vector<int> &found, int pivot, int j) {
  if (pivot >= 0) {
    p_[j] = pivot;
    pivots_[j] = values_[pivot];
  }
  for (const int row : found) {
    if (place_[row] < 0 && row != pivot && pivots_[j] != T(0))
      lower_[j].emplace_back(row, values_[row] / pivots_[j]);
    values_[row] = T(0);
  }
  if (pivot >= 0)
    place_[pivot] = j;
}

template <typename T> void SparseLu<T>::complete() {
  std::vector<int> left;
  for (int row = 0; row < n_; ++row)
    if (place_[row] < 0)
      left.push_back(row);
  for (int j = 0; j < n_; ++j)
    if (p_[j] < 0) {
      p_[j] = left.back();
      place_[left.back()] = j;
      left.pop_back();
    }
  for (Column &entries : lower_)
    for (auto &entry : entries)
      entry.first = place_[entry.first];
}

template <typename T> int SparseLu<T>::count(const std::vector<Column> &columns) {
  size_t sum = 0;
  for (const Column &entries : columns)
    sum += entries.size();
  return int(sum);
}

template <typename T>
void SparseLu<T>::extract(const std::vector<Column> &columns, bool diagonal, T *values, int *starts,
                          int *indices, int base) const {
  std::vector<int> next(n_ + 1);
  for (int j = 0; j < n_; ++j) {
    next[j + 1] += diagonal;
    for (const auto &entry : columns[j])
      ++next[entry.first + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (int i = 0; i <= n_; ++i)
    starts[i] = next[i] + base;
  const auto put = [&](int row, int column, T value) {
    indices[next[row]] = column + base;
    values[next[row]++] = value;
  };
  // Columns ascend within each row.
  for (int j = 0; j < n_; ++j) {
    if (diagonal)
      put(j, j, pivots_[j]);
    for (const auto &[row, value] : columns[j])
      put(row, j, value);
  }
}

template <typename T> void SparseCholesky<T>::factor(const Matrix<T> &lower, std::vector<int> p) {
  p_ = std::move(p);
  n_ = int(lower.rows());
  Matrix<T> full = lower.template selfadjointView<Eigen::Lower>();
  full = permuted(full, p_);
  decomposition_.compute(full.template triangularView<Eigen::Lower>());
}

template <typename T> int SparseCholesky<T>::zeroPivot(double tolerance) const {
  for (int j = 0; j < n_; ++j)
    if (!(diagonal(j) > tolerance))
      return j;
  return -1;
}

template <typename T> void SparseCholesky<T>::solve(const T *b, T *x) const {
  Vector<T> y(n_);
  for (int i = 0; i < n_; ++i)
    y[i] = b[p_.empty() ? i : p_[i]];
  decomposition_.matrixL().solveInPlace(y);
  for (int i = 0; i < n_; ++i)
    y[i] /= decomposition_.vectorD()[i];
  decomposition_.matrixU().solveInPlace(y);
  for (int i = 0; i < n_; ++i)
    x[p_.empty() ? i : p_[i]] = y[i];
}

template <typename T> void SparseQr<T>::factor(Matrix<T> A) {
  if (A.rows() != A.cols()) {
    factorRanked(std::move(A), -1);
    return;
  }
  n_ = int(A.cols());
  square_ = true;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> p;
  if (n_ > 0)
    Eigen::AMDOrdering<int>()(A, p);
  lu_.factor(A, {p.indices().data(), p.indices().data() + n_}, 1);
}

template <typename T> void SparseQr<T>::factorRanked(Matrix<T> A, double tolerance) {
  n_ = int(A.cols());
  square_ = false;
  A.makeCompressed();
  if (tolerance >= 0)
    qr_.setPivotThreshold(Real<T>(tolerance));
  qr_.compute(A);
}

template <typename T> int SparseQr<T>::zeroPivot(double tolerance) const {
  if (square_)
    return lu_.zeroPivot(tolerance);
  for (int j = 0; j < rank(); ++j)
    if (!(double(std::abs(qr_.matrixR().coeff(j, j))) > tolerance))
      return j;
  return rank() < n_ ? rank() : -1;
}

template <typename T> void SparseQr<T>::solve(const T *b, int rows, T *x) const {
  if (square_) {
    lu_.solve(b, x);
    return;
  }
  const Vector<T> right = view(b, rows);
  view(x, n_) = qr_.solve(right);
}

template <typename T> std::vector<int> SparseQr<T>::columnOrder() const {
  const auto &indices = qr_.colsPermutation().indices();
  return {indices.data(), indices.data() + indices.size()};
}

#define FACTORS(T)                                                                                 \
  template class SparseLu<T>;                                                                      \
  template class SparseCholesky<T>;                                                                \
  template class SparseQr<T>;
FACTORS(float)
FACTORS(double)
FACTORS(std::complex<float>)
FACTORS(std::complex<double>)

} // namespace heddle::cusolver
