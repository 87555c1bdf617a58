// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse factorisations: LU of our own (Gilbert and Peierls' algorithm: column by column, a
// triangular solution whose pattern a depth-first search finds), Cholesky and QR of Eigen.
#pragma once

#include "matrix.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseQR>
#include <memory>
#include <numeric>

namespace heddle::cusolver {

/// P A Q' = L U: row p[i] of A is row i of the product, column q[j] its column j. L has ones on its
/// diagonal, which are not stored.
template <typename T> class SparseLu {
public:
  /// `threshold`: the diagonal element is the pivot if it is at least that part of the largest.
  void factor(const Matrix<T> &A, const std::vector<int> &columns, double threshold) {
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
  /// The first pivot that is not greater than `tolerance`, or -1.
  int zeroPivot(double tolerance) const {
    for (int j = 0; j < n_; ++j)
      if (!(double(std::abs(pivots_[j])) > tolerance))
        return j;
    return -1;
  }
  void solve(const T *b, T *x) const {
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
  const std::vector<int> &rowOrder() const { return p_; }
  const std::vector<int> &columnOrder() const { return q_; }
  int lowerCount() const { return count(lower_); }
  int upperCount() const { return count(upper_) + n_; }
  /// Factors in compressed rows, from 0.
  void extractLower(T *values, int *starts, int *indices, int base) const {
    extract(lower_, false, values, starts, indices, base);
  }
  void extractUpper(T *values, int *starts, int *indices, int base) const {
    extract(upper_, true, values, starts, indices, base);
  }

private:
  using Column = std::vector<std::pair<int, T>>;

  /// Rows that the column will have, so that each comes before those it adds to (reversed).
  void reach(int row, std::vector<int> &found, int j) {
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
  void column(const Matrix<T> &A, int j, double threshold) {
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
  void eliminate(const std::vector<int> &found, int pivot, int j) {
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
  /// Gives the columns that had no row left one, and names L's rows by their places.
  void complete() {
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
  static int count(const std::vector<Column> &columns) {
    size_t sum = 0;
    for (const Column &entries : columns)
      sum += entries.size();
    return int(sum);
  }
  void extract(const std::vector<Column> &columns, bool diagonal, T *values, int *starts,
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

  int n_ = 0;
  std::vector<int> p_, q_, place_, mark_;
  std::vector<Column> lower_, upper_;
  std::vector<T> pivots_, values_;
};

/// A = L L' of the lower triangle, rows and columns in the order `p` (empty: as they are). It is
/// kept as L D L', whose D tells where a matrix is not positive definite.
template <typename T> class SparseCholesky {
public:
  void factor(const Matrix<T> &lower, std::vector<int> p) {
    p_ = std::move(p);
    n_ = int(lower.rows());
    Matrix<T> full = lower.template selfadjointView<Eigen::Lower>();
    full = permuted(full, p_);
    decomposition_.compute(full.template triangularView<Eigen::Lower>());
  }
  int zeroPivot(double tolerance) const {
    for (int j = 0; j < n_; ++j)
      if (!(diagonal(j) > tolerance))
        return j;
    return -1;
  }
  /// L's diagonal, squared where that is negative: not a number then.
  double diagonal(int j) const { return std::sqrt(double(std::real(decomposition_.vectorD()[j]))); }
  int size() const { return n_; }
  void solve(const T *b, T *x) const {
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

private:
  int n_ = 0;
  std::vector<int> p_;
  Eigen::SimplicialLDLT<Matrix<T>, Eigen::Lower, Eigen::NaturalOrdering<int>> decomposition_;
};

/// What csrqr is asked for. Square systems are solved by LU with partial pivoting, since
/// Eigen's QR, which does least squares and tells ranks, did not end in 100 s for 10,000 rows.
template <typename T> class SparseQr {
public:
  void factor(Matrix<T> A) {
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
  /// QR with columns in an order of its own, dependent ones last: those whose norm is not greater
  /// than `tolerance`; less than 0: by rounding.
  void factorRanked(Matrix<T> A, double tolerance) {
    n_ = int(A.cols());
    square_ = false;
    A.makeCompressed();
    if (tolerance >= 0)
      qr_.setPivotThreshold(Real<T>(tolerance));
    qr_.compute(A);
  }
  int rank() const { return int(qr_.rank()); }
  int zeroPivot(double tolerance) const {
    if (square_)
      return lu_.zeroPivot(tolerance);
    for (int j = 0; j < rank(); ++j)
      if (!(double(std::abs(qr_.matrixR().coeff(j, j))) > tolerance))
        return j;
    return rank() < n_ ? rank() : -1;
  }
  /// The solution, or that of least squares.
  void solve(const T *b, int rows, T *x) const {
    if (square_) {
      lu_.solve(b, x);
      return;
    }
    const Vector<T> right = view(b, rows);
    view(x, n_) = qr_.solve(right);
  }
  std::vector<int> columnOrder() const {
    const auto &indices = qr_.colsPermutation().indices();
    return {indices.data(), indices.data() + indices.size()};
  }

private:
  int n_ = 0;
  bool square_ = false;
  SparseLu<T> lu_;
  Eigen::SparseQR<Matrix<T>, Eigen::COLAMDOrdering<int>> qr_;
};

} // namespace heddle::cusolver
