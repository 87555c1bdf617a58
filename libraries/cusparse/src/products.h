// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a sparse matrix with dense ones, for the generic and the older functions.
#pragma once

#include "descriptors.h"

namespace heddle::cusparse {

/// Whether elements of the types A and X can be multiplied, summed in `compute` and stored as Y
/// (cuSPARSE's documentation of cusparseSpMV and cusparseSpMM, tables of types).
void needTypes(cudaDataType a, cudaDataType x, cudaDataType y, cudaDataType compute);

/// c = alpha op(a) b + beta c on the handle's stream, where b is already transposed as it must be,
/// with conjugated elements if `conj_b`. Shapes and types have been checked.
void multiply(cusparseHandle_t handle, const Matrix &a, cusparseOperation_t op, const Dense &b,
              bool conj_b, const Dense &c, const Scalar &alpha, const Scalar &beta,
              cudaDataType compute);

} // namespace heddle::cusparse
