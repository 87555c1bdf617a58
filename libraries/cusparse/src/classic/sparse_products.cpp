// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The older sums and products of CSR matrices: csrgeam2, csrgemm2, and csrgeam, csrgemm before
// them.
#include "sparse_product.h"

using namespace heddle;
using namespace heddle::cusparse;

struct csrgemm2Info {
  bool product = true, sum = true; // which of alpha A B and beta D the result has
};

namespace {

constexpr auto op_n = CUSPARSE_OPERATION_NON_TRANSPOSE;

template <typename T>
Matrix matrixOf(int m, int n, const cusparseMatDescr_t descr, int nnz, const T *values,
                const int *offsets, const int *indices) {
  needSizes({m, n, nnz});
  const auto base = generalBase(descr);
  needPointers(offsets);
  need(nnz == 0 || indices, "a pointer is null");
  need(std::is_void_v<T> || nnz == 0 || values, "a pointer is null");
  return csr(m, n, nnz, base, values, offsets, indices);
}
Matrix patternMatrix(int m, int n, const cusparseMatDescr_t descr, int nnz, const int *offsets,
                     const int *indices) {
  return matrixOf(m, n, descr, nnz, static_cast<const void *>(nullptr), offsets, indices);
}

/// What a result is made of: a product, a sum, or both. A part without a format is not there.
struct Parts {
  const Matrix *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr; // a b + c + d
  cusparseOperation_t op_a = op_n, op_b = op_n;
};

/// The patterns of the parts, and that of the result.
struct Patterns {
  Pattern a, b, c, d, product, result;

  explicit Patterns(const Parts &parts) {
    std::vector<const Pattern *> terms;
    if (parts.a) {
      a = patternOf(*parts.a, parts.op_a != op_n);
      b = patternOf(*parts.b, parts.op_b != op_n);
      product = productOf(a, b);
      terms.push_back(&product);
    }
    if (parts.c)
      terms.push_back(&(c = patternOf(*parts.c)));
    if (parts.d)
      terms.push_back(&(d = patternOf(*parts.d)));
    result = unite(terms);
  }
};

/// Copies of the matrices of the parts that are there, for a task.
struct OwnParts {
  Matrix a, b, c, d;
  bool has_product, has_c, has_d;
  cusparseOperation_t op_a, op_b;

  explicit OwnParts(const Parts &p)
      : a(p.a ? *p.a : Matrix()), b(p.b ? *p.b : Matrix()), c(p.c ? *p.c : Matrix()),
        d(p.d ? *p.d : Matrix()), has_product(p.a), has_c(p.c), has_d(p.d), op_a(p.op_a),
        op_b(p.op_b) {
    need(has_product || has_c || has_d, "alpha and beta are both null");
  }
  Parts parts() const {
    return {has_product ? &a : nullptr, &b, has_c ? &c : nullptr, has_d ? &d : nullptr, op_a, op_b};
  }
};

void count(cusparseHandle_t handle, const Parts &parts, const cusparseMatDescr_t descr,
           int *offsets, int *total) {
  const int base = generalBase(descr);
  needPointers(offsets, total);
  submit(
      handle,
      [=, own = OwnParts(parts)] {
        const Patterns patterns(own.parts());
        writeOffsets(patterns.result, {offsets, CUSPARSE_INDEX_32I}, base);
        *total = int(patterns.result.count());
      },
      resultOnHost(handle));
}

/// alpha a b + gamma c + delta d
template <typename T>
void compute(cusparseHandle_t handle, const Parts &parts, const Scalar &alpha, const Scalar &gamma,
             const Scalar &delta, const cusparseMatDescr_t descr, T *values, int *offsets,
             int *indices) {
  const int base = generalBase(descr);
  needPointers(offsets);
  using C = Number<T>;
  submit(handle, [=, own = OwnParts(parts), to = as(values)] {
    const Patterns patterns(own.parts());
    auto operand = [](const Pattern &pattern, const Matrix &m, cusparseOperation_t op) {
      return Operand<C>{&pattern, static_cast<const C *>(m.values),
                        op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
    };
    RowOfSums<C> row(patterns.result);
    writeOffsets(patterns.result, {offsets, CUSPARSE_INDEX_32I}, base);
    writeColumns(patterns.result, {indices, CUSPARSE_INDEX_32I}, base);
    for (int64_t i = 0; i < patterns.result.rows; ++i) {
      if (own.has_product)
        row.addProduct(i, alpha.get<C>(), operand(patterns.a, own.a, own.op_a),
                       operand(patterns.b, own.b, own.op_b));
      if (own.has_c)
        row.add(i, gamma.get<C>(), operand(patterns.c, own.c, op_n));
      if (own.has_d)
        row.add(i, delta.get<C>(), operand(patterns.d, own.d, op_n));
      row.take(i, [&](int64_t p, C sum) { to[p] = sum; });
    }
  });
}

Parts sumOf(const Matrix &a, const Matrix &b) { return {nullptr, nullptr, &a, &b}; }

/// A matrix that op makes an m by n one.
template <typename T>
Matrix factorOf(cusparseOperation_t op, int m, int n, const cusparseMatDescr_t descr, int nnz,
                const T *values, const int *offsets, const int *indices) {
  needOperation(op);
  return op == op_n ? matrixOf(m, n, descr, nnz, values, offsets, indices)
                    : matrixOf(n, m, descr, nnz, values, offsets, indices);
}

} // namespace

cusparseStatus_t cusparseCreateCsrgemm2Info(csrgemm2Info_t *info) {
  return guarded(__func__, [&] {
    needPointers(info);
    *info = library::handles<csrgemm2Info>().add(new csrgemm2Info);
  });
}
cusparseStatus_t cusparseDestroyCsrgemm2Info(csrgemm2Info_t info) {
  return guarded(__func__, [&] {
    if (!info)
      return;
    needLive(info);
    library::handles<csrgemm2Info>().remove(info);
    delete info;
  });
}

#define PATTERN(X)                                                                                 \
  const cusparseMatDescr_t descr##X, int nnz##X, const int *offsets##X, const int *indices##X
#define WHOLE(X, T)                                                                                \
  const cusparseMatDescr_t descr##X, int nnz##X, const T *values##X, const int *offsets##X,        \
      const int *indices##X
#define PATTERN_OF(X, m, n) patternMatrix(m, n, descr##X, nnz##X, offsets##X, indices##X)
#define WHOLE_OF(X, m, n) matrixOf(m, n, descr##X, nnz##X, values##X, offsets##X, indices##X)

#define SUM_COUNT(Name, EXTRA)                                                                     \
  cusparseStatus_t Name(cusparseHandle_t h, int m, int n, PATTERN(A), PATTERN(B),                  \
                        const cusparseMatDescr_t descrC, int *offsets, int *total EXTRA) {         \
    return guarded(__func__, h, [&] {                                                              \
      const Matrix a = PATTERN_OF(A, m, n), b = PATTERN_OF(B, m, n);                               \
      count(h, sumOf(a, b), descrC, offsets, total);                                               \
    });                                                                                            \
  }
#define COMMA_BUFFER , void *
SUM_COUNT(cusparseXcsrgeam2Nnz, COMMA_BUFFER)
SUM_COUNT(cusparseXcsrgeamNnz, )

cusparseStatus_t cusparseXcsrgemmNnz(cusparseHandle_t h, cusparseOperation_t opA,
                                     cusparseOperation_t opB, int m, int n, int k, PATTERN(A),
                                     PATTERN(B), const cusparseMatDescr_t descrC, int *offsets,
                                     int *total) {
  return guarded(__func__, h, [&] {
    const void *none = nullptr;
    const Matrix a = factorOf(opA, m, k, descrA, nnzA, none, offsetsA, indicesA),
                 b = factorOf(opB, k, n, descrB, nnzB, none, offsetsB, indicesB);
    count(h, {&a, &b, nullptr, nullptr, opA, opB}, descrC, offsets, total);
  });
}

cusparseStatus_t cusparseXcsrgemm2Nnz(cusparseHandle_t h, int m, int n, int k, PATTERN(A),
                                      PATTERN(B), PATTERN(D), const cusparseMatDescr_t descrC,
                                      int *offsets, int *total, const csrgemm2Info_t info, void *) {
  return guarded(__func__, h, [&] {
    needLive(info);
    const Matrix a = info->product ? PATTERN_OF(A, m, k) : Matrix(),
                 b = info->product ? PATTERN_OF(B, k, n) : Matrix();
    const Matrix d = info->sum ? PATTERN_OF(D, m, n) : Matrix();
    count(h, {info->product ? &a : nullptr, &b, nullptr, info->sum ? &d : nullptr}, descrC, offsets,
          total);
  });
}

#define SUM(Name, T, EXTRA)                                                                        \
  cusparseStatus_t Name(cusparseHandle_t h, int m, int n, const T *alpha, WHOLE(A, T),             \
                        const T *beta, WHOLE(B, T), const cusparseMatDescr_t descrC, T *values,    \
                        int *offsets, int *indices EXTRA) {                                        \
    return guarded(__func__, h, [&] {                                                              \
      const Matrix a = WHOLE_OF(A, m, n), b = WHOLE_OF(B, m, n);                                   \
      compute(h, sumOf(a, b), Scalar::one(), Scalar(h, alpha), Scalar(h, beta), descrC, values,    \
              offsets, indices);                                                                   \
    });                                                                                            \
  }
#define FUNCTIONS(P, T)                                                                            \
  cusparseStatus_t cusparse##P##csrgeam2_bufferSizeExt(                                            \
      cusparseHandle_t h, int m, int n, const T *alpha, WHOLE(A, T), const T *beta, WHOLE(B, T),   \
      const cusparseMatDescr_t descrC, const T *, const int *, const int *, size_t *size) {        \
    return guarded(__func__, h, [&] {                                                              \
      needPointers(alpha, beta);                                                                   \
      (void)WHOLE_OF(A, m, n);                                                                     \
      (void)WHOLE_OF(B, m, n);                                                                     \
      generalBase(descrC);                                                                         \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  SUM(cusparse##P##csrgeam2, T, COMMA_BUFFER)                                                      \
  SUM(cusparse##P##csrgeam, T, )                                                                   \
  cusparseStatus_t cusparse##P##csrgemm(cusparseHandle_t h, cusparseOperation_t opA,               \
                                        cusparseOperation_t opB, int m, int n, int k, WHOLE(A, T), \
                                        WHOLE(B, T), const cusparseMatDescr_t descrC, T *values,   \
                                        const int *offsets, int *indices) {                        \
    return guarded(__func__, h, [&] {                                                              \
      const Matrix a = factorOf(opA, m, k, descrA, nnzA, valuesA, offsetsA, indicesA),             \
                   b = factorOf(opB, k, n, descrB, nnzB, valuesB, offsetsB, indicesB);             \
      compute(h, {&a, &b, nullptr, nullptr, opA, opB}, Scalar::one(), Scalar::one(),               \
              Scalar::one(), descrC, values, const_cast<int *>(offsets), indices);                 \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrgemm2_bufferSizeExt(                                            \
      cusparseHandle_t h, int m, int n, int k, const T *alpha, PATTERN(A), PATTERN(B),             \
      const T *beta, PATTERN(D), csrgemm2Info_t info, size_t *size) {                              \
    return guarded(__func__, h, [&] {                                                              \
      needLive(info);                                                                              \
      need(alpha || beta, "alpha and beta are both null");                                         \
      if (alpha)                                                                                   \
        (void)PATTERN_OF(A, m, k), (void)PATTERN_OF(B, k, n);                                      \
      if (beta)                                                                                    \
        (void)PATTERN_OF(D, m, n);                                                                 \
      info->product = alpha, info->sum = beta;                                                     \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrgemm2(                                                          \
      cusparseHandle_t h, int m, int n, int k, const T *alpha, WHOLE(A, T), WHOLE(B, T),           \
      const T *beta, WHOLE(D, T), const cusparseMatDescr_t descrC, T *values, const int *offsets,  \
      int *indices, const csrgemm2Info_t info, void *) {                                           \
    return guarded(__func__, h, [&] {                                                              \
      needLive(info);                                                                              \
      const Matrix a = alpha ? WHOLE_OF(A, m, k) : Matrix(),                                       \
                   b = alpha ? WHOLE_OF(B, k, n) : Matrix(),                                       \
                   d = beta ? WHOLE_OF(D, m, n) : Matrix();                                        \
      compute(h, {alpha ? &a : nullptr, &b, nullptr, beta ? &d : nullptr},                         \
              alpha ? Scalar(h, alpha) : Scalar::one(), Scalar::one(),                             \
              beta ? Scalar(h, beta) : Scalar::one(), descrC, values, const_cast<int *>(offsets),  \
              indices);                                                                            \
    });                                                                                            \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)
