// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SparseToDense and DenseToSparse. Elements keep their type, so only whether they are 0 matters.
#include "descriptors.h"

#include <cuda_runtime_api.h>

using namespace heddle;
using namespace heddle::cusparse;

namespace {

template <typename T> bool isZero(T v) { return widen(v) == decltype(widen(v))(0); }

void checkPair(cusparseConstSpMatDescr_t sparse, cusparseConstDnMatDescr_t dense, int alg) {
  needLive(sparse);
  needLive(dense);
  need(sparse->rows == dense->rows && sparse->cols == dense->cols,
       "the matrices have different sizes");
  needSupported(sparse->type == dense->type, "the matrices have different types");
  need(alg == 0, "there is no such algorithm");
}

void toDense(const Matrix &a, const Dense &b) {
  withElementType(a.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *from = static_cast<const T *>(a.values);
    T *to = static_cast<T *>(b.values);
    for (int64_t i = 0; i < b.rows; ++i)
      for (int64_t j = 0; j < b.cols; ++j)
        to[b.at(i, j)] = T(0);
    forEach(a, [&](int64_t i, int64_t j, int64_t place) { to[b.at(i, j)] = from[place]; });
  });
}

/// The dense matrix as rows of what is not 0, or as columns of it.
template <typename T, typename F> void forEachNonZero(const Dense &a, F f) {
  const T *from = static_cast<const T *>(a.values);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.cols; ++j)
      if (!isZero(from[a.at(i, j)]))
        f(i, j, from[a.at(i, j)]);
}

bool byColumns(const Matrix &b) { return b.format == CUSPARSE_FORMAT_CSC; }

/// How many elements are not 0; the offsets of CSR and CSC are filled on the way.
int64_t analyse(const Dense &a, const Matrix &b) {
  int64_t count = 0;
  const Dense lines = byColumns(b) ? a.transposed() : a;
  withElementType(a.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    int64_t line = 0;
    auto close = [&](int64_t until) {
      for (; line <= until; ++line)
        if (b.format != CUSPARSE_FORMAT_COO)
          b.offsets.set(line, count + b.base);
    };
    forEachNonZero<T>(lines, [&](int64_t i, int64_t, T) {
      close(i);
      ++count;
    });
    close(lines.rows);
  });
  return count;
}

void fill(const Dense &a, const Matrix &b) {
  withElementType(a.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T *values = static_cast<T *>(b.values);
    int64_t p = 0;
    forEachNonZero<T>(byColumns(b) ? a.transposed() : a, [&](int64_t i, int64_t j, T value) {
      if (b.format == CUSPARSE_FORMAT_COO)
        b.offsets.set(p, i + b.base);
      b.indices.set(p, j + b.base);
      values[p++] = value;
    });
  });
}

/// Blocked ELL: the columns of blocks are given, the values are taken from there.
void fillBlocks(const Dense &a, const Matrix &b) {
  withElementType(a.type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *from = static_cast<const T *>(a.values);
    T *to = static_cast<T *>(b.values);
    forEach(b, [&](int64_t i, int64_t j, int64_t place) { to[place] = from[a.at(i, j)]; });
  });
}

void checkToSparse(cusparseConstDnMatDescr_t a, cusparseConstSpMatDescr_t b, int alg) {
  checkPair(b, a, alg);
  needSupported(b->format != CUSPARSE_FORMAT_SLICED_ELLPACK && b->format != CUSPARSE_FORMAT_BSR,
                "the result must be CSR, CSC, COO or blocked ELL");
}

} // namespace

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB,
                                                  cusparseSparseToDenseAlg_t alg,
                                                  size_t *bufferSize) {
  return guarded(__func__, handle, [&] {
    checkPair(matA, matB, alg);
    giveBufferSize(bufferSize);
  });
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                       void *) {
  return guarded(__func__, handle, [&] {
    checkPair(matA, matB, alg);
    submit(handle, [a = Matrix(*matA), b = Dense(*matB)] { toDense(a, b); });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB,
                                                  cusparseDenseToSparseAlg_t alg,
                                                  size_t *bufferSize) {
  return guarded(__func__, handle, [&] {
    checkToSparse(matA, matB, alg);
    giveBufferSize(bufferSize);
  });
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t alg, void *) {
  return guarded(__func__, handle, [&] {
    checkToSparse(matA, matB, alg);
    if (matB->format == CUSPARSE_FORMAT_BLOCKED_ELL)
      return;
    need(matB->format == CUSPARSE_FORMAT_COO || matB->offsets.data,
         "the result has no array of offsets");
    // The program asks for the number next (cusparseSpMatGetSize), so it must be there now.
    int64_t count = 0;
    submit(handle, [&count, a = Dense(*matA), b = Matrix(*matB)] { count = analyse(a, b); }, true);
    matB->nnz = count;
  });
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t alg, void *) {
  return guarded(__func__, handle, [&] {
    checkToSparse(matA, matB, alg);
    need(matB->stored() == 0 || (matB->indices.data && matB->values), "the result has no arrays");
    submit(handle, [a = Dense(*matA), b = Matrix(*matB)] {
      b.format == CUSPARSE_FORMAT_BLOCKED_ELL ? fillBlocks(a, b) : fill(a, b);
    });
  });
}
