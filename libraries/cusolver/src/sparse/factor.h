// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse factorisations: LU of our own (Gilbert and Peierls' algorithm: column by column, a
// triangular solution whose pattern a depth-first search finds), Cholesky and QR of Eigen. They are
// compiled once for each type, in factors.cpp: Eigen's algorithms are what takes time to compile.
#pragma once

#include "matrix.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseQR>
#include <memory>

namespace heddle::cusolver {

/// P A Q' = L U: row p[i] of A is row i of the product, column q[j] its column j. L has ones on its
/// diagonal, which are not stored.
template <typename T> class SparseLu {
public:
  /// `threshold`: the diagonal element is the pivot if it is at least that part of the largest.
  void factor(const Matrix<T> &A, const std::vector<int> &columns, double threshold);
  /// The first pivot that is not greater than `tolerance`, or -1.
  int zeroPivot(double tolerance) const;
  void solve(const T *b, T *x) const;
  const std::vector<int> &rowOrder() const { return p_; }
  const std::vector<int> &columnOrder() const { return q_; }
  int lowerCount() const { return count(lower_); }
  int upperCount() const { return count(upper_) + n_; }
  /// Factors in compressed rows, from 0.
  void extractLower(T *values, int *starts, int *indices, int base) const;
  void extractUpper(T *values, int *starts, int *indices, int base) const;

private:
  using Column = std::vector<std::pair<int, T>>;

  /// Rows that the column will have, so that each comes before those it adds to (reversed).
  void reach(int row, std::vector<int> &found, int j);
  void column(const Matrix<T> &A, int j, double threshold);
  void eliminate(const std::vector<int> &found, int pivot, int j);
  /// Gives the columns that had no row left one, and names L's rows by their places.
  void complete();
  static int count(const std::vector<Column> &columns);
  void extract(const std::vector<Column> &columns, bool diagonal, T *values, int *starts,
               int *indices, int base) const;

  int n_ = 0;
  std::vector<int> p_, q_, place_, mark_;
  std::vector<Column> lower_, upper_;
  std::vector<T> pivots_, values_;
};

/// A = L L' of the lower triangle, rows and columns in the order `p` (empty: as they are). It is
/// kept as L D L', whose D tells where a matrix is not positive definite.
template <typename T> class SparseCholesky {
public:
  void factor(const Matrix<T> &lower, std::vector<int> p);
  int zeroPivot(double tolerance) const;
  /// L's diagonal, squared where that is negative: not a number then.
  double diagonal(int j) const { return std::sqrt(double(std::real(decomposition_.vectorD()[j]))); }
  int size() const { return n_; }
  void solve(const T *b, T *x) const;

private:
  int n_ = 0;
  std::vector<int> p_;
  Eigen::SimplicialLDLT<Matrix<T>, Eigen::Lower, Eigen::NaturalOrdering<int>> decomposition_;
};

/// What csrqr is asked for. Square systems are solved by LU with partial pivoting, since
/// Eigen's QR, which does least squares and tells ranks, did not end in 100 s for 10,000 rows.
template <typename T> class SparseQr {
public:
  void factor(Matrix<T> A);
  /// QR with columns in an order of its own, dependent ones last: those whose norm is not greater
  /// than `tolerance`; less than 0: by rounding.
  void factorRanked(Matrix<T> A, double tolerance);
  int rank() const { return int(qr_.rank()); }
  int zeroPivot(double tolerance) const;
  /// The solution, or that of least squares.
  void solve(const T *b, int rows, T *x) const;
  std::vector<int> columnOrder() const;

private:
  int n_ = 0;
  bool square_ = false;
  SparseLu<T> lu_;
  Eigen::SparseQR<Matrix<T>, Eigen::COLAMDOrdering<int>> qr_;
};

} // namespace heddle::cusolver
