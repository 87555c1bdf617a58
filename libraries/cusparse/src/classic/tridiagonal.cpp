// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tridiagonal and pentadiagonal systems: gtsv2 with and without pivoting, batches of them with a
// stride or interleaved, and gpsvInterleavedBatch. All are one elimination of a narrow band.
#include "descriptors.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::cusparse;

namespace {

/// A matrix of `2 K + 1` diagonals while it is eliminated; pivoting makes K more above them.
template <typename C, int K> class Band {
public:
  explicit Band(int64_t n) : n_(n), elements_(size_t(n) * width) {}
  C &at(int64_t i, int64_t j) { return elements_[i * width + j - i + K]; }

  /// Solves for right-hand sides b(i, j), in place.
  void solve(bool pivots, const Dense &right) {
    C *b = static_cast<C *>(right.values);
    for (int64_t k = 0; k < n_; ++k) {
      if (pivots)
        swapRows(k, pivotRow(k), right, b);
      const int64_t last = std::min(k + 2 * K, n_ - 1);
      for (int64_t i = k + 1; i <= std::min(k + K, n_ - 1); ++i) {
        const C factor = at(i, k) / at(k, k);
        for (int64_t j = k + 1; j <= last && j - i <= 2 * K; ++j)
          at(i, j) -= factor * at(k, j);
        for (int64_t j = 0; j < right.cols; ++j)
          b[right.at(i, j)] -= factor * b[right.at(k, j)];
      }
    }
    for (int64_t j = 0; j < right.cols; ++j)
      for (int64_t i = n_ - 1; i >= 0; --i) {
        C sum = b[right.at(i, j)];
        for (int64_t k = i + 1; k <= std::min(i + 2 * K, n_ - 1); ++k)
          sum -= at(i, k) * b[right.at(k, j)];
        b[right.at(i, j)] = sum / at(i, i);
      }
  }

private:
  static constexpr int width = 3 * K + 1;

  int64_t pivotRow(int64_t k) {
    int64_t best = k;
    for (int64_t i = k + 1; i <= std::min(k + K, n_ - 1); ++i)
      if (magnitude(at(i, k)) > magnitude(at(best, k)))
        best = i;
    return best;
  }
  void swapRows(int64_t k, int64_t other, const Dense &right, C *b) {
    if (k == other)
      return;
    for (int64_t j = k; j <= std::min(k + 2 * K, n_ - 1); ++j)
      std::swap(at(k, j), at(other, j));
    for (int64_t j = 0; j < right.cols; ++j)
      std::swap(b[right.at(k, j)], b[right.at(other, j)]);
  }

  int64_t n_;
  std::vector<C> elements_;
};

/// Batches of systems: diagonals from the lowest to the highest, element i of system s is at
/// i * step + s * stride of each.
template <typename C, int K> struct Systems {
  int64_t n, count, step, stride;
  const C *diagonals[2 * K + 1];

  void solve(bool pivots, const Dense &right) const {
    for (int64_t s = 0; s < count; ++s) {
      Band<C, K> band(n);
      for (int64_t i = 0; i < n; ++i)
        for (int d = -K; d <= K; ++d)
          if (i + d >= 0 && i + d < n)
            band.at(i, i + d) = diagonals[d + K][i * step + s * stride];
      Dense one = right;
      one.values = static_cast<C *>(right.values) + s * stride;
      band.solve(pivots, one);
    }
  }
};

template <typename T>
void gtsv(cusparseHandle_t handle, bool pivots, int m, int n, const T *dl, const T *d, const T *du,
          T *b, int ldb) {
  need(m >= 3, "the system has fewer than 3 rows");
  needSizes({n});
  need(ldb >= m, "the leading dimension is too small");
  needPointers(dl, d, du);
  need(n == 0 || b, "a pointer is null");
  const Systems<Number<T>, 1> systems{m, 1, 1, 0, {as(dl), as(d), as(du)}};
  submit(handle, [=, right = columns(m, n, b, ldb)] { systems.solve(pivots, right); });
}

template <typename T>
void gtsvStrided(cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, T *x,
                 int count, int stride) {
  need(m >= 3, "the system has fewer than 3 rows");
  needSizes({count});
  need(stride >= m, "the systems of the batch overlap");
  needPointers(dl, d, du, x);
  const Systems<Number<T>, 1> systems{m, count, 1, stride, {as(dl), as(d), as(du)}};
  submit(handle, [=, right = columns(m, 1, x, m)] { systems.solve(true, right); });
}

void needInterleaved(int algo, int last, int m, int count, bool pointers) {
  need(algo >= 0 && algo <= last, "there is no such algorithm");
  need(m >= 3, "the system has fewer than 3 rows");
  needSizes({count});
  need(pointers, "a pointer is null");
}

template <int K, typename T, typename... D>
void interleaved(cusparseHandle_t handle, int m, T *x, int count, D... diagonals) {
  const Systems<Number<T>, K> systems{m, count, count, 1, {as(diagonals)...}};
  Dense right = columns(m, 1, x, m);
  right.row_step = count;
  submit(handle, [=] { systems.solve(true, right); });
}

// The matrices need not be there when it is asked for the size: JAX has none at that time.
void needSize(int m, int n, int ldb) {
  need(m >= 3, "the system has fewer than 3 rows");
  needSizes({n});
  need(ldb >= m, "the leading dimension is too small");
}

} // namespace

#define TRI(T) const T *dl, const T *d, const T *du
#define GTSV(P, T, name, pivots)                                                                   \
  cusparseStatus_t cusparse##P##gtsv2##name##_bufferSizeExt(                                       \
      cusparseHandle_t h, int m, int n, TRI(T), const T *, int ldb, size_t *size) {                \
    return guarded(__func__, h, [&] {                                                              \
      needSize(m, n, ldb);                                                                         \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsv2##name(cusparseHandle_t h, int m, int n, TRI(T), T *b,        \
                                            int ldb, void *) {                                     \
    return guarded(__func__, h, [&] { gtsv(h, pivots, m, n, dl, d, du, b, ldb); });                \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsv##name(cusparseHandle_t h, int m, int n, TRI(T), T *b,         \
                                           int ldb) {                                              \
    return guarded(__func__, h, [&] { gtsv(h, pivots, m, n, dl, d, du, b, ldb); });                \
  }
#define FUNCTIONS(P, T)                                                                            \
  GTSV(P, T, , true)                                                                               \
  GTSV(P, T, _nopivot, false)                                                                      \
  cusparseStatus_t cusparse##P##gtsv2StridedBatch_bufferSizeExt(                                   \
      cusparseHandle_t h, int m, TRI(T), const T *, int count, int stride, size_t *size) {         \
    return guarded(__func__, h, [&] {                                                              \
      needSizes({count});                                                                          \
      needSize(m, 1, stride);                                                                      \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsv2StridedBatch(cusparseHandle_t h, int m, TRI(T), T *x,         \
                                                  int count, int stride, void *) {                 \
    return guarded(__func__, h, [&] { gtsvStrided(h, m, dl, d, du, x, count, stride); });          \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsvStridedBatch(cusparseHandle_t h, int m, TRI(T), T *x,          \
                                                 int count, int stride) {                          \
    return guarded(__func__, h, [&] { gtsvStrided(h, m, dl, d, du, x, count, stride); });          \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsvInterleavedBatch_bufferSizeExt(                                \
      cusparseHandle_t h, int algo, int m, TRI(T), const T *x, int count, size_t *size) {          \
    return guarded(__func__, h, [&] {                                                              \
      needInterleaved(algo, 2, m, count, dl &&d &&du &&x);                                         \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsvInterleavedBatch(cusparseHandle_t h, int algo, int m, T *dl,   \
                                                     T *d, T *du, T *x, int count, void *) {       \
    return guarded(__func__, h, [&] {                                                              \
      needInterleaved(algo, 2, m, count, dl &&d &&du &&x);                                         \
      interleaved<1>(h, m, x, count, dl, d, du);                                                   \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gpsvInterleavedBatch_bufferSizeExt(                                \
      cusparseHandle_t h, int algo, int m, const T *ds, TRI(T), const T *dw, const T *x,           \
      int count, size_t *size) {                                                                   \
    return guarded(__func__, h, [&] {                                                              \
      needInterleaved(algo, 0, m, count, ds &&dl &&d &&du &&dw &&x);                               \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gpsvInterleavedBatch(cusparseHandle_t h, int algo, int m, T *ds,   \
                                                     T *dl, T *d, T *du, T *dw, T *x, int count,   \
                                                     void *) {                                     \
    return guarded(__func__, h, [&] {                                                              \
      needInterleaved(algo, 0, m, count, ds &&dl &&d &&du &&dw &&x);                               \
      interleaved<2>(h, m, x, count, ds, dl, d, du, dw);                                           \
    });                                                                                            \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)
