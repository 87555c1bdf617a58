// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SpGEMM and SpGEMMreuse. The program needs the number of elements before it can make the result's
// arrays, so the functions that find it wait for the stream; the others do not.
#include "sparse_product.h"

#include "products.h"

namespace heddle::cusparse {

Pattern unite(const std::vector<const Pattern *> &terms) {
  Pattern result;
  result.rows = terms[0]->rows, result.cols = terms[0]->cols;
  result.start.push_back(0);
  std::vector<int64_t> last(size_t(result.cols), -1);
  for (int64_t i = 0; i < result.rows; ++i) {
    for (const Pattern *term : terms)
      for (int64_t p = term->begin(i); p < term->end(i); ++p)
        if (int64_t &seen = last[term->column[p]]; seen != i) {
          seen = i;
          result.column.push_back(term->column[p]);
        }
    std::sort(result.column.begin() + result.start[i], result.column.end());
    result.start.push_back(result.count());
  }
  for (int64_t p = 0; p < result.count(); ++p)
    result.place.push_back(p);
  return result;
}

Pattern productOf(const Pattern &a, const Pattern &b) {
  Pattern result;
  result.rows = a.rows, result.cols = b.cols;
  result.start.push_back(0);
  std::vector<int64_t> last(size_t(b.cols), -1);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t p = a.begin(i); p < a.end(i); ++p)
      for (int64_t q = b.begin(a.column[p]); q < b.end(a.column[p]); ++q)
        if (int64_t &seen = last[b.column[q]]; seen != i) {
          seen = i;
          result.column.push_back(b.column[q]);
        }
    std::sort(result.column.begin() + result.start[i], result.column.end());
    result.start.push_back(result.count());
  }
  for (int64_t p = 0; p < result.count(); ++p)
    result.place.push_back(p);
  return result;
}

int64_t countProducts(const Pattern &a, const Pattern &b) {
  int64_t count = 0;
  for (const int64_t column : a.column)
    count += b.end(column) - b.begin(column);
  return count;
}

void writeOffsets(const Pattern &pattern, const Index &offsets, int64_t base) {
  for (int64_t i = 0; i <= pattern.rows; ++i)
    offsets.set(i, pattern.start[i] + base);
}
void writeColumns(const Pattern &pattern, const Index &columns, int64_t base) {
  for (int64_t p = 0; p < pattern.count(); ++p)
    columns.set(p, pattern.column[p] + base);
}

namespace {

/// What the functions of a product hand on. Tasks share it with the program's object.
struct Product {
  Pattern a, b, result;
  std::vector<char> values; // of SpGEMM, until they are copied
  int64_t products = 0;
};

} // namespace
} // namespace heddle::cusparse

using namespace heddle;
using namespace heddle::cusparse;

struct cusparseSpGEMMDescr {
  std::shared_ptr<Product> product;
  bool found = false; // where the result has elements
};

namespace {

void checkSparse(cusparseOperation_t op_a, cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                 cusparseConstSpMatDescr_t b, cusparseConstSpMatDescr_t c, cusparseSpGEMMAlg_t alg,
                 cusparseSpGEMMDescr_t descr) {
  needOperation(op_a);
  needOperation(op_b);
  needLive(a);
  needLive(b);
  needLive(c);
  needLive(descr);
  needSupported(op_a == CUSPARSE_OPERATION_NON_TRANSPOSE &&
                    op_b == CUSPARSE_OPERATION_NON_TRANSPOSE,
                "only products of A and B themselves are there, as in NVIDIA's library");
  for (const auto *m : {a, b, c})
    needSupported(m->format == CUSPARSE_FORMAT_CSR, "the matrices must be CSR");
  need(a->rows == c->rows && a->cols == b->rows && b->cols == c->cols,
       "the matrices do not fit each other");
  need((a->rows == 0 || a->offsets.data) && (b->rows == 0 || b->offsets.data),
       "a matrix has no offsets");
  need(unsigned(alg) <= CUSPARSE_SPGEMM_ALG3, "there is no such algorithm");
}
void needSparseTypes(cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                     cusparseConstSpMatDescr_t c, cudaDataType compute) {
  needSupported(compute != CUDA_R_32I, "the sums must have a floating-point type");
  needTypes(a->type, b->type, c->type, compute);
}

/// Reads both patterns; with `symbolic`, finds where the result has elements.
void readPatterns(cusparseHandle_t handle, cusparseSpGEMMDescr_t descr, const Matrix &a,
                  const Matrix &b, bool symbolic) {
  auto product = std::make_shared<Product>();
  submit(
      handle,
      [=] {
        product->a = patternOf(a);
        product->b = patternOf(b);
        product->products = countProducts(product->a, product->b);
        if (symbolic)
          product->result = productOf(product->a, product->b);
      },
      true);
  descr->product = product;
  descr->found = symbolic;
}

/// Calls f(position, alpha times the sum) for each element of the result.
template <typename C, typename F>
void forEachSum(const Product &product, const Matrix &a, const Matrix &b, C alpha, F f) {
  const Numbers<C> left(a.type, a.values, a.nnz), right(b.type, b.values, b.nnz);
  const Operand<C> x{&product.a, left.data()}, y{&product.b, right.data()};
  RowOfSums<C> row(product.result);
  for (int64_t i = 0; i < product.result.rows; ++i) {
    row.addProduct(i, alpha, x, y);
    row.take(i, f);
  }
}

void storeSum(const Matrix &c, int64_t p, auto sum, decltype(sum) beta) {
  using C = decltype(sum);
  if (!(beta == C(0)))
    sum += beta * loadAs<C>(c.type, c.values, p);
  storeAs(c.type, c.values, p, sum);
}

void needResult(cusparseSpGEMMDescr_t descr, const Matrix &c) {
  need(descr->found, "the product has not been computed");
  need(c.rows == 0 || c.offsets.data, "the result has no offsets");
  need(c.nnz == 0 || (c.indices.data && c.values), "the result has no arrays");
  need(c.nnz == descr->product->result.count(), "the result has another number of elements");
}

/// A buffer that is null asks for its size.
bool asksForSize(size_t *size, const void *buffer) {
  if (!buffer)
    giveBufferSize(size);
  return !buffer;
}

} // namespace

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr) {
  return guarded(__func__, [&] {
    needPointers(descr);
    *descr = library::handles<cusparseSpGEMMDescr>().add(new cusparseSpGEMMDescr);
  });
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  return guarded(__func__, [&] {
    needLive(descr);
    library::handles<cusparseSpGEMMDescr>().remove(descr);
    delete descr;
  });
}

#define SPGEMM_ARGUMENTS                                                                           \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,    \
      cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void *beta,            \
      cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,                \
      cusparseSpGEMMDescr_t descr
#define SPGEMM_CHECK                                                                               \
  checkSparse(opA, opB, matA, matB, matC, alg, descr);                                             \
  needPointers(alpha, beta);                                                                       \
  needSparseTypes(matA, matB, matC, computeType)

cusparseStatus_t cusparseSpGEMM_workEstimation(SPGEMM_ARGUMENTS, size_t *bufferSize1,
                                               void *externalBuffer1) {
  return guarded(__func__, handle, [&] {
    SPGEMM_CHECK;
    if (!asksForSize(bufferSize1, externalBuffer1))
      readPatterns(handle, descr, *matA, *matB, false);
  });
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t *numProducts) {
  return guarded(__func__, [&] {
    needLive(descr);
    needPointers(numProducts);
    need(descr->product != nullptr, "the work has not been estimated");
    *numProducts = descr->product->products;
  });
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(SPGEMM_ARGUMENTS, float chunkFraction,
                                               size_t *bufferSize3, void *externalBuffer3,
                                               size_t *bufferSize2) {
  return guarded(__func__, handle, [&] {
    SPGEMM_CHECK;
    need(chunkFraction > 0 && chunkFraction <= 1, "the fraction is not between 0 and 1");
    if (!asksForSize(bufferSize3, externalBuffer3))
      giveBufferSize(bufferSize2);
  });
}

cusparseStatus_t cusparseSpGEMM_compute(SPGEMM_ARGUMENTS, size_t *bufferSize2,
                                        void *externalBuffer2) {
  return guarded(__func__, handle, [&] {
    SPGEMM_CHECK;
    if (asksForSize(bufferSize2, externalBuffer2))
      return;
    readPatterns(handle, descr, *matA, *matB, true);
    matC->nnz = descr->product->result.count();
    submit(handle, [=, product = descr->product, a = Matrix(*matA), b = Matrix(*matB),
                    al = Scalar(handle, alpha, computeType)] {
      withComputeType(computeType, [&](auto tag) {
        using C = typename decltype(tag)::Type;
        product->values.resize(product->result.column.size() * sizeof(C));
        C *to = reinterpret_cast<C *>(product->values.data());
        forEachSum<C>(*product, a, b, al.get<C>(), [&](int64_t p, C sum) { to[p] = sum; });
      });
    });
  });
}

cusparseStatus_t cusparseSpGEMM_copy(SPGEMM_ARGUMENTS) {
  return guarded(__func__, handle, [&] {
    SPGEMM_CHECK;
    needResult(descr, *matC);
    submit(handle, [=, product = descr->product, c = Matrix(*matC),
                    be = Scalar(handle, beta, computeType)] {
      writeOffsets(product->result, c.offsets, c.base);
      writeColumns(product->result, c.indices, c.base);
      withComputeType(computeType, [&](auto tag) {
        using C = typename decltype(tag)::Type;
        const C *from = reinterpret_cast<const C *>(product->values.data());
        for (int64_t p = 0; p < c.nnz; ++p)
          storeSum(c, p, from[p], be.get<C>());
      });
    });
  });
}

#define REUSE_ARGUMENTS                                                                            \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,                       \
      cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,   \
      cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr
#define REUSE_CHECK checkSparse(opA, opB, matA, matB, matC, alg, descr)

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(REUSE_ARGUMENTS, size_t *bufferSize1,
                                                    void *externalBuffer1) {
  return guarded(__func__, handle, [&] {
    REUSE_CHECK;
    if (!asksForSize(bufferSize1, externalBuffer1))
      readPatterns(handle, descr, *matA, *matB, false);
  });
}

cusparseStatus_t cusparseSpGEMMreuse_nnz(REUSE_ARGUMENTS, size_t *bufferSize2,
                                         void *externalBuffer2, size_t *bufferSize3,
                                         void *externalBuffer3, size_t *bufferSize4,
                                         void *externalBuffer4) {
  return guarded(__func__, handle, [&] {
    REUSE_CHECK;
    if (!externalBuffer2 && !externalBuffer3 && !externalBuffer4) {
      giveBufferSize(bufferSize2);
      giveBufferSize(bufferSize3);
      giveBufferSize(bufferSize4);
      return;
    }
    readPatterns(handle, descr, *matA, *matB, true);
    matC->nnz = descr->product->result.count();
  });
}

cusparseStatus_t cusparseSpGEMMreuse_copy(REUSE_ARGUMENTS, size_t *bufferSize5,
                                          void *externalBuffer5) {
  return guarded(__func__, handle, [&] {
    REUSE_CHECK;
    if (asksForSize(bufferSize5, externalBuffer5))
      return;
    needResult(descr, *matC);
    submit(handle, [product = descr->product, c = Matrix(*matC)] {
      writeOffsets(product->result, c.offsets, c.base);
      writeColumns(product->result, c.indices, c.base);
    });
  });
}

cusparseStatus_t cusparseSpGEMMreuse_compute(SPGEMM_ARGUMENTS) {
  return guarded(__func__, handle, [&] {
    SPGEMM_CHECK;
    needResult(descr, *matC);
    submit(handle,
           [=, product = descr->product, a = Matrix(*matA), b = Matrix(*matB), c = Matrix(*matC),
            al = Scalar(handle, alpha, computeType), be = Scalar(handle, beta, computeType)] {
             withComputeType(computeType, [&](auto tag) {
               using C = typename decltype(tag)::Type;
               forEachSum<C>(*product, a, b, al.get<C>(),
                             [&](int64_t p, C sum) { storeSum(c, p, sum, be.get<C>()); });
             });
           });
  });
}
