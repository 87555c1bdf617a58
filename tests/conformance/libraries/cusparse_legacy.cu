// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusparse
// hardware: skip CUDA 12 has no longer these functions
//
// cuSPARSE's functions that CUDA 9 to 11 had: csrmv, csrmm, csrsv2, csrsm2, csrgemm, csrgemm2,
// csrgeam, conversions to and from dense matrices, vectors.
#include "sparse_check.h"

using namespace sparse;

namespace {

cusparseHandle_t handle;
constexpr auto no_level = CUSPARSE_SOLVE_POLICY_NO_LEVEL;

template <typename T> struct Api;
#define F(P, NAME) static constexpr auto NAME = cusparse##P##NAME
#define API(P, T)                                                                                  \
  template <> struct Api<T> {                                                                      \
    F(P, axpyi);                                                                                   \
    F(P, doti);                                                                                    \
    F(P, gthr);                                                                                    \
    F(P, gthrz);                                                                                   \
    F(P, sctr);                                                                                    \
    F(P, csrmv);                                                                                   \
    F(P, csrmv_mp);                                                                                \
    F(P, csrmm);                                                                                   \
    F(P, csrmm2);                                                                                  \
    F(P, gemmi);                                                                                   \
    F(P, csrsv2_bufferSize);                                                                       \
    F(P, csrsv2_bufferSizeExt);                                                                    \
    F(P, csrsv2_analysis);                                                                         \
    F(P, csrsv2_solve);                                                                            \
    F(P, csrsm2_bufferSizeExt);                                                                    \
    F(P, csrsm2_analysis);                                                                         \
    F(P, csrsm2_solve);                                                                            \
    F(P, csrgemm);                                                                                 \
    F(P, csrgemm2_bufferSizeExt);                                                                  \
    F(P, csrgemm2);                                                                                \
    F(P, csrgeam);                                                                                 \
    F(P, csr2csc);                                                                                 \
    F(P, dense2csr);                                                                               \
    F(P, dense2csc);                                                                               \
    F(P, csr2dense);                                                                               \
    F(P, csc2dense);                                                                               \
    F(P, gtsv);                                                                                    \
    F(P, gtsv_nopivot);                                                                            \
    F(P, gtsvStridedBatch);                                                                        \
  };
API(S, float)
API(D, double)
API(C, cuComplex)
API(Z, cuDoubleComplex)
#define ARRAYS(m) m.values, m.offsets, m.columns

template <typename T> void testProducts(bool device, int base) {
  const Full a = sparseFull<T>(7, 9, 1);
  const Csr<T> m(a, base);
  const MatDescr descr(base);
  const Scalars<T> s(handle, device);
  for (const auto op : {N, T_, C_}) {
    const Full t = transposed(a, op), x = denseFull<T>(t.cols, 1, 2),
               y = denseFull<T>(t.rows, 1, 3);
    for (const auto function : {Api<T>::csrmv, Api<T>::csrmv_mp}) {
      const Array<T> vx(x.at_), vy(y.at_);
      OK(function(handle, op, 7, 9, m.nnz, s.alpha, descr, ARRAYS(m), vx, s.beta, vy));
      compare(vy, sum(s.al, product(t, x), s.be, y).at_, "csrmv");
    }
    {
      const Array<T> vx(x.at_), vy(y.at_);
      size_t size;
#define EX                                                                                         \
  handle, CUSPARSE_ALG_MERGE_PATH, op, 7, 9, m.nnz, s.alpha, type<T>(), descr, m.values.data(),    \
      type<T>(), m.offsets, m.columns, vx.data(), type<T>(), s.beta, type<T>(), vy.data(),         \
      type<T>(), type<T>()
      OK(cusparseCsrmvEx_bufferSize(EX, &size));
      const Array<char> buffer(size);
      OK(cusparseCsrmvEx(EX, buffer.data()));
      compare(vy, sum(s.al, product(t, x), s.be, y).at_, "CsrmvEx");
    }
    const Full b = denseFull<T>(t.cols, 4, 4), c = denseFull<T>(t.rows, 4, 5),
               expected = sum(s.al, product(t, b), s.be, c);
    const Array<T> vb(b.at_), vc(c.at_), vc2(c.at_), vbt(transposed(b, T_).at_);
    OK(Api<T>::csrmm(handle, op, 7, 4, 9, m.nnz, s.alpha, descr, ARRAYS(m), vb, t.cols, s.beta, vc,
                     t.rows));
    compare(vc, expected.at_, "csrmm");
    OK(Api<T>::csrmm2(handle, op, T_, 7, 4, 9, m.nnz, s.alpha, descr, ARRAYS(m), vbt, 4, s.beta,
                      vc2, t.rows));
    compare(vc2, expected.at_, "csrmm2");
  }
  // Dense times sparse by columns.
  const Csr<T> columns(transposed(a, T_), 0);
  const Full b = denseFull<T>(4, 7, 6), c = denseFull<T>(4, 9, 7);
  const Array<T> vb(b.at_), vc(c.at_);
  OK(Api<T>::gemmi(handle, 4, 9, 7, columns.nnz, s.alpha, vb, 4, ARRAYS(columns), s.beta, vc, 4));
  compare(vc, sum(s.al, product(b, a), s.be, c).at_, "gemmi");
  // Of a symmetric or Hermitian matrix, one triangle is read.
  const Full whole = dominantFull<T>(8, 1, true);
  Full lower = whole;
  for (int i = 0; i < 8; ++i)
    for (int j = i + 1; j < 8; ++j)
      lower(i, j) = 7;
  const Csr<T> half(lower, base);
  OK(cusparseSetMatType(descr, isComplex<T>() ? CUSPARSE_MATRIX_TYPE_HERMITIAN
                                              : CUSPARSE_MATRIX_TYPE_SYMMETRIC));
  OK(cusparseSetMatFillMode(descr, CUSPARSE_FILL_MODE_LOWER));
  const Full x = denseFull<T>(8, 1, 2), y = denseFull<T>(8, 1, 3);
  const Array<T> vx(x.at_), vy(y.at_);
  OK(Api<T>::csrmv(handle, N, 8, 8, half.nnz, s.alpha, descr, ARRAYS(half), vx, s.beta, vy));
  compare(vy, sum(s.al, product(whole, x), s.be, y).at_, "csrmv of a symmetric matrix");
}

template <typename T> void testSolves(bool device, int base) {
  const int n = 9;
  const Full a = dominantFull<T>(n, 1), b = denseFull<T>(n, 3, 2);
  const Csr<T> m(a, base);
  const Scalars<T> s(handle, device);
  Array<int> pivot(1);
  for (const auto op : {N, T_, C_})
    for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
      const MatDescr descr(base);
      OK(cusparseSetMatFillMode(descr, fill));
      Full t = a;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (fill == CUSPARSE_FILL_MODE_LOWER ? j > i : j < i)
            t(i, j) = 0;
      const Full system = transposed(t, op);
      csrsv2Info_t sv;
      int size;
      size_t bytes;
      OK(cusparseCreateCsrsv2Info(&sv));
      OK(Api<T>::csrsv2_bufferSize(handle, op, n, m.nnz, descr, ARRAYS(m), sv, &size));
      OK(Api<T>::csrsv2_bufferSizeExt(handle, op, n, m.nnz, descr, ARRAYS(m), sv, &bytes));
      const Array<char> buffer(std::max<size_t>(size, bytes));
      const Array<T> vb(b.at_), vx(n);
      OK(Api<T>::csrsv2_analysis(handle, op, n, m.nnz, descr, ARRAYS(m), sv, no_level,
                                 buffer.data()));
      OK(Api<T>::csrsv2_solve(handle, op, n, m.nnz, s.alpha, descr, ARRAYS(m), sv, vb, vx, no_level,
                              buffer.data()));
      OK(cusparseXcsrsv2_zeroPivot(handle, sv, pivot));
      compareInts(pivot.raw(), {-1}, "csrsv2's pivot");
      Full x(n, 1), b0(n, 1);
      x.at_ = vx.read();
      b0.at_.assign(b.at_.begin(), b.at_.begin() + n);
      compareAt(product(system, x).at_, sum(s.al, b0, 0, b0).at_, tolerance<T>() * 10, "csrsv2");
      OK(cusparseDestroyCsrsv2Info(sv));
      for (const auto op_b : {N, T_}) {
        csrsm2Info_t sm;
        OK(cusparseCreateCsrsm2Info(&sm));
        const Array<T> vbs((op_b == N ? b : transposed(b, T_)).at_);
        const int ld = op_b == N ? n : 3;
        OK(Api<T>::csrsm2_bufferSizeExt(handle, 0, op, op_b, n, 3, m.nnz, s.alpha, descr, ARRAYS(m),
                                        vbs, ld, sm, no_level, &bytes));
        const Array<char> space(bytes);
        OK(Api<T>::csrsm2_analysis(handle, 0, op, op_b, n, 3, m.nnz, s.alpha, descr, ARRAYS(m), vbs,
                                   ld, sm, no_level, space.data()));
        OK(Api<T>::csrsm2_solve(handle, 0, op, op_b, n, 3, m.nnz, s.alpha, descr, ARRAYS(m), vbs,
                                ld, sm, no_level, space.data()));
        OK(cusparseXcsrsm2_zeroPivot(handle, sm, pivot));
        compareInts(pivot.raw(), {-1}, "csrsm2's pivot");
        Full xs(op_b == N ? n : 3, op_b == N ? 3 : n);
        xs.at_ = vbs.read();
        compareAt(product(system, transposed(xs, op_b)).at_, sum(s.al, b, 0, b).at_,
                  tolerance<T>() * 10, "csrsm2");
        OK(cusparseDestroyCsrsm2Info(sm));
      }
    }
}

template <typename T> void testSparseProducts(bool device) {
  const Full a = sparseFull<T>(7, 6, 1), b = sparseFull<T>(6, 8, 2), d = sparseFull<T>(7, 8, 3);
  const Csr<T> cb(b, 1), cd(d, 0);
  const MatDescr zero(0), one(1);
  const Scalars<T> s(handle, device);
  Array<int> total(1);
  for (const auto op : {N, T_, C_}) {
    const Csr<T> ca(transposed(a, op), 0);
    const Array<int> offsets(8);
    OK(cusparseXcsrgemmNnz(handle, op, N, 7, 8, 6, zero, ca.nnz, ca.offsets, ca.columns, one,
                           cb.nnz, cb.offsets, cb.columns, one, offsets, total));
    CHECK_CUDA(cudaDeviceSynchronize());
    const Csr<T> c(7, 8, total[0], 1);
    OK(Api<T>::csrgemm(handle, op, N, 7, 8, 6, zero, ca.nnz, ARRAYS(ca), one, cb.nnz, ARRAYS(cb),
                       one, ARRAYS(c)));
    compareAt(c.full().at_, product(a, b).at_, tolerance<T>(), "csrgemm");
    compareInts(c.offsets.raw(), offsets.raw(), "XcsrgemmNnz");
  }
  const Csr<T> ca(a, 0);
  for (int terms = 1; terms < 4; ++terms) {
    const T *alpha = terms & 1 ? s.alpha : nullptr, *beta = terms & 2 ? s.beta : nullptr;
    csrgemm2Info_t info;
    size_t size;
    OK(cusparseCreateCsrgemm2Info(&info));
    OK(Api<T>::csrgemm2_bufferSizeExt(handle, 7, 8, 6, alpha, zero, ca.nnz, ca.offsets, ca.columns,
                                      one, cb.nnz, cb.offsets, cb.columns, beta, zero, cd.nnz,
                                      cd.offsets, cd.columns, info, &size));
    const Array<char> buffer(size);
    const Array<int> offsets(8);
    OK(cusparseXcsrgemm2Nnz(handle, 7, 8, 6, zero, ca.nnz, ca.offsets, ca.columns, one, cb.nnz,
                            cb.offsets, cb.columns, zero, cd.nnz, cd.offsets, cd.columns, one,
                            offsets, total, info, buffer.data()));
    CHECK_CUDA(cudaDeviceSynchronize());
    const Csr<T> c(7, 8, total[0], 1);
    OK(Api<T>::csrgemm2(handle, 7, 8, 6, alpha, zero, ca.nnz, ARRAYS(ca), one, cb.nnz, ARRAYS(cb),
                        beta, zero, cd.nnz, ARRAYS(cd), one, ARRAYS(c), info, buffer.data()));
    compareAt(c.full().at_, sum(alpha ? s.al : 0, product(a, b), beta ? s.be : 0, d).at_,
              tolerance<T>(), "csrgemm2");
    compareInts(c.offsets.raw(), offsets.raw(), "Xcsrgemm2Nnz");
    OK(cusparseDestroyCsrgemm2Info(info));
  }
  const Full e = sparseFull<T>(7, 8, 5);
  const Csr<T> ce(e, 1);
  const Array<int> offsets(8);
  OK(cusparseXcsrgeamNnz(handle, 7, 8, zero, cd.nnz, cd.offsets, cd.columns, one, ce.nnz,
                         ce.offsets, ce.columns, one, offsets, total));
  CHECK_CUDA(cudaDeviceSynchronize());
  const Csr<T> c(7, 8, total[0], 1);
  OK(Api<T>::csrgeam(handle, 7, 8, s.alpha, zero, cd.nnz, ARRAYS(cd), s.beta, one, ce.nnz,
                     ARRAYS(ce), one, ARRAYS(c)));
  compareAt(c.full().at_, sum(s.al, d, s.be, e).at_, tolerance<T>(), "csrgeam");
}

template <typename T> void testDense(int base) {
  const Full a = sparseFull<T>(7, 9, 1);
  const Csr<T> rows(a, base), columns(transposed(a, T_), base);
  const MatDescr descr(base);
  const Array<T> full(a.at_);
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  auto counts = [&](const Csr<T> &m) {
    std::vector<int> n;
    for (int i = 0; i < m.rows; ++i)
      n.push_back(m.offsets[i + 1] - m.offsets[i]);
    return Array<int>(n);
  };
  const Csr<T> made(7, 9, rows.nnz, base), by_columns(9, 7, rows.nnz, base),
      transposes(9, 7, rows.nnz, base);
  OK(Api<T>::dense2csr(handle, 7, 9, descr, full, 7, counts(rows), ARRAYS(made)));
  compareAt(made.full().at_, a.at_, 0, "dense2csr");
  OK(Api<T>::dense2csc(handle, 7, 9, descr, full, 7, counts(columns), by_columns.values,
                       by_columns.columns, by_columns.offsets));
  compareAt(by_columns.full().at_, transposed(a, T_).at_, 0, "dense2csc");
  OK(Api<T>::csr2csc(handle, 7, 9, rows.nnz, ARRAYS(rows), transposes.values, transposes.columns,
                     transposes.offsets, CUSPARSE_ACTION_NUMERIC, cusparseIndexBase_t(base)));
  compareAt(transposes.full().at_, transposed(a, T_).at_, 0, "csr2csc");
  const Array<T> back(denseFull<T>(7, 9, 3).at_), back2(denseFull<T>(7, 9, 3).at_);
  OK(Api<T>::csr2dense(handle, 7, 9, descr, ARRAYS(rows), back, 7));
  compare(back, a.at_, "csr2dense");
  OK(Api<T>::csc2dense(handle, 7, 9, descr, columns.values, columns.columns, columns.offsets, back2,
                       7));
  compare(back2, a.at_, "csc2dense");
}

template <typename T> void testVectors(bool device) {
  const std::vector<int> at{1, 4, 5, 9};
  const auto base = CUSPARSE_INDEX_BASE_ONE;
  const Array<int> indices(at);
  const Full x = denseFull<T>(4, 1, 1), y = denseFull<T>(11, 1, 2);
  const Array<T> vx(x.at_), vy(y.at_), result(1);
  const Scalars<T> s(handle, device);
  auto ex = x.at_, ey = y.at_;
  OK(Api<T>::doti(handle, 4, vx, indices, vy, result, base));
  Number dot = 0, conjugated = 0;
  for (int k = 0; k < 4; ++k) {
    dot += ex[k] * ey[at[k] - 1];
    conjugated += std::conj(ex[k]) * ey[at[k] - 1];
  }
  compare(result, {dot}, "doti");
  if constexpr (isComplex<T>()) {
    if constexpr (std::is_same_v<T, cuComplex>)
      OK(cusparseCdotci(handle, 4, vx, indices, vy, result, base));
    else
      OK(cusparseZdotci(handle, 4, vx, indices, vy, result, base));
    compare(result, {conjugated}, "dotci");
  } else {
    if constexpr (std::is_same_v<T, float>)
      OK(cusparseSroti(handle, 4, vx, indices, vy, s.alpha, s.beta, base));
    else
      OK(cusparseDroti(handle, 4, vx, indices, vy, s.alpha, s.beta, base));
    for (int k = 0; k < 4; ++k) {
      const Number a = ex[k], b = ey[at[k] - 1];
      ex[k] = s.al * a + s.be * b;
      ey[at[k] - 1] = s.al * b - s.be * a;
    }
    compare(vx, ex, "roti's x");
    compare(vy, ey, "roti's y");
  }
  OK(Api<T>::axpyi(handle, 4, s.alpha, vx, indices, vy, base));
  for (int k = 0; k < 4; ++k)
    ey[at[k] - 1] += s.al * ex[k];
  compare(vy, ey, "axpyi");
  OK(Api<T>::gthr(handle, 4, vy, vx, indices, base));
  for (int k = 0; k < 4; ++k)
    ex[k] = ey[at[k] - 1];
  compare(vx, ex, "gthr");
  const Array<T> other(4);
  OK(Api<T>::gthrz(handle, 4, vy, other, indices, base));
  compare(other, ex, "gthrz's x");
  for (const int k : at)
    ey[k - 1] = 0;
  compare(vy, ey, "gthrz's y");
  OK(Api<T>::sctr(handle, 4, vx, indices, vy, base));
  for (int k = 0; k < 4; ++k)
    ey[at[k] - 1] = ex[k];
  compare(vy, ey, "sctr");
}

template <typename T> void testTridiagonal() {
  const int n = 12;
  Full a(n, n);
  std::vector<Number> dl(2 * n), d(2 * n), du(2 * n);
  for (int i = 0; i < n; ++i) {
    dl[i] = i ? numberAt<T>(i) : 0;
    d[i] = 20.0 + i;
    du[i] = i < n - 1 ? numberAt<T>(i + 3) : 0;
    for (auto *v : {&dl, &d, &du})
      (*v)[n + i] = (*v)[i];
    a(i, i) = d[i];
    if (i)
      a(i, i - 1) = dl[i];
    if (i < n - 1)
      a(i, i + 1) = du[i];
  }
  const Array<T> l(dl), m(d), u(du);
  for (int way = 0; way < 3; ++way) {
    const Full b = denseFull<T>(n, 2, 1);
    const Array<T> x(b.at_);
    if (way == 2)
      OK(Api<T>::gtsvStridedBatch(handle, n, l, m, u, x, 2, n));
    else
      OK((way ? Api<T>::gtsv_nopivot : Api<T>::gtsv)(handle, n, 2, l, m, u, x, n));
    Full solved(n, 2);
    solved.at_ = x.read();
    compareAt(product(a, solved).at_, b.at_, tolerance<T>() * 10, "gtsv");
  }
}

template <typename T> void testType(bool device) {
  testProducts<T>(device, device);
  testSolves<T>(device, !device);
  testSparseProducts<T>(device);
  testDense<T>(device);
  testVectors<T>(device);
  testTridiagonal<T>();
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
