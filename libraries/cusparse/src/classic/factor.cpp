// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Incomplete factorisations without fill-in, in place: csrilu02, csric02, and those of blocks. A
// block's elements are all in the pattern, so a matrix of blocks is factorised as its elements are.
#include "triangular.h"

#include <algorithm>

namespace heddle::cusparse {
namespace {

struct Factor {
  Pattern pattern; // rows sorted by column
  int64_t missing = -1, zero = -1;
};

/// What the program creates. A boost replaces pivots that are too small (numericBoost).
struct FactorInfo {
  std::shared_ptr<Factor> factor;
  int64_t block = 1, base = 0;
  bool boosts = false;
  const double *tolerance_pointer = nullptr;
  double tolerance = 0;
  std::shared_ptr<Scalar> boost;

  double getTolerance() const { return tolerance_pointer ? *tolerance_pointer : tolerance; }
};

int64_t firstMissing(const Pattern &pattern) {
  for (int64_t i = 0; i < pattern.rows; ++i)
    if (!std::binary_search(pattern.column.begin() + pattern.begin(i),
                            pattern.column.begin() + pattern.end(i), i))
      return i;
  return -1;
}

/// A row laid out by columns: where in memory each column's element is.
class RowOfPlaces {
public:
  explicit RowOfPlaces(const Pattern &pattern)
      : pattern_(pattern), place_(size_t(pattern.cols), -1) {}
  void open(int64_t i) {
    for (int64_t p = pattern_.begin(i); p < pattern_.end(i); ++p)
      place_[pattern_.column[p]] = pattern_.place[p];
  }
  void close(int64_t i) {
    for (int64_t p = pattern_.begin(i); p < pattern_.end(i); ++p)
      place_[pattern_.column[p]] = -1;
  }
  int64_t operator[](int64_t column) const { return place_[column]; }

private:
  const Pattern &pattern_;
  std::vector<int64_t> place_;
};

/// Row by row: each earlier row of the pattern is subtracted, where this one has elements.
template <typename C> void factoriseLU(Factor &f, C *values, const FactorInfo &info) {
  const Pattern &a = f.pattern;
  RowOfPlaces row(a);
  std::vector<int64_t> diagonal(a.rows, -1);
  f.zero = -1;
  for (int64_t i = 0; i < a.rows; ++i) {
    row.open(i);
    for (int64_t p = a.begin(i); p < a.end(i) && a.column[p] < i; ++p) {
      const int64_t k = a.column[p];
      if (diagonal[k] < 0)
        continue;
      C &factor = values[a.place[p]];
      factor /= values[a.place[diagonal[k]]];
      for (int64_t q = diagonal[k] + 1; q < a.end(k); ++q)
        if (const int64_t at = row[a.column[q]]; at >= 0)
          values[at] -= factor * values[a.place[q]];
    }
    row.close(i);
    const auto end = a.column.begin() + a.end(i),
               at = std::lower_bound(a.column.begin() + a.begin(i), end, i);
    if (at == end || *at != i)
      continue;
    diagonal[i] = at - a.column.begin();
    C &pivot = values[a.place[diagonal[i]]];
    if (info.boosts && magnitude(pivot) <= info.getTolerance())
      pivot = info.boost->get<C>();
    if (pivot == C(0) && f.zero < 0)
      f.zero = i;
  }
}

/// The lower triangle's Cholesky factor; the upper triangle is left alone. A pivot that is not
/// positive counts as zero.
template <typename C> void factoriseCholesky(Factor &f, C *values, const FactorInfo &) {
  const Pattern &a = f.pattern;
  RowOfPlaces row(a);
  f.zero = -1;
  for (int64_t i = 0; i < a.rows; ++i) {
    row.open(i);
    for (int64_t p = a.begin(i); p < a.end(i) && a.column[p] <= i; ++p) {
      const int64_t k = a.column[p];
      C sum = values[a.place[p]], pivot(0);
      for (int64_t q = a.begin(k); q < a.end(k) && a.column[q] <= k; ++q) {
        if (a.column[q] == k)
          pivot = values[a.place[q]];
        else if (const int64_t at = row[a.column[q]]; at >= 0)
          sum -= values[at] * conj(values[a.place[q]]);
      }
      if (k < i) {
        values[a.place[p]] = sum / pivot;
        continue;
      }
      const auto square = convert<double>(sum);
      if (!(square > 0) && f.zero < 0)
        f.zero = i;
      values[a.place[p]] = squareRoot(real(sum));
    }
    row.close(i);
  }
}

template <typename T>
Matrix matrixOf(cusparseDirection_t dir, int mb, int nnzb, const cusparseMatDescr_t descr,
                const T *values, const int *offsets, const int *indices, int block) {
  needSizes({mb, nnzb});
  need(block > 0, "a block has no size");
  need(unsigned(dir) <= CUSPARSE_DIRECTION_COLUMN, "there is no such direction");
  const auto base = generalBase(descr);
  needPointers(offsets);
  need(nnzb == 0 || (values && indices), "a pointer is null");
  return bsr(dir, mb, mb, nnzb, base, values, offsets, indices, block, block);
}
template <typename T>
Matrix matrixOf(int m, int nnz, const cusparseMatDescr_t descr, const T *values, const int *offsets,
                const int *indices) {
  return matrixOf(CUSPARSE_DIRECTION_ROW, m, nnz, descr, values, offsets, indices, 1);
}

template <typename Info> void analyse(cusparseHandle_t handle, Info *info, const Matrix &a) {
  needLive(info);
  auto factor = std::make_shared<Factor>();
  submit(handle, [=] {
    factor->pattern = patternOf(a);
    factor->pattern.sortRows();
    factor->missing = firstMissing(factor->pattern);
  });
  info->factor = factor, info->block = a.row_block, info->base = a.base;
}

template <typename Info, typename C>
void factorise(cusparseHandle_t handle, Info *info, const Matrix &a,
               void (*function)(Factor &, C *, const FactorInfo &)) {
  needLive(info);
  need(info->factor != nullptr, "the analysis has not been called");
  submit(handle,
         [=, own = FactorInfo(*info)] { function(*own.factor, static_cast<C *>(a.values), own); });
}

template <typename Info, typename T>
void setBoost(cusparseHandle_t handle, Info *info, int enable, const double *tolerance,
              const T *value) {
  needLive(info);
  info->boosts = enable != 0;
  if (!enable)
    return;
  needPointers(tolerance, value);
  info->boost = std::make_shared<Scalar>(handle, value);
  if (resultOnHost(handle))
    info->tolerance = *tolerance;
  info->tolerance_pointer = resultOnHost(handle) ? nullptr : tolerance;
}

} // namespace
} // namespace heddle::cusparse

using namespace heddle;
using namespace heddle::cusparse;

struct csrilu02Info : FactorInfo {};
struct csric02Info : FactorInfo {};
struct bsrilu02Info : FactorInfo {};
struct bsric02Info : FactorInfo {};

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
      auto row = [f = info->factor]() -> int64_t {                                                 \
        return !f ? -1 : f->missing >= 0 ? f->missing : f->zero;                                   \
      };                                                                                           \
      return givePivot(handle, position, row, info->block, info->base);                            \
    });                                                                                            \
  }
INFO(Csrilu02, csrilu02)
INFO(Csric02, csric02)
INFO(Bsrilu02, bsrilu02)
INFO(Bsric02, bsric02)

// The functions of a factorisation: ARGUMENTS(T) describe the matrix that MATRIX is.
#define FUNCTIONS(P, T, name, ARGUMENTS, MATRIX, algorithm)                                        \
  cusparseStatus_t cusparse##P##name##_bufferSize(cusparseHandle_t h, ARGUMENTS(T),                \
                                                  name##Info_t info, int *size) {                  \
    return guarded(__func__, h, [&] {                                                              \
      (void)MATRIX;                                                                                \
      needLive(info);                                                                              \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##name##_bufferSizeExt(cusparseHandle_t h, ARGUMENTS(T),             \
                                                     name##Info_t info, size_t *size) {            \
    return guarded(__func__, h, [&] {                                                              \
      (void)MATRIX;                                                                                \
      needLive(info);                                                                              \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##name(cusparseHandle_t h, ARGUMENTS(T), name##Info_t info,          \
                                     cusparseSolvePolicy_t, void *) {                              \
    return guarded(__func__, h, [&] { factorise(h, info, MATRIX, algorithm<Number<T>>); });        \
  }
#define ANALYSIS(P, T, name, ARGUMENTS, MATRIX)                                                    \
  cusparseStatus_t cusparse##P##name##_analysis(                                                   \
      cusparseHandle_t h, ARGUMENTS(T), name##Info_t info, cusparseSolvePolicy_t, void *) {        \
    return guarded(__func__, h, [&] { analyse(h, info, MATRIX); });                                \
  }
#define BOOST(P, T, name)                                                                          \
  cusparseStatus_t cusparse##P##name##_numericBoost(cusparseHandle_t h, name##Info_t info,         \
                                                    int enable, double *tolerance, T *value) {     \
    return guarded(__func__, h, [&] { setBoost(h, info, enable, tolerance, value); });             \
  }
#define CSR(T)                                                                                     \
  int m, int nnz, const cusparseMatDescr_t descr, T *values, const int *offsets, const int *indices
#define CONST_CSR(T) CSR(const T)
#define BSR(T)                                                                                     \
  cusparseDirection_t dir, int mb, int nnzb, const cusparseMatDescr_t descr, T *values,            \
      const int *offsets, const int *indices, int block
#define CONST_BSR(T) BSR(const T)
#define CSR_MATRIX matrixOf(m, nnz, descr, values, offsets, indices)
#define BSR_MATRIX matrixOf(dir, mb, nnzb, descr, values, offsets, indices, block)
#define OF_TYPE(P, T)                                                                              \
  FUNCTIONS(P, T, csrilu02, CSR, CSR_MATRIX, factoriseLU)                                          \
  FUNCTIONS(P, T, csric02, CSR, CSR_MATRIX, factoriseCholesky)                                     \
  FUNCTIONS(P, T, bsrilu02, BSR, BSR_MATRIX, factoriseLU)                                          \
  FUNCTIONS(P, T, bsric02, BSR, BSR_MATRIX, factoriseCholesky)                                     \
  ANALYSIS(P, T, csrilu02, CONST_CSR, CSR_MATRIX)                                                  \
  ANALYSIS(P, T, csric02, CONST_CSR, CSR_MATRIX)                                                   \
  ANALYSIS(P, T, bsrilu02, BSR, BSR_MATRIX)                                                        \
  ANALYSIS(P, T, bsric02, CONST_BSR, BSR_MATRIX)                                                         \
  BOOST(P, T, csrilu02)                                                                            \
  BOOST(P, T, bsrilu02)
OF_TYPE(S, float)
OF_TYPE(D, double)
OF_TYPE(C, cuComplex)
OF_TYPE(Z, cuDoubleComplex)
