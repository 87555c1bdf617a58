// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusparse
//
// cuSPARSE's functions of one type each for matrices of blocks: products, triangular systems,
// factorisations and conversions.
#include "sparse_check.h"

using namespace sparse;

namespace {

cusparseHandle_t handle;
constexpr auto no_level = CUSPARSE_SOLVE_POLICY_NO_LEVEL;

template <typename T> struct Api;
#define F(P, NAME) static constexpr auto NAME = cusparse##P##NAME
#define API(P, T)                                                                                  \
  template <> struct Api<T> {                                                                      \
    F(P, bsrmv);                                                                                   \
    F(P, bsrxmv);                                                                                  \
    F(P, bsrmm);                                                                                   \
    F(P, bsrsv2_bufferSize);                                                                       \
    F(P, bsrsv2_bufferSizeExt);                                                                    \
    F(P, bsrsv2_analysis);                                                                         \
    F(P, bsrsv2_solve);                                                                            \
    F(P, bsrsm2_bufferSize);                                                                       \
    F(P, bsrsm2_bufferSizeExt);                                                                    \
    F(P, bsrsm2_analysis);                                                                         \
    F(P, bsrsm2_solve);                                                                            \
    F(P, bsrilu02_numericBoost);                                                                   \
    F(P, bsrilu02_bufferSize);                                                                     \
    F(P, bsrilu02_bufferSizeExt);                                                                  \
    F(P, bsrilu02_analysis);                                                                       \
    F(P, bsrilu02);                                                                                \
    F(P, bsric02_bufferSize);                                                                      \
    F(P, bsric02_bufferSizeExt);                                                                   \
    F(P, bsric02_analysis);                                                                        \
    F(P, bsric02);                                                                                 \
    F(P, csr2bsr);                                                                                 \
    F(P, bsr2csr);                                                                                 \
    F(P, gebsr2gebsc_bufferSize);                                                                  \
    F(P, gebsr2gebsc_bufferSizeExt);                                                               \
    F(P, gebsr2gebsc);                                                                             \
    F(P, gebsr2csr);                                                                               \
    F(P, csr2gebsr_bufferSize);                                                                    \
    F(P, csr2gebsr_bufferSizeExt);                                                                 \
    F(P, csr2gebsr);                                                                               \
    F(P, gebsr2gebsr_bufferSize);                                                                  \
    F(P, gebsr2gebsr_bufferSizeExt);                                                               \
    F(P, gebsr2gebsr);                                                                             \
  };
API(S, float)
API(D, double)
API(C, cuComplex)
API(Z, cuDoubleComplex)

/// A matrix of blocks in memory.
template <typename T> struct Bsr {
  Blocks<T> host;
  int base, count;
  Array<int> offsets, columns;
  Array<T> values;
  cusparseDirection_t dir;
  Bsr(const Full &a, int rb, int cb, cusparseDirection_t dir, int base)
      : host(a, rb, cb, dir == CUSPARSE_DIRECTION_ROW, base), base(base), count(host.count),
        offsets(host.host_offsets), columns(host.host_columns), values(host.host_values), dir(dir) {
  }
  Full full() const {
    Full a(host.block_rows * host.row_block, host.block_cols * host.col_block);
    const auto all = values.read();
    for (int i = 0; i < host.block_rows; ++i)
      for (int p = offsets[i] - base; p < offsets[i + 1] - base; ++p)
        for (int r = 0; r < host.row_block; ++r)
          for (int c = 0; c < host.col_block; ++c)
            a(i * host.row_block + r, (columns[p] - base) * host.col_block + c) =
                all[p * host.row_block * host.col_block + (dir == CUSPARSE_DIRECTION_ROW
                                                               ? r * host.col_block + c
                                                               : c * host.row_block + r)];
    return a;
  }
};
#define ARRAYS(m) m.values, m.offsets, m.columns

template <typename T> void testProducts(cusparseDirection_t dir, int base, bool device) {
  const Full a = sparseFull<T>(6, 9, 1), x = denseFull<T>(9, 1, 2), y = denseFull<T>(6, 1, 3);
  const Bsr<T> m(a, 3, 3, dir, base);
  const MatDescr descr(base);
  const Scalars<T> s(handle, device);
  const Array<T> vx(x.at_), vy(y.at_);
  OK(Api<T>::bsrmv(handle, dir, N, 2, 3, m.count, s.alpha, descr, ARRAYS(m), 3, vx, s.beta, vy));
  const Full once = sum(s.al, product(a, x), s.be, y);
  compare(vy, once.at_, "bsrmv");
  // Only the second row of blocks, and of it only the first block.
  const Array<int> mask(std::vector<int>{1 + base}),
      ends(std::vector<int>{m.offsets[1], m.offsets[1] + 1});
  OK(Api<T>::bsrxmv(handle, dir, N, 1, 2, 3, m.count, s.alpha, descr, m.values, mask, m.offsets,
                    ends, m.columns, 3, vx, s.beta, vy));
  Full part(6, 9);
  const int column = m.columns[m.offsets[1] - base] - base;
  for (int i = 3; i < 6; ++i)
    for (int j = 0; j < 3; ++j)
      part(i, column * 3 + j) = a(i, column * 3 + j);
  Full masked = sum(s.al, product(part, x), s.be, once);
  for (int i = 0; i < 3; ++i)
    masked(i, 0) = once(i, 0);
  compare(vy, masked.at_, "bsrxmv");
  for (const auto op : {N, T_}) {
    const Full b = denseFull<T>(9, 4, 5), c = denseFull<T>(6, 4, 6);
    const Array<T> vb((op == N ? b : transposed(b, op)).at_), vc(c.at_);
    OK(Api<T>::bsrmm(handle, dir, N, op, 2, 4, 3, m.count, s.alpha, descr, ARRAYS(m), 3, vb,
                     op == N ? 9 : 4, s.beta, vc, 6));
    compare(vc, sum(s.al, product(a, b), s.be, c).at_, "bsrmm");
  }
}

template <typename T> void testSolves(cusparseDirection_t dir, int base, bool device) {
  const int n = 8;
  const Full a = dominantFull<T>(n, 1);
  const Bsr<T> m(a, 2, 2, dir, base);
  for (const auto op : {N, T_})
    for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
      const MatDescr descr(base);
      OK(cusparseSetMatFillMode(descr, fill));
      OK(cusparseSetMatDiagType(descr, CUSPARSE_DIAG_TYPE_NON_UNIT));
      Full t = a;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (fill == CUSPARSE_FILL_MODE_LOWER ? j > i : j < i)
            t(i, j) = 0;
      const Full b = denseFull<T>(n, 3, 3);
      const Scalars<T> s(handle, device);
      Array<int> pivot(1);
      int size;
      size_t bytes;
      bsrsv2Info_t sv;
      OK(cusparseCreateBsrsv2Info(&sv));
      OK(Api<T>::bsrsv2_bufferSize(handle, dir, op, 4, m.count, descr, ARRAYS(m), 2, sv, &size));
      OK(Api<T>::bsrsv2_bufferSizeExt(handle, dir, op, 4, m.count, descr, ARRAYS(m), 2, sv,
                                      &bytes));
      const Array<char> buffer(std::max<size_t>(size, bytes));
      const Array<T> vb(b.at_), vx(n);
      OK(Api<T>::bsrsv2_analysis(handle, dir, op, 4, m.count, descr, ARRAYS(m), 2, sv, no_level,
                                 buffer.data()));
      OK(Api<T>::bsrsv2_solve(handle, dir, op, 4, m.count, s.alpha, descr, ARRAYS(m), 2, sv, vb, vx,
                              no_level, buffer.data()));
      OK(cusparseXbsrsv2_zeroPivot(handle, sv, pivot));
      compareInts(pivot.raw(), {-1}, "bsrsv2's pivot");
      Full x(n, 1), b0(n, 1);
      x.at_ = vx.read();
      b0.at_.assign(b.at_.begin(), b.at_.begin() + n);
      compareAt(product(transposed(t, op), x).at_, sum(s.al, b0, 0, b0).at_, tolerance<T>() * 10,
                "bsrsv2");
      OK(cusparseDestroyBsrsv2Info(sv));
      for (const auto op_x : {N, T_}) {
        bsrsm2Info_t sm;
        const int ld = op_x == N ? n : 3;
        const Array<T> vbs((op_x == N ? b : transposed(b, T_)).at_), vxs(n * 3);
        OK(cusparseCreateBsrsm2Info(&sm));
        OK(Api<T>::bsrsm2_bufferSize(handle, dir, op, op_x, 4, 3, m.count, descr, ARRAYS(m), 2, sm,
                                     &size));
        OK(Api<T>::bsrsm2_bufferSizeExt(handle, dir, op, op_x, 4, 3, m.count, descr, ARRAYS(m), 2,
                                        sm, &bytes));
        const Array<char> space(std::max<size_t>(size, bytes));
        OK(Api<T>::bsrsm2_analysis(handle, dir, op, op_x, 4, 3, m.count, descr, ARRAYS(m), 2, sm,
                                   no_level, space.data()));
        OK(Api<T>::bsrsm2_solve(handle, dir, op, op_x, 4, 3, m.count, s.alpha, descr, ARRAYS(m), 2,
                                sm, vbs, ld, vxs, ld, no_level, space.data()));
        OK(cusparseXbsrsm2_zeroPivot(handle, sm, pivot));
        compareInts(pivot.raw(), {-1}, "bsrsm2's pivot");
        Full xs(op_x == N ? n : 3, op_x == N ? 3 : n);
        xs.at_ = vxs.read();
        compareAt(product(transposed(t, op), transposed(xs, op_x)).at_, sum(s.al, b, 0, b).at_,
                  tolerance<T>() * 10, "bsrsm2");
        OK(cusparseDestroyBsrsm2Info(sm));
      }
    }
}

/// Blocks' factors are those of the elements, where blocks are.
template <typename T> void testFactors(cusparseDirection_t dir, int base) {
  const int n = 12;
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  const MatDescr descr(base);
  int size, pivot = 7;
  size_t bytes;
  for (const bool cholesky : {false, true}) {
    Full a = dominantFull<T>(n, 1, cholesky);
    for (int i = 0; i < n; ++i) // leave blocks out
      for (int j = 0; j < n; ++j)
        if (i / 3 != j / 3 && (i / 3 + j / 3) % 3 == 1)
          a(i, j) = 0;
    const Bsr<T> m(a, 3, 3, dir, base);
    if (cholesky) {
      bsric02Info_t info;
      OK(cusparseCreateBsric02Info(&info));
      OK(Api<T>::bsric02_bufferSize(handle, dir, 4, m.count, descr, ARRAYS(m), 3, info, &size));
      OK(Api<T>::bsric02_bufferSizeExt(handle, dir, 4, m.count, descr, ARRAYS(m), 3, info, &bytes));
      const Array<char> buffer(std::max<size_t>(size, bytes));
      OK(Api<T>::bsric02_analysis(handle, dir, 4, m.count, descr, ARRAYS(m), 3, info, no_level,
                                  buffer.data()));
      OK(Api<T>::bsric02(handle, dir, 4, m.count, descr, ARRAYS(m), 3, info, no_level,
                         buffer.data()));
      OK(cusparseXbsric02_zeroPivot(handle, info, &pivot));
      OK(cusparseDestroyBsric02Info(info));
    } else {
      bsrilu02Info_t info;
      double tol = 1e-20;
      T boost = make<T>(1);
      OK(cusparseCreateBsrilu02Info(&info));
      OK(Api<T>::bsrilu02_numericBoost(handle, info, 1, &tol, &boost));
      OK(Api<T>::bsrilu02_bufferSize(handle, dir, 4, m.count, descr, ARRAYS(m), 3, info, &size));
      OK(Api<T>::bsrilu02_bufferSizeExt(handle, dir, 4, m.count, descr, ARRAYS(m), 3, info,
                                        &bytes));
      const Array<char> buffer(std::max<size_t>(size, bytes));
      OK(Api<T>::bsrilu02_analysis(handle, dir, 4, m.count, descr, ARRAYS(m), 3, info, no_level,
                                   buffer.data()));
      OK(Api<T>::bsrilu02(handle, dir, 4, m.count, descr, ARRAYS(m), 3, info, no_level,
                          buffer.data()));
      OK(cusparseXbsrilu02_zeroPivot(handle, info, &pivot));
      OK(cusparseDestroyBsrilu02Info(info));
    }
    CHECK_EQ(pivot, -1);
    const Full f = m.full();
    Full l(n, n), u(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (cholesky) {
          l(i, j) = i >= j ? f(i, j) : 0;
          u(j, i) = std::conj(l(i, j));
        } else
          (i > j ? l : u)(i, j) = f(i, j);
    for (int i = 0; !cholesky && i < n; ++i)
      l(i, i) = 1;
    Full lu = product(l, u);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i / 3 != j / 3 && (i / 3 + j / 3) % 3 == 1)
          lu(i, j) = 0;
    compareAt(lu.at_, a.at_, tolerance<T>(), cholesky ? "bsric02" : "bsrilu02");
  }
}

template <typename T> void checkBlocks(const Bsr<T> &actual, const Full &a, const char *what) {
  const Bsr<T> expected(a, actual.host.row_block, actual.host.col_block, actual.dir, actual.base);
  compareInts(actual.offsets.raw(), expected.offsets.raw(), what);
  compareInts(actual.columns.raw(), expected.columns.raw(), what);
  compareAt(actual.values.read(), expected.host.host_values, 0, what);
}
/// Zeros in the shape of a matrix's blocks, but for the indices.
template <typename T>
Bsr<T> emptied(const Full &a, int rb, int cb, cusparseDirection_t dir, int base) {
  Bsr<T> m(a, rb, cb, dir, base);
  std::fill_n(m.offsets.data(), m.offsets.size(), 0);
  std::fill_n(m.columns.data(), m.columns.size(), 0);
  std::fill_n(m.values.data(), m.values.size(), make<T>(0));
  return m;
}

template <typename T> void testConversions(cusparseDirection_t dir, bool device) {
  // 7 by 9: the last blocks stand out.
  const Full a = sparseFull<T>(7, 9, 1);
  const Csr<T> rows(a, 0);
  const MatDescr from(0), to(1);
  OK(cusparseSetPointerMode(handle,
                            device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  const Array<int> total(1);
  auto bsr = emptied<T>(a, 2, 2, dir, 1);
  OK(cusparseXcsr2bsrNnz(handle, dir, 7, 9, from, rows.offsets, rows.columns, 2, to, bsr.offsets,
                         total));
  compareInts(total.raw(), {bsr.count}, "Xcsr2bsrNnz");
  OK(Api<T>::csr2bsr(handle, dir, 7, 9, from, ARRAYS(rows), 2, to, ARRAYS(bsr)));
  checkBlocks(bsr, a, "csr2bsr");

  // Back: all elements of blocks, zeros too.
  Full padded(8, 10);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 9; ++j)
      padded(i, j) = a(i, j);
  const Csr<T> back(8, 10, bsr.count * 4, 0);
  OK(Api<T>::bsr2csr(handle, dir, 4, 5, to, ARRAYS(bsr), 2, from, ARRAYS(back)));
  compareAt(back.full().at_, padded.at_, 0, "bsr2csr");
  CHECK_EQ(back.offsets[8], bsr.count * 4);
}

/// From general blocks to others, which hold all elements of the blocks before, zeros too; and to
/// the transposed order of blocks.
template <typename T>
void testFromGeneral(const Full &a, const Bsr<T> &ge, const MatDescr &to, const MatDescr &from) {
  const auto dir = ge.dir;
  const Array<int> total(1);
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  int size;
  size_t bytes;
  Full all(8, 9);
  for (int i = 0; i < 8; ++i)
    for (int p = ge.offsets[i / 2] - 1; p < ge.offsets[i / 2 + 1] - 1; ++p)
      for (int c = 0; c < 3; ++c)
        all(i, (ge.columns[p] - 1) * 3 + c) = 1;
  auto other = emptied<T>(all, 3, 2, dir, 0);
  OK(Api<T>::gebsr2gebsr_bufferSize(handle, dir, 4, 3, ge.count, to, ARRAYS(ge), 2, 3, 3, 2,
                                    &size));
  OK(Api<T>::gebsr2gebsr_bufferSizeExt(handle, dir, 4, 3, ge.count, to, ARRAYS(ge), 2, 3, 3, 2,
                                       &bytes));
  const Array<char> space(std::max<size_t>(size, bytes));
  OK(cusparseXgebsr2gebsrNnz(handle, dir, 4, 3, ge.count, to, ge.offsets, ge.columns, 2, 3, from,
                             other.offsets, 3, 2, total, space.data()));
  compareInts(total.raw(), {other.count}, "Xgebsr2gebsrNnz");
  OK(Api<T>::gebsr2gebsr(handle, dir, 4, 3, ge.count, to, ARRAYS(ge), 2, 3, from, ARRAYS(other), 3,
                         2, space.data()));
  const Full made = other.full();
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 9; ++j)
      CHECK(made(i, j) == a(i, j));

  // The transposed order of blocks; blocks stay as they are.
  OK(Api<T>::gebsr2gebsc_bufferSize(handle, 4, 3, ge.count, ARRAYS(ge), 2, 3, &size));
  OK(Api<T>::gebsr2gebsc_bufferSizeExt(handle, 4, 3, ge.count, ARRAYS(ge), 2, 3, &bytes));
  const Array<char> work(std::max<size_t>(size, bytes));
  const Array<int> offsets(4), indices(ge.count);
  const Array<T> values(ge.count * 6);
  OK(Api<T>::gebsr2gebsc(handle, 4, 3, ge.count, ARRAYS(ge), 2, 3, values, indices, offsets,
                         CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ONE, work.data()));
  const auto moved = values.read(), original = ge.values.read();
  CHECK_EQ(offsets[3], ge.count + 1);
  for (int j = 0; j < 3; ++j)
    for (int p = offsets[j] - 1; p < offsets[j + 1] - 1; ++p) {
      const int i = indices[p] - 1;
      int at = ge.offsets[i] - 1;
      while (ge.columns[at] - 1 != j)
        ++at;
      for (int k = 0; k < 6; ++k)
        CHECK(moved[p * 6 + k] == original[at * 6 + k]);
    }
}

template <typename T> void testGeneralConversions(cusparseDirection_t dir, bool device) {
  const Full a = sparseFull<T>(7, 9, 1);
  const Csr<T> rows(a, 0);
  const MatDescr from(0), to(1);
  OK(cusparseSetPointerMode(handle,
                            device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  const Array<int> total(1);
  int size;
  size_t bytes;
  auto ge = emptied<T>(a, 2, 3, dir, 1);
  OK(Api<T>::csr2gebsr_bufferSize(handle, dir, 7, 9, from, ARRAYS(rows), 2, 3, &size));
  OK(Api<T>::csr2gebsr_bufferSizeExt(handle, dir, 7, 9, from, ARRAYS(rows), 2, 3, &bytes));
  const Array<char> buffer(std::max<size_t>(size, bytes));
  OK(cusparseXcsr2gebsrNnz(handle, dir, 7, 9, from, rows.offsets, rows.columns, to, ge.offsets, 2,
                           3, total, buffer.data()));
  compareInts(total.raw(), {ge.count}, "Xcsr2gebsrNnz");
  OK(Api<T>::csr2gebsr(handle, dir, 7, 9, from, ARRAYS(rows), to, ARRAYS(ge), 2, 3, buffer.data()));
  checkBlocks(ge, a, "csr2gebsr");
  const Csr<T> again(8, 9, ge.count * 6, 0);
  OK(Api<T>::gebsr2csr(handle, dir, 4, 3, to, ARRAYS(ge), 2, 3, from, ARRAYS(again)));
  Full taller(8, 9);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 9; ++j)
      taller(i, j) = a(i, j);
  compareAt(again.full().at_, taller.at_, 0, "gebsr2csr");
#ifdef __HEDDLE_CUSPARSE_TYPES_H__ // NVIDIA's library declares it and exports it in some versions
                                   // only
  const Csr<T> pattern(8, 9, ge.count * 6, 0);
  OK(cusparseXgebsr2csr(handle, dir, 4, 3, to, ge.offsets, ge.columns, 2, 3, from, pattern.offsets,
                        pattern.columns));
  compareInts(pattern.columns.raw(), again.columns.raw(), "Xgebsr2csr");
  compareInts(pattern.offsets.raw(), again.offsets.raw(), "Xgebsr2csr's offsets");
#endif

  testFromGeneral(a, ge, to, from);
}

template <typename T> void testType(bool device) {
  for (const auto dir : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN}) {
    const int base = dir == CUSPARSE_DIRECTION_ROW;
    testProducts<T>(dir, base, device);
    testSolves<T>(dir, base, device);
    testFactors<T>(dir, base);
    testConversions<T>(dir, device);
    testGeneralConversions<T>(dir, device);
  }
}

} // namespace

int main() {
  OK(cusparseCreate(&handle));
  testType<float>(true);
  testType<double>(false);
  testType<cuComplex>(false);
  testType<cuDoubleComplex>(true);
  OK(cusparseDestroy(handle));
  RETURN_RESULT();
}
