// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusparse
//
// cuSPARSE's functions of one type each for compressed rows: factorisations, tridiagonal and
// pentadiagonal systems, sums, counts, sorts, conversions, pruning, colours.
#include "sparse_check.h"

using namespace sparse;

namespace {

cusparseHandle_t handle;

template <typename T> struct Api;
#define F(P, NAME) static constexpr auto NAME = cusparse##P##NAME
#define API(P, T, R)                                                                               \
  template <> struct Api<T> {                                                                      \
    using Real = R;                                                                                \
    F(P, gemvi_bufferSize);                                                                        \
    F(P, gemvi);                                                                                   \
    F(P, csrilu02_numericBoost);                                                                   \
    F(P, csrilu02_bufferSize);                                                                     \
    F(P, csrilu02_bufferSizeExt);                                                                  \
    F(P, csrilu02_analysis);                                                                       \
    F(P, csrilu02);                                                                                \
    F(P, csric02_bufferSize);                                                                      \
    F(P, csric02_bufferSizeExt);                                                                   \
    F(P, csric02_analysis);                                                                        \
    F(P, csric02);                                                                                 \
    F(P, gtsv2_bufferSizeExt);                                                                     \
    F(P, gtsv2);                                                                                   \
    F(P, gtsv2_nopivot_bufferSizeExt);                                                             \
    F(P, gtsv2_nopivot);                                                                           \
    F(P, gtsv2StridedBatch_bufferSizeExt);                                                         \
    F(P, gtsv2StridedBatch);                                                                       \
    F(P, gtsvInterleavedBatch_bufferSizeExt);                                                      \
    F(P, gtsvInterleavedBatch);                                                                    \
    F(P, gpsvInterleavedBatch_bufferSizeExt);                                                      \
    F(P, gpsvInterleavedBatch);                                                                    \
    F(P, csrgeam2_bufferSizeExt);                                                                  \
    F(P, csrgeam2);                                                                                \
    F(P, csrcolor);                                                                                \
    F(P, nnz);                                                                                     \
    F(P, nnz_compress);                                                                            \
    F(P, csr2csr_compress);                                                                        \
    F(P, csru2csr_bufferSizeExt);                                                                  \
    F(P, csru2csr);                                                                                \
    F(P, csr2csru);                                                                                \
  };
API(S, float, float)
API(D, double, double)
API(C, cuComplex, float)
API(Z, cuDoubleComplex, double)
template <typename T> struct Prune;
#define PRUNE(P, T)                                                                                \
  template <> struct Prune<T> {                                                                    \
    F(P, pruneDense2csr_bufferSizeExt);                                                            \
    F(P, pruneDense2csrNnz);                                                                       \
    F(P, pruneDense2csr);                                                                          \
    F(P, pruneDense2csrByPercentage_bufferSizeExt);                                                \
    F(P, pruneDense2csrNnzByPercentage);                                                           \
    F(P, pruneDense2csrByPercentage);                                                              \
    F(P, pruneCsr2csr_bufferSizeExt);                                                              \
    F(P, pruneCsr2csrNnz);                                                                         \
    F(P, pruneCsr2csr);                                                                            \
    F(P, pruneCsr2csrByPercentage_bufferSizeExt);                                                  \
    F(P, pruneCsr2csrNnzByPercentage);                                                             \
    F(P, pruneCsr2csrByPercentage);                                                                \
  };
PRUNE(S, float)
PRUNE(D, double)
PRUNE(H, __half)

template <typename T> void testGemvi(bool device) {
  const std::vector<int> at{2, 3, 7};
  const Full a = denseFull<T>(6, 8, 1), x = denseFull<T>(3, 1, 2), y = denseFull<T>(6, 1, 3);
  const Array<T> va(a.at_), vx(x.at_), vy(y.at_);
  const Array<int> indices(at);
  const Scalars<T> s(handle, device);
  int size = 0;
  OK(Api<T>::gemvi_bufferSize(handle, N, 6, 8, 3, &size));
  const Array<char> buffer(size);
  OK(Api<T>::gemvi(handle, N, 6, 8, s.alpha, va, 6, 3, vx, indices, s.beta, vy,
                   CUSPARSE_INDEX_BASE_ONE, buffer.data()));
  Full full(8, 1);
  for (int k = 0; k < 3; ++k)
    full(at[k] - 1, 0) = x(k, 0);
  compare(vy, sum(s.al, product(a, full), s.be, y).at_, "gemvi");
}

/// The factors' product is the matrix wherever the matrix has elements.
template <typename T> void testFactors(int base) {
  const MatDescr descr(base);
  const int n = 12;
  int size, pivot = 7;
  size_t bytes;
  {
    const Full a = dominantFull<T>(n, 1);
    const Csr<T> m(a, base);
    csrilu02Info_t info;
    OK(cusparseCreateCsrilu02Info(&info));
    OK(Api<T>::csrilu02_bufferSize(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, info,
                                   &size));
    OK(Api<T>::csrilu02_bufferSizeExt(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, info,
                                      &bytes));
    const Array<char> buffer(std::max<size_t>(size, bytes));
    OK(Api<T>::csrilu02_analysis(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, info,
                                 CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data()));
    OK(cusparseXcsrilu02_zeroPivot(handle, info, &pivot));
    CHECK_EQ(pivot, -1);
    OK(Api<T>::csrilu02(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, info,
                        CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.data()));
    OK(cusparseXcsrilu02_zeroPivot(handle, info, &pivot));
    const Full f = m.full();
    Full l(n, n), u(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        (i > j ? l : u)(i, j) = f(i, j);
    for (int i = 0; i < n; ++i)
      l(i, i) = 1;
    Full lu = product(l, u);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (a(i, j) == Number(0))
          lu(i, j) = 0;
    compareAt(lu.at_, a.at_, tolerance<T>(), "csrilu02");
    OK(cusparseDestroyCsrilu02Info(info));
  }
  const Full a = dominantFull<T>(n, 1, true);
  const Csr<T> m(a, base);
  csric02Info_t info;
  OK(cusparseCreateCsric02Info(&info));
  OK(Api<T>::csric02_bufferSize(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, info,
                                &size));
  OK(Api<T>::csric02_bufferSizeExt(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, info,
                                   &bytes));
  const Array<char> buffer(std::max<size_t>(size, bytes));
  OK(Api<T>::csric02_analysis(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, info,
                              CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data()));
  OK(Api<T>::csric02(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, info,
                     CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data()));
  OK(cusparseXcsric02_zeroPivot(handle, info, &pivot));
  CHECK_EQ(pivot, -1);
  Full l = m.full();
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      l(i, j) = 0;
  Full both = product(l, transposed(l, C_));
  for (size_t k = 0; k < both.at_.size(); ++k)
    if (a.at_[k] == Number(0))
      both.at_[k] = 0;
  compareAt(both.at_, a.at_, tolerance<T>(), "csric02");
  OK(cusparseDestroyCsric02Info(info));
}

/// A zero on the diagonal is found, and a boost puts another number there.
template <typename T> void testPivots() {
  Full a = dominantFull<T>(6, 1);
  for (int j = 0; j < 6; ++j)
    if (j != 4)
      a(4, j) = a(j, 4) = 0;
  a(4, 4) = 1;
  const MatDescr descr(1);
  for (const bool boosts : {false, true}) {
    Csr<T> m(a, 1);
    for (int p = m.offsets[4] - 1; p < m.offsets[5] - 1; ++p)
      m.values[p] = make<T>(0);
    csrilu02Info_t info;
    OK(cusparseCreateCsrilu02Info(&info));
    double tolerance = 1e-3;
    T value = make<T>(5);
    OK(Api<T>::csrilu02_numericBoost(handle, info, boosts, &tolerance, &value));
    const Array<char> buffer(65536);
    OK(Api<T>::csrilu02_analysis(handle, 6, m.nnz, descr, m.values, m.offsets, m.columns, info,
                                 CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data()));
    OK(Api<T>::csrilu02(handle, 6, m.nnz, descr, m.values, m.offsets, m.columns, info,
                        CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data()));
    int pivot = 77;
    const auto status = cusparseXcsrilu02_zeroPivot(handle, info, &pivot);
    CHECK_EQ(status, boosts ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT);
    CHECK_EQ(pivot, boosts ? -1 : 5);
    if (boosts)
      CHECK_NEAR(m.full()(4, 4).real(), 5.0, 1e-6);
    OK(cusparseDestroyCsrilu02Info(info));
  }
}

/// Diagonals of a batch: element i of system s is at (i, s), or interleaved.
template <typename T> struct Diagonal {
  Array<T> data;
  Diagonal(int n, int count, bool interleaved, int offset, int seed, double weight)
      : data(n * count) {
    for (int s = 0; s < count; ++s)
      for (int i = 0; i < n; ++i) {
        const bool there = i + offset >= 0 && i + offset < n;
        data[interleaved ? i * count + s : i + s * n] =
            make<T>(there ? numberAt<T>(i * 5 + s * 3 + seed) + weight : Number(0));
      }
  }
};
template <typename T>
void checkBand(const std::vector<const Diagonal<T> *> &diagonals, const std::vector<Number> &x,
               const std::vector<Number> &b, int n, int count, bool interleaved, const char *what) {
  const int half = int(diagonals.size()) / 2;
  std::vector<Number> actual(n * count), expected(n * count);
  for (int s = 0; s < count; ++s)
    for (int i = 0; i < n; ++i) {
      auto at = [&](int k) { return interleaved ? k * count + s : k + s * n; };
      for (int d = -half; d <= half; ++d)
        if (i + d >= 0 && i + d < n)
          actual[at(i)] += value(diagonals[d + half]->data[at(i)]) * x[at(i + d)];
      expected[at(i)] = b[at(i)];
    }
  compareAt(actual, expected, tolerance<T>() * 100, what);
}
template <typename T> void testBands() {
  const int n = 16, count = 3;
  size_t size;
  for (const bool pivots : {false, true}) {
    // Without pivoting the diagonal dominates; with it, it is small.
    const Diagonal<T> dl(n, 1, false, -1, 1, 0), d(n, 1, false, 0, 2, pivots ? 0 : 30),
        du(n, 1, false, 1, 3, 0);
    const Full b = denseFull<T>(n, 2, 4);
    const Array<T> x(b.at_);
    OK((pivots ? Api<T>::gtsv2_bufferSizeExt : Api<T>::gtsv2_nopivot_bufferSizeExt)(
        handle, n, 2, dl.data, d.data, du.data, x, n, &size));
    size_t without = 0; // the matrices
    OK((pivots ? Api<T>::gtsv2_bufferSizeExt : Api<T>::gtsv2_nopivot_bufferSizeExt)(
        handle, n, 2, nullptr, nullptr, nullptr, nullptr, n, &without));
    CHECK_EQ(without, size);
    const Array<char> buffer(size);
    OK((pivots ? Api<T>::gtsv2 : Api<T>::gtsv2_nopivot)(handle, n, 2, dl.data, d.data, du.data, x,
                                                        n, buffer.data()));
    const auto all = x.read();
    for (int j = 0; j < 2; ++j)
      checkBand<T>({&dl, &d, &du}, {all.begin() + j * n, all.begin() + j * n + n},
                   {b.at_.begin() + j * n, b.at_.begin() + j * n + n}, n, 1, false, "gtsv2");
  }
  const Full b = denseFull<T>(n, count, 5);
  {
    const Diagonal<T> dl(n, count, false, -1, 1, 0), d(n, count, false, 0, 2, 30),
        du(n, count, false, 1, 3, 0);
    const Array<T> x(b.at_);
    OK(Api<T>::gtsv2StridedBatch_bufferSizeExt(handle, n, dl.data, d.data, du.data, x, count, n,
                                               &size));
    const Array<char> buffer(size);
    OK(Api<T>::gtsv2StridedBatch(handle, n, dl.data, d.data, du.data, x, count, n, buffer.data()));
    checkBand<T>({&dl, &d, &du}, x.read(), b.at_, n, count, false, "gtsv2StridedBatch");
  }
  for (int algo = 0; algo < 3; ++algo) {
    const Diagonal<T> dl(n, count, true, -1, 1, 0), d(n, count, true, 0, 2, 30),
        du(n, count, true, 1, 3, 0);
    const Diagonal<T> l0(n, count, true, -1, 1, 0), d0(n, count, true, 0, 2, 30),
        u0(n, count, true, 1, 3, 0); // the call may overwrite
    const Array<T> x(b.at_);
    OK(Api<T>::gtsvInterleavedBatch_bufferSizeExt(handle, algo, n, dl.data, d.data, du.data, x,
                                                  count, &size));
    const Array<char> buffer(size);
    OK(Api<T>::gtsvInterleavedBatch(handle, algo, n, dl.data, d.data, du.data, x, count,
                                    buffer.data()));
    checkBand<T>({&l0, &d0, &u0}, x.read(), b.at_, n, count, true, "gtsvInterleavedBatch");
  }
  using D = Diagonal<T>;
  const D ds(n, count, true, -2, 6, 0), dl(n, count, true, -1, 1, 0), d(n, count, true, 0, 2, 40),
      du(n, count, true, 1, 3, 0), dw(n, count, true, 2, 7, 0);
  const D s0(n, count, true, -2, 6, 0), l0(n, count, true, -1, 1, 0), d0(n, count, true, 0, 2, 40),
      u0(n, count, true, 1, 3, 0), w0(n, count, true, 2, 7, 0);
  const Array<T> x(b.at_);
  OK(Api<T>::gpsvInterleavedBatch_bufferSizeExt(handle, 0, n, ds.data, dl.data, d.data, du.data,
                                                dw.data, x, count, &size));
  const Array<char> buffer(size);
  OK(Api<T>::gpsvInterleavedBatch(handle, 0, n, ds.data, dl.data, d.data, du.data, dw.data, x,
                                  count, buffer.data()));
  checkBand<T>({&s0, &l0, &d0, &u0, &w0}, x.read(), b.at_, n, count, true, "gpsvInterleavedBatch");
}

template <typename T> void testSum(bool device) {
  const Full a = sparseFull<T>(7, 9, 1), b = sparseFull<T>(7, 9, 2);
  const Csr<T> ca(a, 0), cb(b, 1);
  const MatDescr da(0), db(1), dc(1);
  const Scalars<T> s(handle, device);
  const Array<int> offsets(8);
  Array<int> total(1);
  size_t size;
  OK(Api<T>::csrgeam2_bufferSizeExt(handle, 7, 9, s.alpha, da, ca.nnz, ca.values, ca.offsets,
                                    ca.columns, s.beta, db, cb.nnz, cb.values, cb.offsets,
                                    cb.columns, dc, nullptr, offsets, nullptr, &size));
  const Array<char> buffer(size);
  OK(cusparseXcsrgeam2Nnz(handle, 7, 9, da, ca.nnz, ca.offsets, ca.columns, db, cb.nnz, cb.offsets,
                          cb.columns, dc, offsets, total, buffer.data()));
  CHECK_CUDA(cudaDeviceSynchronize());
  Csr<T> c(7, 9, total[0], 1);
  CHECK_EQ(offsets[7] - offsets[0], total[0]);
  OK(Api<T>::csrgeam2(handle, 7, 9, s.alpha, da, ca.nnz, ca.values, ca.offsets, ca.columns, s.beta,
                      db, cb.nnz, cb.values, cb.offsets, cb.columns, dc, c.values, c.offsets,
                      c.columns, buffer.data()));
  OK(cusparseXcsrgeam2Nnz(handle, 7, 9, da, ca.nnz, ca.offsets, ca.columns, db, cb.nnz, cb.offsets,
                          cb.columns, dc, c.offsets, total, buffer.data()));
  compareAt(c.full().at_, sum(s.al, a, s.be, b).at_, tolerance<T>(), "csrgeam2");
}

template <typename T> void testCounts(bool device) {
  const Full a = sparseFull<T>(7, 9, 1);
  const HostCsr rows(a), columns(transposed(a, T_));
  const MatDescr descr(1);
  OK(cusparseSetPointerMode(handle,
                            device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  const Array<T> full(a.at_);
  auto differences = [](const std::vector<int> &offsets) {
    std::vector<int> counts;
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      counts.push_back(offsets[i + 1] - offsets[i]);
    return counts;
  };
  for (const auto dir : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN}) {
    const Array<int> per_line(dir == CUSPARSE_DIRECTION_ROW ? 7 : 9), total(1);
    OK(Api<T>::nnz(handle, dir, 7, 9, descr, full, 7, per_line, total));
    compareInts(per_line.raw(),
                differences(dir == CUSPARSE_DIRECTION_ROW ? rows.offsets : columns.offsets), "nnz");
    compareInts(total.raw(), {int(rows.columns.size())}, "nnz's total");
  }
  // Elements whose size is at most the tolerance go away.
  const T tol = make<T>(1);
  const Csr<T> m(a, 1);
  Full kept = a;
  for (Number &v : kept.at_)
    v = std::abs(v) > 1 ? v : 0;
  const HostCsr expected(kept, 1);
  const Array<int> per_row(7), total(1);
#ifdef __HEDDLE_CUSPARSE_TYPES_H__
  const bool compares_sizes = true;
#else
  const bool compares_sizes = !isComplex<T>(); // NVIDIA's library compares real and imaginary parts
#endif
  OK(Api<T>::nnz_compress(handle, 7, descr, m.values, m.offsets, per_row, total, tol));
  if (compares_sizes) {
    compareInts(per_row.raw(), differences(expected.offsets), "nnz_compress");
    compareInts(total.raw(), {int(expected.columns.size())}, "nnz_compress's total");
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  Csr<T> c(7, 9, total[0], 1);
  OK(Api<T>::csr2csr_compress(handle, 7, 9, descr, m.values, m.columns, m.offsets, m.nnz, per_row,
                              c.values, c.columns, c.offsets, tol));
  if (compares_sizes)
    compareAt(c.full().at_, kept.at_, 0, "csr2csr_compress");
}

template <typename T> void testUnsorted() {
  const Full a = sparseFull<T>(7, 9, 1);
  const HostCsr h(a, 0);
  Csr<T> m(a, 0);
  for (int i = 0; i < 7; ++i) { // each row backwards
    std::reverse(m.columns.data() + m.offsets[i], m.columns.data() + m.offsets[i + 1]);
    std::reverse(m.values.data() + m.offsets[i], m.values.data() + m.offsets[i + 1]);
  }
  const auto unsorted = m.columns.raw();
  const auto values = m.values.read();
  const MatDescr descr(0);
  csru2csrInfo_t info;
  size_t size;
  OK(cusparseCreateCsru2csrInfo(&info));
  OK(Api<T>::csru2csr_bufferSizeExt(handle, 7, 9, m.nnz, m.values, m.offsets, m.columns, info,
                                    &size));
  const Array<char> buffer(size);
  OK(Api<T>::csru2csr(handle, 7, 9, m.nnz, descr, m.values, m.offsets, m.columns, info,
                      buffer.data()));
  compareInts(m.columns.raw(), h.columns, "csru2csr");
  compare(m.values, h.values, "csru2csr's values");
  OK(Api<T>::csr2csru(handle, 7, 9, m.nnz, descr, m.values, m.offsets, m.columns, info,
                      buffer.data()));
  compareInts(m.columns.raw(), unsorted, "csr2csru");
  compare(m.values, values, "csr2csru's values");
  OK(cusparseDestroyCsru2csrInfo(info));
}

template <typename T> void testColour() {
  const int n = 20;
  Full a = sparseFull<T>(n, n, 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a(i, j) = i == j || std::abs(i - j) == 1 || std::abs(i - j) == 5 ? 1 : 0;
  const Csr<T> m(a, 0);
  const MatDescr descr(0);
  cusparseColorInfo_t info;
  OK(cusparseCreateColorInfo(&info));
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
#if CUDART_VERSION < 13000
  cusparseColorAlg_t alg = CUSPARSE_COLOR_ALG0;
  OK(cusparseSetColorAlgs(info, CUSPARSE_COLOR_ALG1));
  OK(cusparseGetColorAlgs(info, &alg));
  CHECK_EQ(alg, CUSPARSE_COLOR_ALG1);
  OK(cusparseSetColorAlgs(info, CUSPARSE_COLOR_ALG0));
#endif
  const typename Api<T>::Real fraction = 1;
  int count = 0;
  const Array<int> colours(n), order(n);
  OK(Api<T>::csrcolor(handle, n, m.nnz, descr, m.values, m.offsets, m.columns, &fraction, &count,
                      colours, order, info));
  const auto c = colours.raw();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      CHECK(i == j || a(i, j) == Number(0) || c[i] != c[j]);
  CHECK(*std::max_element(c.begin(), c.end()) < count && count <= n);
  auto positions = order.raw();
  std::sort(positions.begin(), positions.end());
  for (int i = 0; i < n; ++i)
    CHECK_EQ(positions[i], i);
  OK(cusparseDestroyColorInfo(info));
}

template <typename T> void testPrune(bool device) {
  const Full a = denseFull<T>(7, 9, 1);
  const Array<T> full(a.at_);
  const Csr<T> rows(a, 0);
  const MatDescr from(0), to(1);
  OK(cusparseSetPointerMode(handle,
                            device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  Array<T> limit(1);
  Array<int> total(1);
  pruneInfo_t info;
  OK(cusparseCreatePruneInfo(&info));
  std::vector<double> sizes;
  for (const Number v : a.at_)
    sizes.push_back(std::abs(v));
  std::sort(sizes.begin(), sizes.end());
  const float percentage = 40;
  const double by_percentage = sizes[size_t(std::ceil(sizes.size() * (percentage / 100))) - 1];
  for (int way = 0; way < 4; ++way) {
    const double threshold = way < 2 ? 1.0 : by_percentage;
    limit[0] = make<T>(threshold);
    Full kept = a;
    for (Number &v : kept.at_)
      v = std::abs(v) > threshold ? v : 0;
    const HostCsr expected(kept, 1);
    Csr<T> c(7, 9, int(expected.columns.size()), 1);
    size_t size = 0;
    using A = Prune<T>;
    const Array<char> buffer(1 << 16);
#define DENSE handle, 7, 9, full.data(), 7
#define ROWS                                                                                       \
  handle, 7, 9, rows.nnz, from, rows.values.data(), rows.offsets.data(), rows.columns.data()
    switch (way) {
    case 0:
      OK(A::pruneDense2csr_bufferSizeExt(DENSE, limit, to, nullptr, c.offsets, nullptr, &size));
      OK(A::pruneDense2csrNnz(DENSE, limit, to, c.offsets, total, buffer.data()));
      OK(A::pruneDense2csr(DENSE, limit, to, c.values, c.offsets, c.columns, buffer.data()));
      break;
    case 1:
      OK(A::pruneCsr2csr_bufferSizeExt(ROWS, limit, to, nullptr, c.offsets, nullptr, &size));
      OK(A::pruneCsr2csrNnz(ROWS, limit, to, c.offsets, total, buffer.data()));
      OK(A::pruneCsr2csr(ROWS, limit, to, c.values, c.offsets, c.columns, buffer.data()));
      break;
    case 2:
      OK(A::pruneDense2csrByPercentage_bufferSizeExt(DENSE, percentage, to, nullptr, c.offsets,
                                                     nullptr, info, &size));
      OK(A::pruneDense2csrNnzByPercentage(DENSE, percentage, to, c.offsets, total, info,
                                          buffer.data()));
      OK(A::pruneDense2csrByPercentage(DENSE, percentage, to, c.values, c.offsets, c.columns, info,
                                       buffer.data()));
      break;
    default:
      OK(A::pruneCsr2csrByPercentage_bufferSizeExt(ROWS, percentage, to, nullptr, c.offsets,
                                                   nullptr, info, &size));
      OK(A::pruneCsr2csrNnzByPercentage(ROWS, percentage, to, c.offsets, total, info,
                                        buffer.data()));
      OK(A::pruneCsr2csrByPercentage(ROWS, percentage, to, c.values, c.offsets, c.columns, info,
                                     buffer.data()));
    }
    CHECK(size <= buffer.size());
    compareInts(total.raw(), {c.nnz}, "prune's count");
    compareInts(c.offsets.raw(), expected.offsets, "prune's offsets");
    compareAt(c.full().at_, kept.at_, 0, "prune");
  }
  OK(cusparseDestroyPruneInfo(info));
}

template <typename T> void testTranspose(int base) {
  const Full a = sparseFull<T>(7, 9, 1);
  const Csr<T> m(a, base);
  const HostCsr expected(transposed(a, T_), base);
  for (const auto action : {CUSPARSE_ACTION_NUMERIC, CUSPARSE_ACTION_SYMBOLIC}) {
    const Csr<T> c(9, 7, m.nnz, base);
    size_t size;
    OK(cusparseCsr2cscEx2_bufferSize(handle, 7, 9, m.nnz, m.values.data(), m.offsets, m.columns,
                                     c.values.data(), c.offsets, c.columns, type<T>(), action,
                                     cusparseIndexBase_t(base), CUSPARSE_CSR2CSC_ALG1, &size));
    const Array<char> buffer(size);
    OK(cusparseCsr2cscEx2(handle, 7, 9, m.nnz, m.values.data(), m.offsets, m.columns,
                          c.values.data(), c.offsets, c.columns, type<T>(), action,
                          cusparseIndexBase_t(base), CUSPARSE_CSR2CSC_ALG1, buffer.data()));
    compareInts(c.offsets.raw(), expected.offsets, "Csr2cscEx2's offsets");
    compareInts(c.columns.raw(), expected.columns, "Csr2cscEx2's indices");
    if (action == CUSPARSE_ACTION_NUMERIC)
      compare(c.values, expected.values, "Csr2cscEx2");
  }
}

void testIndices(int base) {
  const Full a = sparseFull<float>(7, 9, 1);
  const Csr<float> m(a, base);
  const Array<int> rows(m.nnz), offsets(8);
  OK(cusparseXcsr2coo(handle, m.offsets, m.nnz, 7, rows, cusparseIndexBase_t(base)));
  auto expected = rows.raw();
  for (int i = 0; i < 7; ++i)
    for (int p = m.offsets[i] - base; p < m.offsets[i + 1] - base; ++p)
      CHECK_EQ(expected[p], i + base);
  OK(cusparseXcoo2csr(handle, rows, m.nnz, 7, offsets, cusparseIndexBase_t(base)));
  compareInts(offsets.raw(), m.offsets.raw(), "Xcoo2csr");

  // Sorted by column, then by row again.
  const Array<int> r(rows.raw()), c(m.columns.raw()), p(m.nnz);
  size_t size;
  OK(cusparseCreateIdentityPermutation(handle, m.nnz, p));
  OK(cusparseXcoosort_bufferSizeExt(handle, 7, 9, m.nnz, r, c, &size));
  const Array<char> buffer(size);
  OK(cusparseXcoosortByColumn(handle, 7, 9, m.nnz, r, c, p, buffer.data()));
  const auto by_columns = c.raw(), order = p.raw();
  CHECK(std::is_sorted(by_columns.begin(), by_columns.end()));
  for (int k = 0; k < m.nnz; ++k)
    CHECK(by_columns[k] == m.columns[order[k]] && r[k] == rows[order[k]]);
  OK(cusparseXcoosortByRow(handle, 7, 9, m.nnz, r, c, p, buffer.data()));
  compareInts(r.raw(), rows.raw(), "XcoosortByRow's rows");
  compareInts(c.raw(), m.columns.raw(), "XcoosortByRow's columns");
  for (int k = 0; k < m.nnz; ++k)
    CHECK_EQ(p[k], k);

  // Rows (or columns) backwards, then sorted.
  const MatDescr descr(base);
  for (const bool csc : {false, true}) {
    const Array<int> columns(m.columns.raw());
    for (int i = 0; i < 7; ++i)
      std::reverse(columns + m.offsets[i] - base, columns + m.offsets[i + 1] - base);
    const auto unsorted = columns.raw();
    OK(cusparseCreateIdentityPermutation(handle, m.nnz, p));
    OK((csc ? cusparseXcscsort_bufferSizeExt : cusparseXcsrsort_bufferSizeExt)(
        handle, csc ? 9 : 7, csc ? 7 : 9, m.nnz, m.offsets, columns, &size));
    const Array<char> space(size);
    if (csc)
      OK(cusparseXcscsort(handle, 9, 7, m.nnz, descr, m.offsets, columns, p, space.data()));
    else
      OK(cusparseXcsrsort(handle, 7, 9, m.nnz, descr, m.offsets, columns, p, space.data()));
    compareInts(columns.raw(), m.columns.raw(), "Xcsrsort");
    for (int k = 0; k < m.nnz; ++k)
      CHECK_EQ(unsorted[p[k]], columns[k]);
  }
}

template <typename T> void testType(bool device) {
  testGemvi<T>(device);
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  testFactors<T>(0);
  testFactors<T>(1);
  testPivots<T>();
  testBands<T>();
  testSum<T>(device);
  testCounts<T>(device);
  testUnsorted<T>();
  testColour<T>();
  testTranspose<T>(0);
  testTranspose<T>(1);
}

} // namespace

int main() {
  OK(cusparseCreate(&handle));
  testType<float>(true);
  testType<double>(false);
  testType<cuComplex>(false);
  testType<cuDoubleComplex>(true);
  testTranspose<__half>(0);
  testTranspose<signed char>(1);
  testPrune<float>(false);
  testPrune<double>(true);
  testPrune<__half>(false);
  testIndices(0);
  testIndices(1);
  OK(cusparseDestroy(handle));
  RETURN_RESULT();
}
