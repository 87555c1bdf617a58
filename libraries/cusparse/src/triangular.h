// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triangular systems. An analysis finds the triangle in a matrix of any format; solves read the
// matrix's values by the places that it noted.
#pragma once

#include "descriptors.h"

#include <functional>

namespace heddle::cusparse {

/// What an analysis finds. Tasks share it with the object that the program has.
struct Triangle {
  Pattern off_diagonal;
  std::vector<int64_t> diagonal; // places of values, -1: there is none
  bool forward = true;           // from the first row to the last one
  int64_t missing = -1;          // the first row without an element on the diagonal
  int64_t zero = -1;             // the first row where a solve found 0 there
  // Values that an update has given instead of the matrix's.
  std::vector<char> values, diagonal_values;
};

/// What the program creates, for the generic and the older functions.
class Solver {
public:
  /// Notes where op(a)'s triangle is.
  void analyse(cusparseHandle_t handle, const Matrix &a, cusparseOperation_t op, bool lower,
               bool unit);
  /// op(a) x = alpha b for each column of b. x and b may be the same.
  void solve(cusparseHandle_t handle, const Matrix &a, cusparseOperation_t op, bool unit,
             const Scalar &alpha, const Dense &b, const Dense &x) const;
  void update(cusparseHandle_t handle, const void *values, bool diagonal_only);
  /// Waits; the first row whose diagonal is missing or 0, in units of `block` rows.
  cusparseStatus_t zeroPivot(cusparseHandle_t handle, int *position) const;

private:
  std::shared_ptr<Triangle> triangle_;
  int64_t stored_ = 0, rows_ = 0, base_ = 0, block_ = 1;
  cudaDataType type_ = CUDA_R_32F;
};

/// Leaves a row's number, from the matrix's base on, or -1 where the handle's mode says; waits. The
/// status is what zeroPivot functions return.
cusparseStatus_t givePivot(cusparseHandle_t handle, int *position, std::function<int64_t()> row,
                           int64_t block, int64_t base);

} // namespace heddle::cusparse
