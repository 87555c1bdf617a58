// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SpMV, SpMM and SDDMM. What compressed rows of one type ask for is done by kernels, everything
// else by tasks that visit the elements of any format.
#include "products.h"

#include "kernels.h"

#include <algorithm>

namespace heddle::cusparse {
namespace {

KernelScalar kernelScalar(const Scalar &s) {
  if (s.devicePointer())
    return {s.devicePointer(), 0, 0};
  const auto value = s.get<Complex64>();
  return {nullptr, value.re, value.im};
}

template <typename C> void store(const Dense &c, int64_t i, int64_t j, C alpha, C sum, C beta) {
  const int64_t at = c.at(i, j);
  C value = alpha * sum;
  if (!(beta == C(0))) // what beta = 0 multiplies is not read
    value += beta * loadAs<C>(c.type, c.values, at);
  storeAs(c.type, c.values, at, value);
}

template <typename C>
void multiplyOne(const Matrix &a, cusparseOperation_t op, const Dense &b, bool conj_b,
                 const Dense &c, C alpha, C beta) {
  const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool conj_a = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const Numbers<C> values(a.type, a.values, a.stored()), right(b.type, b.values, b.span());
  std::vector<C> sums(size_t(c.rows * c.cols)); // by rows
  forEach(a, [&](int64_t i, int64_t j, int64_t place) {
    if (!a.counts(i, j))
      return;
    const C value = conj_a ? conj(values[place]) : values[place];
    C *to = &sums[(transposed ? j : i) * c.cols];
    const int64_t from = b.at(transposed ? i : j, 0);
    for (int64_t k = 0; k < c.cols; ++k) {
      const C other = right[from + k * b.col_step];
      to[k] += value * (conj_b ? conj(other) : other);
    }
  });
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j)
      store(c, i, j, alpha, sums[i * c.cols + j], beta);
}

/// The matrix in compressed rows that op(a) is, if it is one.
bool asRows(const Matrix &a, cusparseOperation_t op, Matrix &rows) {
  rows = a;
  const bool conjugates = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE &&
                          (a.type == CUDA_C_32F || a.type == CUDA_C_64F);
  if (a.part != Part::all || conjugates)
    return false;
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
    return a.format == CUSPARSE_FORMAT_CSR;
  std::swap(rows.rows, rows.cols);
  rows.format = CUSPARSE_FORMAT_CSR;
  return a.format == CUSPARSE_FORMAT_CSC;
}

void needLaunched(cudaError_t error) {
  need(error == cudaSuccess, "the stream did not take the kernel",
       CUSPARSE_STATUS_EXECUTION_FAILED);
}

bool multiplyByKernel(cusparseHandle_t handle, const Matrix &a, cusparseOperation_t op,
                      const Dense &b, bool conj_b, const Dense &c, const Scalar &alpha,
                      const Scalar &beta, cudaDataType compute) {
  Matrix rows;
  if (compute != a.type || a.type != b.type || a.type != c.type || conj_b || !asRows(a, op, rows) ||
      c.rows == 0 || c.cols == 0)
    return false;
  for (int n = 0; n < c.batch_count; ++n) {
    cudaError_t error = cudaSuccess;
    if (!launchRows(handle->stream, rows.batch(n), b.batch(n), c.batch(n), kernelScalar(alpha),
                    kernelScalar(beta), error))
      return false;
    needLaunched(error);
  }
  return true;
}

template <typename C>
void sampleOne(const Dense &a, const Dense &b, bool conj_a, bool conj_b, const Matrix &c, C alpha,
               C beta) {
  const Numbers<C> left(a.type, a.values, a.span()), right(b.type, b.values, b.span());
  forEach(c, [&](int64_t i, int64_t j, int64_t place) {
    C sum(0);
    for (int64_t k = 0; k < a.cols; ++k) {
      const C x = left[a.at(i, k)], y = right[b.at(k, j)];
      sum += (conj_a ? conj(x) : x) * (conj_b ? conj(y) : y);
    }
    store(Dense{c.stored(), 1, 1, 0, c.values, c.type}, place, 0, alpha, sum, beta);
  });
}

} // namespace

void needTypes(cudaDataType a, cudaDataType x, cudaDataType y, cudaDataType compute) {
  struct Combination {
    cudaDataType a, x, y, compute;
  };
  static constexpr Combination all[] = {
      {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
      {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
      {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
      {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
      {CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},
      {CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F},
      {CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, CUDA_C_32F},
      {CUDA_C_16BF, CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F},
      {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
      {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
      {CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
  };
  needSupported(std::any_of(std::begin(all), std::end(all),
                            [&](const Combination &c) {
                              return c.a == a && c.x == x && c.y == y && c.compute == compute;
                            }),
                "there is no function for this combination of types");
}

void multiply(cusparseHandle_t handle, const Matrix &a, cusparseOperation_t op, const Dense &b,
              bool conj_b, const Dense &c, const Scalar &alpha, const Scalar &beta,
              cudaDataType compute) {
  if (multiplyByKernel(handle, a, op, b, conj_b, c, alpha, beta, compute))
    return;
  submit(handle, [=] {
    withComputeType(compute, [&](auto tag) {
      using C = typename decltype(tag)::Type;
      for (int n = 0; n < c.batch_count; ++n)
        multiplyOne<C>(a.batch(n), op, b.batch(n), conj_b, c.batch(n), alpha.get<C>(),
                       beta.get<C>());
    });
  });
}

namespace {

constexpr auto op_n = CUSPARSE_OPERATION_NON_TRANSPOSE,
               op_c = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;

void needMatrix(cusparseConstSpMatDescr_t a) {
  needLive(a);
  need(a->offsets.data || a->nnz == 0 || a->format == CUSPARSE_FORMAT_BLOCKED_ELL,
       "the matrix has no arrays");
  need(a->rows == 0 || a->offsets.data || a->format == CUSPARSE_FORMAT_COO ||
           a->format == CUSPARSE_FORMAT_BLOCKED_ELL,
       "the matrix has no offsets");
}

struct Shape {
  int64_t rows, cols;
};
template <typename M> Shape shapeOf(const M &m, cusparseOperation_t op) {
  return op == op_n ? Shape{m.rows, m.cols} : Shape{m.cols, m.rows};
}

void checkSpMV(cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,
               cusparseConstDnVecDescr_t x, const void *beta, cusparseConstDnVecDescr_t y,
               cudaDataType compute, cusparseSpMVAlg_t alg) {
  needOperation(op);
  needPointers(alpha, beta);
  needMatrix(a);
  needLive(x);
  needLive(y);
  const auto [rows, cols] = shapeOf(*a, op);
  need(x->size == cols && y->size == rows, "the vectors do not fit the matrix");
  need(unsigned(alg) <= CUSPARSE_SPMV_SELL_ALG1, "there is no such algorithm");
  needTypes(a->type, x->type, y->type, compute);
}

Dense transposedFor(const Dense &d, cusparseOperation_t op) {
  return op == op_n ? d : d.transposed();
}

void checkSpMM(cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
               cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
               cusparseConstDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t alg) {
  needOperation(op_a);
  needOperation(op_b);
  needPointers(alpha, beta);
  needMatrix(a);
  needLive(b);
  needLive(c);
  const auto [rows, depth] = shapeOf(*a, op_a);
  const auto [b_rows, b_cols] = shapeOf(*b, op_b);
  need(c->rows == rows && b_rows == depth && b_cols == c->cols,
       "the matrices do not fit each other");
  need(unsigned(alg) <= CUSPARSE_SPMM_BSR_ALG1, "there is no such algorithm");
  for (const int count : {a->batch_count, b->batch_count})
    need(count == 1 || count == c->batch_count, "the batches have different sizes");
  needTypes(a->type, b->type, c->type, compute);
}

void checkSDDMM(cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                cusparseConstSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t alg) {
  needOperation(op_a);
  needOperation(op_b);
  needPointers(alpha, beta);
  needMatrix(c);
  needLive(a);
  needLive(b);
  const auto [rows, depth] = shapeOf(*a, op_a);
  const auto [b_rows, b_cols] = shapeOf(*b, op_b);
  need(c->rows == rows && b_rows == depth && b_cols == c->cols,
       "the matrices do not fit each other");
  need(alg == CUSPARSE_SDDMM_ALG_DEFAULT, "there is no such algorithm");
  needSupported(c->format == CUSPARSE_FORMAT_CSR || c->format == CUSPARSE_FORMAT_BSR,
                "the result must be CSR or BSR");
  for (const int count : {a->batch_count, b->batch_count})
    need(count == 1 || count == c->batch_count, "the batches have different sizes");
  needTypes(a->type, b->type, c->type, compute);
}

/// One matrix of a batch of one serves all.
template <typename M> M broadcast(const M &m) {
  M copy = m;
  if (m.batch_count == 1) {
    if constexpr (requires { copy.batch_stride; })
      copy.batch_stride = 0;
    else
      copy.offsets_stride = copy.indices_stride = copy.values_stride = 0;
  }
  return copy;
}

} // namespace
} // namespace heddle::cusparse

using namespace heddle::cusparse;

#define SPMV_ARGUMENTS                                                                             \
  cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,                             \
      cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, const void *beta,            \
      cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpMVAlg_t alg
#define CHECK_SPMV checkSpMV(opA, alpha, matA, vecX, beta, vecY, computeType, alg)

cusparseStatus_t cusparseSpMV_bufferSize(SPMV_ARGUMENTS, size_t *bufferSize) {
  return guarded(__func__, handle, [&] {
    CHECK_SPMV;
    giveBufferSize(bufferSize);
  });
}
cusparseStatus_t cusparseSpMV_preprocess(SPMV_ARGUMENTS, void *) {
  return guarded(__func__, handle, [&] { CHECK_SPMV; });
}
cusparseStatus_t cusparseSpMV(SPMV_ARGUMENTS, void *) {
  return guarded(__func__, handle, [&] {
    CHECK_SPMV;
    multiply(handle, *matA, opA, dense(vecX), false, dense(vecY),
             Scalar(handle, alpha, computeType), Scalar(handle, beta, computeType), computeType);
  });
}

#define SPMM_ARGUMENTS                                                                             \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,    \
      cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta,            \
      cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpMMAlg_t alg
#define CHECK_SPMM checkSpMM(opA, opB, alpha, matA, matB, beta, matC, computeType, alg)

cusparseStatus_t cusparseSpMM_bufferSize(SPMM_ARGUMENTS, size_t *bufferSize) {
  return guarded(__func__, handle, [&] {
    CHECK_SPMM;
    giveBufferSize(bufferSize);
  });
}
cusparseStatus_t cusparseSpMM_preprocess(SPMM_ARGUMENTS, void *) {
  return guarded(__func__, handle, [&] { CHECK_SPMM; });
}
cusparseStatus_t cusparseSpMM(SPMM_ARGUMENTS, void *) {
  return guarded(__func__, handle, [&] {
    CHECK_SPMM;
    multiply(handle, broadcast<Matrix>(*matA), opA, transposedFor(broadcast<Dense>(*matB), opB),
             opB == op_c, *matC, Scalar(handle, alpha, computeType),
             Scalar(handle, beta, computeType), computeType);
  });
}

#define SDDMM_ARGUMENTS                                                                            \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,    \
      cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta,            \
      cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSDDMMAlg_t alg
#define CHECK_SDDMM checkSDDMM(opA, opB, alpha, matA, matB, beta, matC, computeType, alg)

cusparseStatus_t cusparseSDDMM_bufferSize(SDDMM_ARGUMENTS, size_t *bufferSize) {
  return guarded(__func__, handle, [&] {
    CHECK_SDDMM;
    giveBufferSize(bufferSize);
  });
}
cusparseStatus_t cusparseSDDMM_preprocess(SDDMM_ARGUMENTS, void *) {
  return guarded(__func__, handle, [&] { CHECK_SDDMM; });
}
cusparseStatus_t cusparseSDDMM(SDDMM_ARGUMENTS, void *) {
  return guarded(__func__, handle, [&] {
    CHECK_SDDMM;
    const Dense a = transposedFor(broadcast<Dense>(*matA), opA),
                b = transposedFor(broadcast<Dense>(*matB), opB);
    const Matrix c = *matC;
    const bool conj_a = opA == op_c, conj_b = opB == op_c;
    const Scalar al(handle, alpha, computeType), be(handle, beta, computeType);
    const bool uniform = a.type == computeType && b.type == computeType && c.type == computeType;
    if (uniform && !conj_a && !conj_b && c.format == CUSPARSE_FORMAT_CSR && c.batch_count == 1 &&
        c.rows > 0) {
      cudaError_t error = cudaSuccess;
      if (launchSampled(handle->stream, a, b, c, kernelScalar(al), kernelScalar(be), error))
        return needLaunched(error);
    }
    submit(handle, [=] {
      withComputeType(computeType, [&](auto tag) {
        using C = typename decltype(tag)::Type;
        for (int n = 0; n < c.batch_count; ++n)
          sampleOne<C>(a.batch(n), b.batch(n), conj_a, conj_b, c.batch(n), al.get<C>(),
                       be.get<C>());
      });
    });
  });
}
