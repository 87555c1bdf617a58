// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triangular systems, and SpSV and SpSM.
#include "triangular.h"

#include <algorithm>

namespace heddle::cusparse {
namespace {

void findTriangle(Triangle &t, Matrix a, cusparseOperation_t op, bool lower, bool unit) {
  const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  a.part = lower ? Part::strict_lower : Part::strict_upper;
  t.off_diagonal = patternOf(a, transposed);
  t.forward = lower != transposed;
  t.diagonal.assign(a.rows, -1);
  a.part = Part::all;
  forEach(a, [&](int64_t i, int64_t j, int64_t place) {
    if (i == j && i < a.rows)
      t.diagonal[i] = place;
  });
  if (!unit)
    if (const auto at = std::find(t.diagonal.begin(), t.diagonal.end(), -1); at != t.diagonal.end())
      t.missing = at - t.diagonal.begin();
}

/// The elements of a diagonal, conjugated as they are used; empty for ones.
template <typename C> std::vector<C> diagonalOf(Triangle &t, const C *values, bool conjugate) {
  std::vector<C> result(t.diagonal.size());
  const C *own =
      t.diagonal_values.empty() ? nullptr : reinterpret_cast<const C *>(t.diagonal_values.data());
  t.zero = -1;
  for (size_t i = 0; i < result.size(); ++i) {
    const C value = own ? own[i] : t.diagonal[i] < 0 ? C(0) : values[t.diagonal[i]];
    if (value == C(0) && t.zero < 0)
      t.zero = int64_t(i);
    result[i] = conjugate ? conj(value) : value;
  }
  return result;
}

template <typename C>
void solveAll(Triangle &t, const C *values, bool conjugate, bool unit, C alpha, const Dense &b,
              const Dense &x) {
  if (!t.values.empty())
    values = reinterpret_cast<const C *>(t.values.data());
  const Pattern &pattern = t.off_diagonal;
  const std::vector<C> diagonal = unit ? std::vector<C>() : diagonalOf(t, values, conjugate);
  const C *from = static_cast<const C *>(b.values);
  C *to = static_cast<C *>(x.values);
  for (int64_t j = 0; j < x.cols; ++j)
    for (int64_t k = 0; k < pattern.rows; ++k) {
      const int64_t i = t.forward ? k : pattern.rows - 1 - k;
      C sum = alpha * from[b.at(i, j)];
      for (int64_t p = pattern.begin(i); p < pattern.end(i); ++p) {
        const C value = values[pattern.place[p]];
        sum -= (conjugate ? conj(value) : value) * to[x.at(pattern.column[p], j)];
      }
      to[x.at(i, j)] = unit ? sum : sum / diagonal[i];
    }
}

} // namespace

void Solver::analyse(cusparseHandle_t handle, const Matrix &a, cusparseOperation_t op, bool lower,
                     bool unit) {
  auto triangle = std::make_shared<Triangle>();
  submit(handle, [=] { findTriangle(*triangle, a, op, lower, unit); });
  triangle_ = triangle;
  stored_ = a.stored(), rows_ = a.rows, base_ = a.base, block_ = a.row_block, type_ = a.type;
}

void Solver::solve(cusparseHandle_t handle, const Matrix &a, cusparseOperation_t op, bool unit,
                   const Scalar &alpha, const Dense &b, const Dense &x) const {
  need(triangle_ != nullptr, "the analysis has not been called");
  need(a.rows == rows_ && a.type == type_, "the matrix is not the one of the analysis");
  submit(handle, [=, triangle = triangle_] {
    withComputeType(a.type, [&](auto tag) {
      using C = typename decltype(tag)::Type;
      if constexpr (!std::is_same_v<C, int>)
        solveAll(*triangle, static_cast<const C *>(a.values),
                 op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, unit, alpha.get<C>(), b, x);
    });
  });
}

void Solver::update(cusparseHandle_t handle, const void *values, bool diagonal_only) {
  need(triangle_ != nullptr, "the analysis has not been called");
  needPointers(values);
  const int64_t bytes = (diagonal_only ? rows_ : stored_) * int64_t(sizeOf(type_));
  submit(handle, [=, triangle = triangle_] {
    const char *from = static_cast<const char *>(values);
    if (!diagonal_only)
      triangle->diagonal_values.clear();
    (diagonal_only ? triangle->diagonal_values : triangle->values).assign(from, from + bytes);
  });
}

cusparseStatus_t Solver::zeroPivot(cusparseHandle_t handle, int *position) const {
  const auto row = [t = triangle_]() -> int64_t {
    if (!t || (t->missing < 0 && t->zero < 0))
      return -1;
    return t->missing < 0 ? t->zero : t->zero < 0 ? t->missing : std::min(t->missing, t->zero);
  };
  return givePivot(handle, position, row, block_, base_);
}

cusparseStatus_t givePivot(cusparseHandle_t handle, int *position, std::function<int64_t()> row,
                           int64_t block, int64_t base) {
  needPointers(position);
  bool found = false;
  submit(
      handle,
      [&found, position, row, block, base] {
        const int64_t at = row();
        found = at >= 0;
        *position = found ? int(at / block + base) : -1;
      },
      true);
  return found ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS;
}

} // namespace heddle::cusparse

using namespace heddle;
using namespace heddle::cusparse;

struct cusparseSpSVDescr : Solver {};
struct cusparseSpSMDescr : Solver {};

namespace {

constexpr auto op_n = CUSPARSE_OPERATION_NON_TRANSPOSE;

bool isLower(const Matrix &a) { return a.fill != CUSPARSE_FILL_MODE_UPPER; }
bool isUnit(const Matrix &a) { return a.diagonal == CUSPARSE_DIAG_TYPE_UNIT; }

void needSystem(cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,
                cudaDataType compute, int alg) {
  needOperation(op);
  needPointers(alpha);
  needLive(a);
  need(a->rows == a->cols, "the matrix is not square");
  need(a->rows == 0 || a->offsets.data || a->format == CUSPARSE_FORMAT_COO,
       "the matrix has no offsets");
  need(alg == 0, "there is no such algorithm");
  needSupported(a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_COO ||
                    a->format == CUSPARSE_FORMAT_SLICED_ELLPACK,
                "the matrix must be CSR, COO or sliced ELL");
  const bool number = compute == CUDA_R_32F || compute == CUDA_R_64F || compute == CUDA_C_32F ||
                      compute == CUDA_C_64F;
  needSupported(number && a->type == compute, "all types must be the same");
}

void checkSpSV(cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,
               cusparseConstDnVecDescr_t x, cusparseConstDnVecDescr_t y, cudaDataType compute,
               cusparseSpSVAlg_t alg, cusparseSpSVDescr_t descr) {
  needSystem(op, alpha, a, compute, alg);
  needLive(x);
  needLive(y);
  needLive(descr);
  need(x->size == a->rows && y->size == a->rows, "the vectors do not fit the matrix");
  needSupported(x->type == compute && y->type == compute, "all types must be the same");
}

void checkSpSM(cusparseOperation_t op, cusparseOperation_t op_b, const void *alpha,
               cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
               cusparseConstDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t alg,
               cusparseSpSMDescr_t descr) {
  needSystem(op, alpha, a, compute, alg);
  needLive(b);
  needLive(c);
  needLive(descr);
  needOperation(op_b);
  needSupported(op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, "op(B) must be B or its transpose");
  const bool transposed = op_b != op_n;
  need((transposed ? b->cols : b->rows) == a->rows && c->rows == a->rows &&
           (transposed ? b->rows : b->cols) == c->cols,
       "the matrices do not fit each other");
  needSupported(b->type == compute && c->type == compute, "all types must be the same");
}

} // namespace

#define SPSV_ARGUMENTS                                                                             \
  cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,                             \
      cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t in, cusparseDnVecDescr_t out,      \
      cudaDataType computeType, cusparseSpSVAlg_t alg, cusparseSpSVDescr_t descr
#define SPSM_ARGUMENTS                                                                             \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,    \
      cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t in, cusparseDnMatDescr_t out,      \
      cudaDataType computeType, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr
#define SPSV_CHECK checkSpSV(opA, alpha, matA, in, out, computeType, alg, descr)
#define SPSM_CHECK checkSpSM(opA, opB, alpha, matA, in, out, computeType, alg, descr)
#define SPSV_IN dense(in)
#define SPSM_IN (opB == op_n ? Dense(*in) : in->transposed())
#define SPSV_OUT dense(out)
#define SPSM_OUT Dense(*out)

#define SOLVER(Name, ARGUMENTS, CHECK, IN, OUT)                                                    \
  cusparseStatus_t cusparse##Name##_createDescr(cusparse##Name##Descr_t *descr) {                  \
    return guarded(__func__, [&] {                                                                 \
      needPointers(descr);                                                                         \
      *descr = library::handles<cusparse##Name##Descr>().add(new cusparse##Name##Descr);           \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##Name##_destroyDescr(cusparse##Name##Descr_t descr) {                  \
    return guarded(__func__, [&] {                                                                 \
      needLive(descr);                                                                             \
      library::handles<cusparse##Name##Descr>().remove(descr);                                     \
      delete descr;                                                                                \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##Name##_bufferSize(ARGUMENTS, size_t *bufferSize) {                    \
    return guarded(__func__, handle, [&] {                                                         \
      CHECK;                                                                                       \
      giveBufferSize(bufferSize);                                                                  \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##Name##_analysis(ARGUMENTS, void *) {                                  \
    return guarded(__func__, handle, [&] {                                                         \
      CHECK;                                                                                       \
      descr->analyse(handle, *matA, opA, isLower(*matA), isUnit(*matA));                           \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##Name##_solve(ARGUMENTS) {                                             \
    return guarded(__func__, handle, [&] {                                                         \
      CHECK;                                                                                       \
      descr->solve(handle, *matA, opA, isUnit(*matA), Scalar(handle, alpha, computeType), IN,      \
                   OUT);                                                                           \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##Name##_updateMatrix(cusparseHandle_t handle,                          \
                                                 cusparse##Name##Descr_t descr, void *newValues,   \
                                                 cusparse##Name##Update_t part) {                  \
    return guarded(__func__, handle, [&] {                                                         \
      needLive(descr);                                                                             \
      need(part == 0 || part == 1, "there is no such part of a matrix");                           \
      descr->update(handle, newValues, part == 1);                                                 \
    });                                                                                            \
  }
SOLVER(SpSV, SPSV_ARGUMENTS, SPSV_CHECK, SPSV_IN, SPSV_OUT)
SOLVER(SpSM, SPSM_ARGUMENTS, SPSM_CHECK, SPSM_IN, SPSM_OUT)
