// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of arguments that all cuBLAS functions share.
#pragma once

#include "handle.h"

#include <algorithm>
#include <climits>
#include <initializer_list>

namespace heddle::cublas {

/// Collects what is wrong with a call's arguments; the first fault is the one that is told.
class Check {
public:
  Check(const char *function, cublasHandle_t handle);

  Check &that(bool holds, const char *why) {
    if (!holds)
      fault(CUBLAS_STATUS_INVALID_VALUE, why);
    return *this;
  }
  Check &supported(bool holds, const char *why) {
    if (!holds)
      fault(CUBLAS_STATUS_NOT_SUPPORTED, why);
    return *this;
  }
  Check &uplo(cublasFillMode_t value) {
    return that(unsigned(value) <= CUBLAS_FILL_MODE_UPPER, "uplo is neither lower nor upper");
  }
  Check &diag(cublasDiagType_t value) {
    return that(unsigned(value) <= CUBLAS_DIAG_UNIT, "diag is neither unit nor non-unit");
  }
  Check &side(cublasSideMode_t value) {
    return that(unsigned(value) <= CUBLAS_SIDE_RIGHT, "side is neither left nor right");
  }
  Check &operation(cublasOperation_t value) {
    return that(unsigned(value) <= CUBLAS_OP_C, "the operation is none of N, T and C");
  }
  Check &triangle(cublasFillMode_t fill, cublasOperation_t trans, cublasDiagType_t unit) {
    return uplo(fill).operation(trans).diag(unit);
  }
  /// Sizes are not negative, and OpenBLAS counts them in int.
  Check &sizes(std::initializer_list<int64_t> values) {
    that(std::all_of(values.begin(), values.end(), [](int64_t v) { return v >= 0; }),
         "a size is negative");
    return narrow(values);
  }
  Check &narrow(std::initializer_list<int64_t> values) {
    return supported(std::all_of(values.begin(), values.end(),
                                 [](int64_t v) { return v <= INT_MAX && v >= -INT_MAX; }),
                     "a size or stride of 2^31 or more is not supported");
  }
  Check &leading(int64_t ld, int64_t rows) {
    that(ld >= std::max<int64_t>(1, rows), "a leading dimension is less than the matrix's rows");
    return narrow({ld});
  }
  Check &steps(std::initializer_list<int64_t> values) {
    that(std::none_of(values.begin(), values.end(), [](int64_t v) { return v == 0; }),
         "an increment is zero");
    return narrow(values);
  }
  Check &scalars(std::initializer_list<const void *> pointers) {
    return that(allSet(pointers), "a scalar's pointer is null");
  }
  /// Vectors and matrices, which may be null only if nothing of them is used.
  Check &data(bool used, std::initializer_list<const void *> pointers) {
    return that(!used || allSet(pointers), "a vector or matrix is null");
  }
  bool bad() const { return status_ != CUBLAS_STATUS_SUCCESS; }
  cublasStatus_t status() const { return status_; }

private:
  static bool allSet(std::initializer_list<const void *> pointers) {
    return std::all_of(pointers.begin(), pointers.end(),
                       [](const void *p) { return p != nullptr; });
  }
  void fault(cublasStatus_t status, const char *why) {
    if (!bad())
      status_ = refuse(function_, status, why);
  }
  const char *function_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

} // namespace heddle::cublas
