// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of the API: descriptors of the generic functions and of the older ones.
#pragma once

#include "context.h"
#include "matrix.h"

struct cusparseSpVecDescr {
  int64_t size, nnz;
  heddle::cusparse::Index indices;
  void *values;
  cudaDataType type;
  cusparseIndexBase_t base;
};
struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};
struct cusparseSpMatDescr : heddle::cusparse::Matrix {};
struct cusparseDnMatDescr : heddle::cusparse::Dense {
  int64_t ld = 0;
  cusparseOrder_t order = CUSPARSE_ORDER_COL;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

namespace heddle::cusparse {

/// A vector is a matrix of one column.
inline Dense dense(cusparseConstDnVecDescr_t vec) {
  Dense d{vec->size, 1, 1, vec->size, vec->values};
  d.type = vec->type;
  return d;
}

inline void needSizes(std::initializer_list<int64_t> sizes) {
  for (const int64_t size : sizes)
    need(size >= 0, "a size is negative");
}

/// The base of a live descriptor of the older functions whose matrix is GENERAL.
inline cusparseIndexBase_t generalBase(const cusparseMatDescr_t descr) {
  needLive(descr);
  need(descr->type == CUSPARSE_MATRIX_TYPE_GENERAL, "the matrix type must be GENERAL",
       CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  return descr->base;
}
inline cusparseIndexBase_t anyBase(const cusparseMatDescr_t descr) {
  needLive(descr);
  return descr->base;
}

} // namespace heddle::cusparse
