// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The older triangular solves: csrsv2, csrsm2, bsrsv2, bsrsm2. A triangle of blocks is that of the
// elements in them.
#include "triangular.h"

using namespace heddle;
using namespace heddle::cusparse;

struct csrsv2Info : Solver {};
struct csrsm2Info : Solver {};
struct bsrsv2Info : Solver {};
struct bsrsm2Info : Solver {};

namespace {

constexpr auto op_n = CUSPARSE_OPERATION_NON_TRANSPOSE;

bool isLower(const cusparseMatDescr_t descr) { return descr->fill == CUSPARSE_FILL_MODE_LOWER; }
bool isUnit(const cusparseMatDescr_t descr) { return descr->diagonal == CUSPARSE_DIAG_TYPE_UNIT; }

cusparseIndexBase_t triangularBase(const cusparseMatDescr_t descr) {
  needLive(descr);
  need(descr->type == CUSPARSE_MATRIX_TYPE_GENERAL ||
           descr->type == CUSPARSE_MATRIX_TYPE_TRIANGULAR,
       "the matrix type must be GENERAL", CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  return descr->base;
}

/// A matrix of blocks of one element is CSR.
template <typename T>
Matrix square(cusparseDirection_t dir, cusparseOperation_t op, int mb, int nnzb,
              const cusparseMatDescr_t descr, const T *values, const int *offsets,
              const int *indices, int block) {
  needOperation(op);
  needSizes({mb, nnzb});
  need(block > 0, "a block has no size");
  need(unsigned(dir) <= CUSPARSE_DIRECTION_COLUMN, "there is no such direction");
  const auto base = triangularBase(descr);
  needPointers(offsets);
  need(nnzb == 0 || (values && indices), "a pointer is null");
  return bsr(dir, mb, mb, nnzb, base, values, offsets, indices, block, block);
}
template <typename T>
Matrix square(cusparseOperation_t op, int m, int nnz, const cusparseMatDescr_t descr,
              const T *values, const int *offsets, const int *indices) {
  return square(CUSPARSE_DIRECTION_ROW, op, m, nnz, descr, values, offsets, indices, 1);
}

template <typename Info>
void analyse(cusparseHandle_t h, Info *info, const Matrix &a, cusparseOperation_t op,
             const cusparseMatDescr_t descr) {
  needLive(info);
  info->analyse(h, a, op, isLower(descr), isUnit(descr));
}
template <typename Info, typename T>
void solve(cusparseHandle_t h, Info *info, const Matrix &a, cusparseOperation_t op,
           const cusparseMatDescr_t descr, const T *alpha, const Dense &b, const Dense &x) {
  needLive(info);
  need(x.rows == 0 || x.cols == 0 || (b.values && x.values), "a pointer is null");
  info->solve(h, a, op, isUnit(descr), Scalar(h, alpha), b, x);
}

/// A matrix of right-hand sides, or its transpose.
template <typename T>
Dense sides(cusparseOperation_t op, int64_t rows, int n, const T *b, int ldb) {
  needOperation(op);
  needSizes({n});
  need(ldb >= (op == op_n ? rows : n), "a leading dimension is too small");
  needSupported(op != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                "right-hand sides cannot be conjugated");
  return op == op_n ? columns(rows, n, b, ldb) : columns(n, rows, b, ldb).transposed();
}

template <typename T> Dense vectorOf(int64_t n, const T *x) { return columns(n, 1, x, n); }

} // namespace

#define INFO(Name, type)                                                                           \
  cusparseStatus_t cusparseCreate##Name##Info(type##Info_t *info) {                                \
    return guarded(__func__, [&] {                                                                 \
      needPointers(info);                                                                          \
      *info = library::handles<type##Info>().add(new type##Info);                                  \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparseDestroy##Name##Info(type##Info_t info) {                                \
    return guarded(__func__, [&] {                                                                 \
      if (!info)                                                                                   \
        return;                                                                                    \
      needLive(info);                                                                              \
      library::handles<type##Info>().remove(info);                                                 \
      delete info;                                                                                 \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparseX##type##_zeroPivot(cusparseHandle_t handle, type##Info_t info,         \
                                               int *position) {                                    \
    return guarded(__func__, handle, [&] {                                                         \
      needLive(info);                                                                              \
      return info->zeroPivot(handle, position);                                                    \
    });                                                                                            \
  }
INFO(Csrsv2, csrsv2)
INFO(Csrsm2, csrsm2)
INFO(Bsrsv2, bsrsv2)
INFO(Bsrsm2, bsrsm2)

#define SIZE(Function, ARGUMENTS, MATRIX, Size)                                                    \
  cusparseStatus_t Function(cusparseHandle_t h, ARGUMENTS, Size *size) {                           \
    return guarded(__func__, h, [&] {                                                              \
      (void)MATRIX;                                                                                \
      needLive(info);                                                                              \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }
#define LIST(...) __VA_ARGS__
#define CSR3(T) const T *values, const int *offsets, const int *indices
#define CSR_MATRIX square(op, m, nnz, descr, values, offsets, indices)
#define BSR_MATRIX square(dir, op, mb, nnzb, descr, values, offsets, indices, block)
#define CSRSV_SIZE(T)                                                                              \
  LIST(cusparseOperation_t op, int m, int nnz, const cusparseMatDescr_t descr, T *values,          \
       const int *offsets, const int *indices, csrsv2Info_t info)
#define BSRSV_SIZE(T)                                                                              \
  LIST(cusparseDirection_t dir, cusparseOperation_t op, int mb, int nnzb,                          \
       const cusparseMatDescr_t descr, T *values, const int *offsets, const int *indices,          \
       int block, bsrsv2Info_t info)
#define BSRSM_SIZE(T)                                                                              \
  LIST(cusparseDirection_t dir, cusparseOperation_t op, cusparseOperation_t, int mb, int,          \
       int nnzb, const cusparseMatDescr_t descr, T *values, const int *offsets,                    \
       const int *indices, int block, bsrsm2Info_t info)
#define CSRSM(T)                                                                                   \
  cusparseHandle_t h, int, cusparseOperation_t op, cusparseOperation_t op_b, int m, int n,         \
      int nnz, const T *alpha, const cusparseMatDescr_t descr, CSR3(T)

#define FUNCTIONS(P, T)                                                                            \
  SIZE(cusparse##P##csrsv2_bufferSize, CSRSV_SIZE(T), CSR_MATRIX, int)                             \
  SIZE(cusparse##P##csrsv2_bufferSizeExt, CSRSV_SIZE(T), CSR_MATRIX, size_t)                       \
  SIZE(cusparse##P##bsrsv2_bufferSize, BSRSV_SIZE(T), BSR_MATRIX, int)                             \
  SIZE(cusparse##P##bsrsv2_bufferSizeExt, BSRSV_SIZE(T), BSR_MATRIX, size_t)                       \
  SIZE(cusparse##P##bsrsm2_bufferSize, BSRSM_SIZE(T), BSR_MATRIX, int)                             \
  SIZE(cusparse##P##bsrsm2_bufferSizeExt, BSRSM_SIZE(T), BSR_MATRIX, size_t)                       \
  cusparseStatus_t cusparse##P##csrsv2_analysis(                                                   \
      cusparseHandle_t h, cusparseOperation_t op, int m, int nnz, const cusparseMatDescr_t descr,  \
      CSR3(T), csrsv2Info_t info, cusparseSolvePolicy_t, void *) {                                 \
    return guarded(__func__, h, [&] { analyse(h, info, CSR_MATRIX, op, descr); });                 \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrsv2_solve(                                                      \
      cusparseHandle_t h, cusparseOperation_t op, int m, int nnz, const T *alpha,                  \
      const cusparseMatDescr_t descr, CSR3(T), csrsv2Info_t info, const T *f, T *x,                \
      cusparseSolvePolicy_t, void *) {                                                             \
    return guarded(__func__, h, [&] {                                                              \
      solve(h, info, CSR_MATRIX, op, descr, alpha, vectorOf(m, f), vectorOf(m, x));                \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrsm2_bufferSizeExt(                                              \
      CSRSM(T), const T *b, int ldb, csrsm2Info_t info, cusparseSolvePolicy_t, size_t *size) {     \
    return guarded(__func__, h, [&] {                                                              \
      needLive(info);                                                                              \
      needPointers(alpha);                                                                         \
      (void)CSR_MATRIX;                                                                            \
      sides(op_b, m, n, b, ldb);                                                                   \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrsm2_analysis(CSRSM(T), const T *b, int ldb, csrsm2Info_t info,  \
                                                cusparseSolvePolicy_t, void *) {                   \
    return guarded(__func__, h, [&] {                                                              \
      needPointers(alpha);                                                                         \
      sides(op_b, m, n, b, ldb);                                                                   \
      analyse(h, info, CSR_MATRIX, op, descr);                                                     \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrsm2_solve(CSRSM(T), T *b, int ldb, csrsm2Info_t info,           \
                                             cusparseSolvePolicy_t, void *) {                      \
    return guarded(__func__, h, [&] {                                                              \
      const Dense x = sides(op_b, m, n, b, ldb);                                                   \
      solve(h, info, CSR_MATRIX, op, descr, alpha, x, x);                                          \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##bsrsv2_analysis(                                                   \
      cusparseHandle_t h, cusparseDirection_t dir, cusparseOperation_t op, int mb, int nnzb,       \
      const cusparseMatDescr_t descr, CSR3(T), int block, bsrsv2Info_t info,                       \
      cusparseSolvePolicy_t, void *) {                                                             \
    return guarded(__func__, h, [&] { analyse(h, info, BSR_MATRIX, op, descr); });                 \
  }                                                                                                \
  cusparseStatus_t cusparse##P##bsrsv2_solve(                                                      \
      cusparseHandle_t h, cusparseDirection_t dir, cusparseOperation_t op, int mb, int nnzb,       \
      const T *alpha, const cusparseMatDescr_t descr, CSR3(T), int block, bsrsv2Info_t info,       \
      const T *f, T *x, cusparseSolvePolicy_t, void *) {                                           \
    return guarded(__func__, h, [&] {                                                              \
      const Matrix a = BSR_MATRIX;                                                                 \
      solve(h, info, a, op, descr, alpha, vectorOf(a.rows, f), vectorOf(a.rows, x));               \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##bsrsm2_analysis(                                                   \
      cusparseHandle_t h, cusparseDirection_t dir, cusparseOperation_t op,                         \
      cusparseOperation_t op_x, int mb, int n, int nnzb, const cusparseMatDescr_t descr, CSR3(T),  \
      int block, bsrsm2Info_t info, cusparseSolvePolicy_t, void *) {                               \
    return guarded(__func__, h, [&] {                                                              \
      needOperation(op_x);                                                                         \
      needSizes({n});                                                                              \
      analyse(h, info, BSR_MATRIX, op, descr);                                                     \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##bsrsm2_solve(                                                      \
      cusparseHandle_t h, cusparseDirection_t dir, cusparseOperation_t op,                         \
      cusparseOperation_t op_x, int mb, int n, int nnzb, const T *alpha,                           \
      const cusparseMatDescr_t descr, CSR3(T), int block, bsrsm2Info_t info, const T *b, int ldb,  \
      T *x, int ldx, cusparseSolvePolicy_t, void *) {                                              \
    return guarded(__func__, h, [&] {                                                              \
      const Matrix a = BSR_MATRIX;                                                                 \
      solve(h, info, a, op, descr, alpha, sides(op_x, a.rows, n, b, ldb),                          \
            sides(op_x, a.rows, n, x, ldx));                                                       \
    });                                                                                            \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)
