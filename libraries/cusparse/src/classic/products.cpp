// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The older products of one type: csrmv, csrmm, bsrmv, bsrxmv, bsrmm, gemvi, gemmi.
#include "products.h"

#include <algorithm>

namespace heddle::cusparse {
namespace {

constexpr auto op_n = CUSPARSE_OPERATION_NON_TRANSPOSE, op_t = CUSPARSE_OPERATION_TRANSPOSE,
               op_c = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;

Dense transposedFor(const Dense &d, cusparseOperation_t op) {
  return op == op_n ? d : d.transposed();
}

/// c = alpha op(a) b + beta c for a matrix that the descriptor may call symmetric, Hermitian or
/// triangular: then only one triangle of it is read.
void multiplyAs(cusparseHandle_t handle, const cusparseMatDescr_t descr, Matrix a,
                cusparseOperation_t op, const Dense &b, bool conj_b, const Dense &c,
                const Scalar &alpha, const Scalar &beta, cudaDataType compute) {
  if (descr->type == CUSPARSE_MATRIX_TYPE_GENERAL)
    return multiply(handle, a, op, b, conj_b, c, alpha, beta, compute);
  const bool lower = descr->fill == CUSPARSE_FILL_MODE_LOWER,
             hermitian = descr->type == CUSPARSE_MATRIX_TYPE_HERMITIAN;
  a.part = lower ? Part::lower : Part::upper;
  if (descr->type == CUSPARSE_MATRIX_TYPE_TRIANGULAR)
    return multiply(handle, a, op, b, conj_b, c, alpha, beta, compute);
  need(a.rows == a.cols, "a symmetric matrix must be square");
  const bool complex = a.type == CUDA_C_32F || a.type == CUDA_C_64F;
  needSupported(op == op_n || !complex || op == (hermitian ? op_c : op_t),
                "this operation on a symmetric or Hermitian matrix");
  multiply(handle, a, op_n, b, conj_b, c, alpha, beta, compute);
  a.part = lower ? Part::strict_lower : Part::strict_upper;
  multiply(handle, a, hermitian ? op_c : op_t, b, conj_b, c, alpha, Scalar::one(), compute);
}

template <typename T>
void csrmm(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, int m,
           int n, int k, int nnz, const T *alpha, const cusparseMatDescr_t descr, const T *values,
           const int *offsets, const int *indices, const T *b, int ldb, const T *beta, T *c,
           int ldc) {
  needOperation(op_a);
  needOperation(op_b);
  needSizes({m, n, k, nnz});
  const auto base = anyBase(descr);
  needPointers(alpha, beta, offsets);
  need(nnz == 0 || (values && indices), "a pointer is null");
  const int64_t rows = op_a == op_n ? m : k, depth = op_a == op_n ? k : m;
  need(ldb >= (op_b == op_n ? depth : n) && ldc >= rows, "a leading dimension is too small");
  if (rows == 0 || n == 0)
    return;
  needPointers(b, c);
  const Dense right =
      op_b == op_n ? columns(depth, n, b, ldb) : columns(n, depth, b, ldb).transposed();
  multiplyAs(handle, descr, csr(m, k, nnz, base, values, offsets, indices), op_a, right,
             op_b == op_c, columns(rows, n, c, ldc), Scalar(handle, alpha), Scalar(handle, beta),
             dataType<Number<T>>());
}

template <typename T>
void csrmv(cusparseHandle_t handle, cusparseOperation_t op, int m, int n, int nnz, const T *alpha,
           const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,
           const T *x, const T *beta, T *y) {
  csrmm(handle, op, op_n, m, 1, n, nnz, alpha, descr, values, offsets, indices, x, std::max(m, n),
        beta, y, std::max(m, n));
}

template <typename T>
void bsrmm(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a,
           cusparseOperation_t op_b, int mb, int n, int kb, int nnzb, const T *alpha,
           const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *ends,
           const int *indices, int block, const T *b, int ldb, const T *beta, T *c, int ldc) {
  needSizes({mb, n, kb, nnzb});
  needOperation(op_b);
  const auto base = generalBase(descr);
  need(unsigned(dir) <= CUSPARSE_DIRECTION_COLUMN, "there is no such direction");
  need(block > 0, "a block has no size");
  needSupported(op_a == op_n, "only op(A) = A is there, as in NVIDIA's library");
  needPointers(alpha, beta, offsets);
  need(nnzb == 0 || (values && indices), "a pointer is null");
  const int64_t rows = int64_t(mb) * block, depth = int64_t(kb) * block;
  need(ldb >= (op_b == op_n ? depth : n) && ldc >= rows, "a leading dimension is too small");
  if (rows == 0 || n == 0)
    return;
  Matrix a = bsr(dir, mb, kb, nnzb, base, values, offsets, indices, block, block);
  a.ends.data = const_cast<int *>(ends);
  const Dense right =
      op_b == op_n ? columns(depth, n, b, ldb) : columns(n, depth, b, ldb).transposed();
  multiply(handle, a, op_a, right, op_b == op_c, columns(rows, n, c, ldc), Scalar(handle, alpha),
           Scalar(handle, beta), dataType<Number<T>>());
}

/// Rows of blocks that the mask names change, others keep what y has (cusparse<t>bsrxmv).
template <typename T>
void bsrxmv(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, int count,
            int mb, int nb, int nnzb, const T *alpha, const cusparseMatDescr_t descr,
            const T *values, const int *mask, const int *offsets, const int *ends,
            const int *indices, int block, const T *x, const T *beta, T *y) {
  needSizes({count, mb, nb, nnzb});
  const auto base = generalBase(descr);
  need(unsigned(dir) <= CUSPARSE_DIRECTION_COLUMN && block > 0,
       "a block has no size or no direction");
  needSupported(op == op_n, "only op(A) = A is there, as in NVIDIA's library");
  needPointers(alpha, beta, offsets, ends, x, y);
  need(count <= mb && (count == 0 || mask), "the mask has no rows or too many");
  using C = Number<T>;
  const Matrix a = bsr(dir, mb, nb, nnzb, base, values, offsets, indices, block, block);
  submit(handle, [=, al = Scalar(handle, alpha), be = Scalar(handle, beta), x = as(x), y = as(y)] {
    const C alpha_value = al.template get<C>(), beta_value = be.template get<C>();
    Matrix masked = a;
    masked.ends.data = const_cast<int *>(ends);
    const Pattern pattern = patternOf(masked);
    const C *v = static_cast<const C *>(a.values);
    for (int k = 0; k < count; ++k)
      for (int64_t i = int64_t(mask[k] - base) * block, end = i + block; i < end; ++i) {
        C sum(0);
        for (int64_t p = pattern.begin(i); p < pattern.end(i); ++p)
          sum += v[pattern.place[p]] * x[pattern.column[p]];
        y[i] = beta_value == C(0) ? alpha_value * sum : alpha_value * sum + beta_value * y[i];
      }
  });
}

/// y = alpha op(A) x + beta y for a dense A and a sparse x.
template <typename T>
void gemvi(cusparseHandle_t handle, cusparseOperation_t op, int m, int n, const T *alpha,
           const T *a, int lda, int nnz, const T *x, const int *indices, const T *beta, T *y,
           cusparseIndexBase_t base) {
  needOperation(op);
  needBase(base);
  needSizes({m, n, nnz});
  need(lda >= std::max(m, 1), "the leading dimension is too small");
  needPointers(alpha, beta, a, y);
  need(nnz == 0 || (x && indices), "a pointer is null");
  using C = Number<T>;
  const Dense matrix = transposedFor(columns(m, n, a, lda), op);
  submit(handle, [=, al = Scalar(handle, alpha), be = Scalar(handle, beta), values = as(x),
                  y = as(y), a = as(a)] {
    const C alpha_value = al.template get<C>(), beta_value = be.template get<C>();
    for (int64_t i = 0; i < matrix.rows; ++i) {
      C sum(0);
      for (int k = 0; k < nnz; ++k) {
        const C element = a[matrix.at(i, indices[k] - base)];
        sum += (op == op_c ? conj(element) : element) * values[k];
      }
      y[i] = beta_value == C(0) ? alpha_value * sum : alpha_value * sum + beta_value * y[i];
    }
  });
}

/// C = alpha A B + beta C for a dense A and B in compressed columns: the transposed product is
/// one of rows.
template <typename T>
void gemmi(cusparseHandle_t handle, int m, int n, int k, int nnz, const T *alpha, const T *a,
           int lda, const T *values, const int *offsets, const int *indices, const T *beta, T *c,
           int ldc) {
  needSizes({m, n, k, nnz});
  need(lda >= std::max(m, 1) && ldc >= std::max(m, 1), "a leading dimension is too small");
  needPointers(alpha, beta, a, values, offsets, indices, c);
  multiply(handle, csr(n, k, nnz, CUSPARSE_INDEX_BASE_ZERO, values, offsets, indices), op_n,
           columns(m, k, a, lda).transposed(), false, columns(m, n, c, ldc).transposed(),
           Scalar(handle, alpha), Scalar(handle, beta), dataType<Number<T>>());
}

} // namespace
} // namespace heddle::cusparse

using namespace heddle::cusparse;

#define FUNCTIONS(P, T, R)                                                                         \
  cusparseStatus_t cusparse##P##csrmv(cusparseHandle_t h, cusparseOperation_t op, int m, int n,    \
                                      int nnz, const T *alpha, const cusparseMatDescr_t descr,     \
                                      const T *values, const int *offsets, const int *indices,     \
                                      const T *x, const T *beta, T *y) {                           \
    return guarded(__func__, h, [&] {                                                              \
      csrmv(h, op, m, n, nnz, alpha, descr, values, offsets, indices, x, beta, y);                 \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrmv_mp(cusparseHandle_t h, cusparseOperation_t op, int m, int n, \
                                         int nnz, const T *alpha, const cusparseMatDescr_t descr,  \
                                         const T *values, const int *offsets, const int *indices,  \
                                         const T *x, const T *beta, T *y) {                        \
    return guarded(__func__, h, [&] {                                                              \
      csrmv(h, op, m, n, nnz, alpha, descr, values, offsets, indices, x, beta, y);                 \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrmm(                                                             \
      cusparseHandle_t h, cusparseOperation_t op, int m, int n, int k, int nnz, const T *alpha,    \
      const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,     \
      const T *b, int ldb, const T *beta, T *c, int ldc) {                                         \
    return guarded(__func__, h, [&] {                                                              \
      csrmm(h, op, op_n, m, n, k, nnz, alpha, descr, values, offsets, indices, b, ldb, beta, c,    \
            ldc);                                                                                  \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrmm2(                                                            \
      cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b, int m, int n, int k,   \
      int nnz, const T *alpha, const cusparseMatDescr_t descr, const T *values,                    \
      const int *offsets, const int *indices, const T *b, int ldb, const T *beta, T *c, int ldc) { \
    return guarded(__func__, h, [&] {                                                              \
      csrmm(h, op, op_b, m, n, k, nnz, alpha, descr, values, offsets, indices, b, ldb, beta, c,    \
            ldc);                                                                                  \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gemmi(                                                             \
      cusparseHandle_t h, int m, int n, int k, int nnz, const T *alpha, const T *a, int lda,       \
      const T *values, const int *offsets, const int *indices, const T *beta, T *c, int ldc) {     \
    return guarded(__func__, h, [&] {                                                              \
      gemmi(h, m, n, k, nnz, alpha, a, lda, values, offsets, indices, beta, c, ldc);               \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gemvi_bufferSize(cusparseHandle_t h, cusparseOperation_t op,       \
                                                 int m, int n, int nnz, int *size) {               \
    return guarded(__func__, h, [&] {                                                              \
      needOperation(op);                                                                           \
      needSizes({m, n, nnz});                                                                      \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gemvi(cusparseHandle_t h, cusparseOperation_t op, int m, int n,    \
                                      const T *alpha, const T *a, int lda, int nnz, const T *x,    \
                                      const int *indices, const T *beta, T *y,                     \
                                      cusparseIndexBase_t base, void *) {                          \
    return guarded(__func__, h,                                                                    \
                   [&] { gemvi(h, op, m, n, alpha, a, lda, nnz, x, indices, beta, y, base); });    \
  }                                                                                                \
  cusparseStatus_t cusparse##P##bsrmv(                                                             \
      cusparseHandle_t h, cusparseDirection_t dir, cusparseOperation_t op, int mb, int nb,         \
      int nnzb, const T *alpha, const cusparseMatDescr_t descr, const T *values,                   \
      const int *offsets, const int *indices, int block, const T *x, const T *beta, T *y) {        \
    return guarded(__func__, h, [&] {                                                              \
      needPointers(x, y);                                                                          \
      bsrmm(h, dir, op, op_n, mb, 1, nb, nnzb, alpha, descr, values, offsets,                      \
            (const int *)nullptr, indices, block, x, INT32_MAX, beta, y, INT32_MAX);               \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##bsrxmv(                                                            \
      cusparseHandle_t h, cusparseDirection_t dir, cusparseOperation_t op, int count, int mb,      \
      int nb, int nnzb, const T *alpha, const cusparseMatDescr_t descr, const T *values,           \
      const int *mask, const int *offsets, const int *ends, const int *indices, int block,         \
      const T *x, const T *beta, T *y) {                                                           \
    return guarded(__func__, h, [&] {                                                              \
      bsrxmv(h, dir, op, count, mb, nb, nnzb, alpha, descr, values, mask, offsets, ends, indices,  \
             block, x, beta, y);                                                                   \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##bsrmm(                                                             \
      cusparseHandle_t h, cusparseDirection_t dir, cusparseOperation_t op,                         \
      cusparseOperation_t op_b, int mb, int n, int kb, int nnzb, const T *alpha,                   \
      const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,     \
      int block, const T *b, int ldb, const T *beta, T *c, int ldc) {                              \
    return guarded(__func__, h, [&] {                                                              \
      needPointers(b, c);                                                                          \
      bsrmm(h, dir, op, op_b, mb, n, kb, nnzb, alpha, descr, values, offsets,                      \
            (const int *)nullptr, indices, block, b, ldb, beta, c, ldc);                           \
    });                                                                                            \
  }
FUNCTIONS(S, float, float)
FUNCTIONS(D, double, double)
FUNCTIONS(C, cuComplex, float)
FUNCTIONS(Z, cuDoubleComplex, double)

namespace {
struct Ex {
  cusparseOperation_t op;
  int m, n, nnz;
  cudaDataType alpha, a, x, beta, y, compute;
};
void checkEx(const Ex &e, const cusparseMatDescr_t descr) {
  needOperation(e.op);
  needSizes({e.m, e.n, e.nnz});
  generalBase(descr);
  needSupported(e.alpha == e.compute && e.beta == e.compute,
                "scalars must have the type of the sums");
  needTypes(e.a, e.x, e.y, e.compute);
}
} // namespace

#define EX_ARGUMENTS                                                                               \
  cusparseHandle_t handle, cusparseAlgMode_t, cusparseOperation_t op, int m, int n, int nnz,       \
      const void *alpha, cudaDataType alpha_type, const cusparseMatDescr_t descr,                  \
      const void *values, cudaDataType type, const int *offsets, const int *indices,               \
      const void *x, cudaDataType x_type, const void *beta, cudaDataType beta_type, void *y,       \
      cudaDataType y_type, cudaDataType compute
#define EX {op, m, n, nnz, alpha_type, type, x_type, beta_type, y_type, compute}

cusparseStatus_t cusparseCsrmvEx_bufferSize(EX_ARGUMENTS, size_t *size) {
  return guarded(__func__, handle, [&] {
    checkEx(EX, descr);
    needPointers(alpha, values, offsets, indices, x, beta, y);
    giveBufferSize(size);
  });
}
cusparseStatus_t cusparseCsrmvEx(EX_ARGUMENTS, void *) {
  return guarded(__func__, handle, [&] {
    checkEx(EX, descr);
    needPointers(values, offsets, indices, x, y);
    Matrix a = csr(m, n, nnz, descr->base, values, offsets, indices);
    a.type = type;
    Dense from{op == op_n ? n : m, 1, 1, 0, const_cast<void *>(x), x_type},
        to{op == op_n ? m : n, 1, 1, 0, y, y_type};
    multiply(handle, a, op, from, false, to, Scalar(handle, alpha, compute),
             Scalar(handle, beta, compute), compute);
  });
}
