// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of indices, with the permutation that sorts the values (cusparseXcoosort and its kin), and
// of whole matrices there and back (csru2csr, csr2csru).
#include "descriptors.h"

#include <algorithm>
#include <numeric>

using namespace heddle;
using namespace heddle::cusparse;

struct csru2csrInfo {
  std::shared_ptr<std::vector<int>> order; // where the elements of the sorted matrix came from
};

namespace {

template <typename T> void permute(T *values, const std::vector<int> &order) {
  const std::vector<T> old(values, values + order.size());
  for (size_t i = 0; i < order.size(); ++i)
    values[i] = old[order[i]];
}

/// The order that sorts by the first key, then the second one; equal ones stay in order.
std::vector<int> orderBy(int count, const int *first, const int *second) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return first[a] != first[b]     ? first[a] < first[b]
           : second[a] != second[b] ? second[a] < second[b]
                                    : a < b;
  });
  return order;
}

/// The order that sorts each row by column.
std::vector<int> orderOfRows(int m, int nnz, const int *offsets, const int *indices, int base) {
  std::vector<int> order(nnz);
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i < m; ++i)
    std::sort(
        order.begin() + offsets[i] - base, order.begin() + offsets[i + 1] - base,
        [&](int a, int b) { return indices[a] != indices[b] ? indices[a] < indices[b] : a < b; });
  return order;
}

void sortCoo(cusparseHandle_t handle, int m, int n, int nnz, int *rows, int *cols, int *permutation,
             bool by_row) {
  needSizes({m, n, nnz});
  need(nnz == 0 || (rows && cols), "a pointer is null");
  submit(handle, [=] {
    const std::vector<int> order = by_row ? orderBy(nnz, rows, cols) : orderBy(nnz, cols, rows);
    permute(rows, order);
    permute(cols, order);
    if (permutation)
      permute(permutation, order);
  });
}

void sortRows(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,
              const int *offsets, int *indices, int *permutation) {
  needSizes({m, n, nnz});
  const int base = generalBase(descr);
  needPointers(offsets);
  need(nnz == 0 || indices, "a pointer is null");
  submit(handle, [=] {
    const std::vector<int> order = orderOfRows(m, nnz, offsets, indices, base);
    permute(indices, order);
    if (permutation)
      permute(permutation, order);
  });
}

void checkSize(int m, int n, int nnz, const int *first, const int *second) {
  needSizes({m, n, nnz});
  need(nnz == 0 || (first && second), "a pointer is null");
}

template <typename T>
void sortMatrix(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,
                T *values, const int *offsets, int *indices, csru2csrInfo_t info, bool back) {
  checkSize(m, n, nnz, offsets, indices);
  needLive(info);
  need(nnz == 0 || values, "a pointer is null");
  const int base = generalBase(descr);
  need(!back || info->order, "the matrix has not been sorted");
  if (!back)
    info->order = std::make_shared<std::vector<int>>();
  submit(handle, [=, order = info->order] {
    if (!back)
      *order = orderOfRows(m, nnz, offsets, indices, base);
    std::vector<int> use = *order;
    if (back)
      for (int i = 0; i < nnz; ++i)
        use[(*order)[i]] = i;
    permute(values, use);
    permute(indices, use);
  });
}

} // namespace

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p) {
  return guarded(__func__, handle, [&] {
    needSizes({n});
    need(n == 0 || p, "a pointer is null");
    submit(handle, [=] { std::iota(p, p + n, 0); });
  });
}
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *rows, const int *cols, size_t *size) {
  return guarded(__func__, handle, [&] {
    checkSize(m, n, nnz, rows, cols);
    giveBufferSize(size);
  });
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                       int *cols, int *P, void *) {
  return guarded(__func__, handle, [&] { sortCoo(handle, m, n, nnz, rows, cols, P, true); });
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                          int *cols, int *P, void *) {
  return guarded(__func__, handle, [&] { sortCoo(handle, m, n, nnz, rows, cols, P, false); });
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *offsets, const int *indices,
                                                size_t *size) {
  return guarded(__func__, handle, [&] {
    checkSize(m, n, nnz, offsets, indices);
    giveBufferSize(size);
  });
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descr, const int *offsets, int *indices,
                                  int *P, void *) {
  return guarded(__func__, handle,
                 [&] { sortRows(handle, m, n, nnz, descr, offsets, indices, P); });
}
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *offsets, const int *indices,
                                                size_t *size) {
  return guarded(__func__, handle, [&] {
    checkSize(m, n, nnz, offsets, indices);
    giveBufferSize(size);
  });
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descr, const int *offsets, int *indices,
                                  int *P, void *) {
  return guarded(__func__, handle,
                 [&] { sortRows(handle, n, m, nnz, descr, offsets, indices, P); });
}

cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t *info) {
  return guarded(__func__, [&] {
    needPointers(info);
    *info = library::handles<csru2csrInfo>().add(new csru2csrInfo);
  });
}
cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t info) {
  return guarded(__func__, [&] {
    if (!info)
      return;
    needLive(info);
    library::handles<csru2csrInfo>().remove(info);
    delete info;
  });
}

#define FUNCTIONS(P, T)                                                                            \
  cusparseStatus_t cusparse##P##csru2csr_bufferSizeExt(cusparseHandle_t h, int m, int n, int nnz,  \
                                                       T *, const int *offsets, int *indices,      \
                                                       csru2csrInfo_t info, size_t *size) {        \
    return guarded(__func__, h, [&] {                                                              \
      checkSize(m, n, nnz, offsets, indices);                                                      \
      needLive(info);                                                                              \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csru2csr(                                                          \
      cusparseHandle_t h, int m, int n, int nnz, const cusparseMatDescr_t descr, T *values,        \
      const int *offsets, int *indices, csru2csrInfo_t info, void *) {                             \
    return guarded(__func__, h, [&] {                                                              \
      sortMatrix(h, m, n, nnz, descr, values, offsets, indices, info, false);                      \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csr2csru(                                                          \
      cusparseHandle_t h, int m, int n, int nnz, const cusparseMatDescr_t descr, T *values,        \
      const int *offsets, int *indices, csru2csrInfo_t info, void *) {                             \
    return guarded(__func__, h, [&] {                                                              \
      sortMatrix(h, m, n, nnz, descr, values, offsets, indices, info, true);                       \
    });                                                                                            \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)
