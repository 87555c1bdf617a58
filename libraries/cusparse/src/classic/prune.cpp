// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices without their small elements: what stays is larger than a threshold, or than the element
// at a percentage of all when they are sorted by size (cuSPARSE's documentation of
// cusparse<t>pruneDense2csrByPercentage).
#include "descriptors.h"

#include <algorithm>

struct pruneInfo {};

namespace heddle::cusparse {
namespace {

/// A matrix of any of the three types, dense or CSR, as sizes of elements in order of rows.
struct Source {
  Matrix sparse;
  Dense full;
  bool is_dense;

  template <typename F> void visit(F f) const {
    if (!is_dense)
      return forEach(sparse, f);
    for (int64_t i = 0; i < full.rows; ++i)
      for (int64_t j = 0; j < full.cols; ++j)
        f(i, j, full.at(i, j));
  }
  int64_t rows() const { return is_dense ? full.rows : sparse.rows; }
  void *values() const { return is_dense ? full.values : sparse.values; }
};

template <typename T> struct ElementType {
  static constexpr cudaDataType value = dataType<T>();
};
template <> struct ElementType<__half> {
  static constexpr cudaDataType value = CUDA_R_16F;
};

template <typename T> Source denseSource(int m, int n, const T *a, int lda) {
  needSizes({m, n});
  need(lda >= std::max(m, 1), "the leading dimension is too small");
  need(m == 0 || n == 0 || a, "the matrix is null");
  return {{}, {m, n, 1, lda, const_cast<T *>(a), ElementType<T>::value}, true};
}
template <typename T>
Source csrSource(int m, int n, int nnz, const cusparseMatDescr_t descr, const T *values,
                 const int *offsets, const int *indices) {
  needSizes({m, n, nnz});
  needPointers(offsets);
  need(nnz == 0 || (values && indices), "a pointer is null");
  Matrix a =
      csr(m, n, nnz, generalBase(descr), static_cast<const void *>(values), offsets, indices);
  a.type = ElementType<T>::value;
  return {a, {}, false};
}

/// Which element's size is the threshold: a scalar of the type, or one at a percentage.
template <typename T> struct Limit {
  const T *pointer = nullptr;
  double value = -1;
  float percentage = -1;

  double get(const Source &source) const {
    if (pointer)
      return widen(*pointer);
    if (percentage < 0)
      return value;
    std::vector<double> sizes;
    const T *from = static_cast<const T *>(source.values());
    source.visit(
        [&](int64_t, int64_t, int64_t place) { sizes.push_back(magnitude(widen(from[place]))); });
    if (sizes.empty())
      return -1;
    const int64_t position = int64_t(std::ceil(double(sizes.size()) * (percentage / 100.0))) - 1;
    const int64_t at = std::clamp<int64_t>(position, 0, int64_t(sizes.size()) - 1);
    std::nth_element(sizes.begin(), sizes.begin() + at, sizes.end());
    return sizes[at];
  }
};
template <typename T> Limit<T> limit(cusparseHandle_t handle, const T *threshold) {
  needPointers(threshold);
  Limit<T> result;
  if (resultOnHost(handle))
    result.value = widen(*threshold);
  else
    result.pointer = threshold;
  return result;
}
template <typename T> Limit<T> limit(cusparseHandle_t, float percentage) {
  need(percentage >= 0 && percentage <= 100, "the percentage is not between 0 and 100");
  Limit<T> result;
  result.percentage = percentage;
  return result;
}

template <typename T, typename F>
void forEachKept(const Source &source, const Limit<T> &limit, F f) {
  const double threshold = limit.get(source);
  const T *from = static_cast<const T *>(source.values());
  source.visit([&](int64_t i, int64_t j, int64_t place) {
    if (magnitude(widen(from[place])) > threshold)
      f(i, j, from[place]);
  });
}

template <typename T>
void count(cusparseHandle_t handle, const Source &source, const Limit<T> &limit,
           const cusparseMatDescr_t descr, int *offsets, int *total) {
  const int base = generalBase(descr);
  needPointers(offsets, total);
  submit(
      handle,
      [=] {
        std::fill_n(offsets, source.rows() + 1, 0);
        int all = 0;
        forEachKept(source, limit, [&](int64_t i, int64_t, T) {
          ++offsets[i + 1];
          ++all;
        });
        offsets[0] = base;
        for (int64_t i = 0; i < source.rows(); ++i)
          offsets[i + 1] += offsets[i];
        *total = all;
      },
      resultOnHost(handle));
}

template <typename T>
void prune(cusparseHandle_t handle, const Source &source, const Limit<T> &limit,
           const cusparseMatDescr_t descr, T *values, const int *offsets, int *indices) {
  const int base = generalBase(descr);
  needPointers(offsets);
  submit(handle, [=] {
    int64_t at = 0;
    forEachKept(source, limit, [&](int64_t, int64_t j, T value) {
      values[at] = value;
      indices[at++] = int(j) + base;
    });
  });
}

} // namespace
} // namespace heddle::cusparse

using namespace heddle;
using namespace heddle::cusparse;

cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t *info) {
  return guarded(__func__, [&] {
    needPointers(info);
    *info = library::handles<pruneInfo>().add(new pruneInfo);
  });
}
cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t info) {
  return guarded(__func__, [&] {
    if (!info)
      return;
    needLive(info);
    library::handles<pruneInfo>().remove(info);
    delete info;
  });
}

#define LIST(...) __VA_ARGS__
// The three functions of a source (SOURCE: its arguments, MADE: the Source of them) and a limit.
#define FUNCTIONS(P, T, Size, Nnz, Prune, SOURCE, MADE, Limit, INFO, CHECK)                        \
  cusparseStatus_t cusparse##P##Size(cusparseHandle_t h, SOURCE, Limit by,                         \
                                     const cusparseMatDescr_t descr, const T *, const int *,       \
                                     const int *, INFO size_t *size) {                             \
    return guarded(__func__, h, [&] {                                                              \
      CHECK;                                                                                       \
      (void)MADE;                                                                                  \
      generalBase(descr);                                                                          \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##Nnz(cusparseHandle_t h, SOURCE, Limit by,                          \
                                    const cusparseMatDescr_t descr, int *to_offsets, int *total,   \
                                    INFO void *) {                                                 \
    return guarded(__func__, h, [&] {                                                              \
      CHECK;                                                                                       \
      count(h, MADE, limit<T>(h, by), descr, to_offsets, total);                                   \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##Prune(cusparseHandle_t h, SOURCE, Limit by,                        \
                                      const cusparseMatDescr_t descr, T *to,                       \
                                      const int *to_offsets, int *to_indices, INFO void *) {       \
    return guarded(__func__, h, [&] {                                                              \
      CHECK;                                                                                       \
      prune(h, MADE, limit<T>(h, by), descr, to, to_offsets, to_indices);                          \
    });                                                                                            \
  }
#define DENSE(T) LIST(int m, int n, const T *a, int lda)
#define CSR(T)                                                                                     \
  LIST(int m, int n, int nnz, const cusparseMatDescr_t descr_a, const T *values,                   \
       const int *offsets, const int *indices)
#define DENSE_MADE denseSource(m, n, a, lda)
#define CSR_MADE csrSource(m, n, nnz, descr_a, values, offsets, indices)
#define OF_TYPE(P, T)                                                                              \
  FUNCTIONS(P, T, pruneDense2csr_bufferSizeExt, pruneDense2csrNnz, pruneDense2csr, DENSE(T),       \
            DENSE_MADE, const T *, , )                                                             \
  FUNCTIONS(P, T, pruneDense2csrByPercentage_bufferSizeExt, pruneDense2csrNnzByPercentage,         \
            pruneDense2csrByPercentage, DENSE(T), DENSE_MADE, float, LIST(pruneInfo_t info, ),     \
            needLive(info))                                                                        \
  FUNCTIONS(P, T, pruneCsr2csr_bufferSizeExt, pruneCsr2csrNnz, pruneCsr2csr, CSR(T), CSR_MADE,     \
            const T *, , )                                                                         \
  FUNCTIONS(P, T, pruneCsr2csrByPercentage_bufferSizeExt, pruneCsr2csrNnzByPercentage,             \
            pruneCsr2csrByPercentage, CSR(T), CSR_MADE, float, LIST(pruneInfo_t info, ),           \
            needLive(info))
OF_TYPE(S, float)
OF_TYPE(D, double)
OF_TYPE(H, __half)
