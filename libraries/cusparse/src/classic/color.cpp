// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// csrcolor: each row gets the first colour that none of its neighbours has.
#include "descriptors.h"

#include <algorithm>
#include <numeric>

using namespace heddle;
using namespace heddle::cusparse;

struct cusparseColorInfo {
  cusparseColorAlg_t algorithm = CUSPARSE_COLOR_ALG0;
};

namespace {

int colour(const Pattern &rows, const Pattern &columns, int *colours) {
  int count = 0;
  std::fill_n(colours, rows.rows, -1);
  std::vector<int64_t> taken(size_t(rows.rows) + 1, -1); // by which row a colour is out of reach
  for (int64_t i = 0; i < rows.rows; ++i) {
    for (const Pattern *pattern : {&rows, &columns})
      for (int64_t p = pattern->begin(i); p < pattern->end(i); ++p)
        if (const int64_t other = pattern->column[p]; other != i && colours[other] >= 0)
          taken[colours[other]] = i;
    int free = 0;
    while (taken[free] == i)
      ++free;
    colours[i] = free;
    count = std::max(count, free + 1);
  }
  return count;
}

/// Where each row comes when rows are ordered by colour.
void reorder(int m, const int *colours, int *position) {
  std::vector<int> rows(m);
  std::iota(rows.begin(), rows.end(), 0);
  std::sort(rows.begin(), rows.end(), [&](int a, int b) {
    return colours[a] != colours[b] ? colours[a] < colours[b] : a < b;
  });
  for (int i = 0; i < m; ++i)
    position[rows[i]] = i;
}

template <typename T, typename R>
void csrcolor(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr,
              const T *values, const int *offsets, const int *indices, const R *fraction,
              int *count, int *colours, int *reordering, const cusparseColorInfo_t info) {
  needLive(info);
  needSizes({m, nnz});
  const auto base = generalBase(descr);
  needPointers(offsets, fraction, count);
  need((nnz == 0 || indices) && (m == 0 || colours), "a pointer is null");
  const Matrix a = csr(m, m, nnz, base, values, offsets, indices);
  submit(
      handle,
      [=] {
        *count = colour(patternOf(a), patternOf(a, true), colours);
        if (reordering)
          reorder(m, colours, reordering);
      },
      true);
}

} // namespace

cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t *info) {
  return guarded(__func__, [&] {
    needPointers(info);
    *info = library::handles<cusparseColorInfo>().add(new cusparseColorInfo);
  });
}
cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t info) {
  return guarded(__func__, [&] {
    if (!info)
      return;
    needLive(info);
    library::handles<cusparseColorInfo>().remove(info);
    delete info;
  });
}
cusparseStatus_t cusparseSetColorAlgs(cusparseColorInfo_t info, cusparseColorAlg_t alg) {
  return guarded(__func__, [&] {
    needLive(info);
    need(unsigned(alg) <= CUSPARSE_COLOR_ALG1, "there is no such algorithm");
    info->algorithm = alg;
  });
}
cusparseStatus_t cusparseGetColorAlgs(cusparseColorInfo_t info, cusparseColorAlg_t *alg) {
  return guarded(__func__, [&] {
    needLive(info);
    needPointers(alg);
    *alg = info->algorithm;
  });
}

#define FUNCTION(P, T, R)                                                                          \
  cusparseStatus_t cusparse##P##csrcolor(                                                          \
      cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t descr, const T *values,         \
      const int *offsets, const int *indices, const R *fraction, int *count, int *colours,         \
      int *reordering, const cusparseColorInfo_t info) {                                           \
    return guarded(__func__, h, [&] {                                                              \
      csrcolor(h, m, nnz, descr, values, offsets, indices, fraction, count, colours, reordering,   \
               info);                                                                              \
    });                                                                                            \
  }
FUNCTION(S, float, float)
FUNCTION(D, double, double)
FUNCTION(C, cuComplex, float)
FUNCTION(Z, cuDoubleComplex, double)
