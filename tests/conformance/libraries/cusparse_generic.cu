// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusparse
//
// cuSPARSE's generic functions: products in every format, type, operation and index type,
// triangular systems, products of sparse matrices, vectors, dense matrices; against sums written
// out in double.
#include "sparse_formats.h"

using namespace sparse;

namespace {

cusparseHandle_t handle;
constexpr auto B0 = CUSPARSE_INDEX_BASE_ZERO;

template <typename TA, typename TX, typename TY, typename TC>
void testSpMV(Format f, int base, bool wide, bool device) {
  const Full full = sparseFull<TA>(8, 12, 1), a = seen<TA>(full, f);
  const Sparse<TA> sparse(full, f, base, wide);
  for (const auto op : {N, T_, C_}) {
    if (f == ell)
      break; // blocked ELL is for SpMM only
    const bool transposes = takes_all || (f != bsr && f != bsr_col && f != sell);
    if (op != N && !transposes)
      continue;
    const Full m = transposed(a, op), x = denseFull<TX>(m.cols, 1, 3),
               y = denseFull<TY>(m.rows, 1, 5);
    const Array<TX> vx(x.at_);
    const Array<TY> vy(y.at_);
    const DnVec dx(vx), dy(vy);
    const Scalars<TC> s(handle, device);
    size_t size = 0;
    OK(cusparseSpMV_bufferSize(handle, op, s.alpha, sparse.mat, dx, s.beta, dy, type<TC>(),
                               CUSPARSE_SPMV_ALG_DEFAULT, &size));
    const Array<char> buffer(size);
#if CUSPARSE_VERSION >= 12301
    if (f == csr)
      OK(cusparseSpMV_preprocess(handle, op, s.alpha, sparse.mat, dx, s.beta, dy, type<TC>(),
                                 CUSPARSE_SPMV_ALG_DEFAULT, buffer.data()));
#endif
    OK(cusparseSpMV(handle, op, s.alpha, sparse.mat, dx, s.beta, dy, type<TC>(),
                    CUSPARSE_SPMV_ALG_DEFAULT, buffer.data()));
    compare(vy, sum(s.al, product(m, x), s.be, y).at_, "SpMV");
  }
}

template <typename TA, typename TX, typename TY, typename TC> void testSpMVAll() {
  for (int f = csr; f < formats; ++f)
    testSpMV<TA, TX, TY, TC>(Format(f), f % 2, f == coo, f % 3 == 0);
  for (const bool wide : {false, true})
    testSpMV<TA, TX, TY, TC>(csr, 1, wide, wide);
}

template <typename TA, typename TC_, typename TS>
void testSpMM(Format f, int base, bool wide, bool device, int n) {
  const Full full = sparseFull<TA>(8, 12, 2), a = seen<TA>(full, f);
  const Sparse<TA> sparse(full, f, base, wide);
  for (const auto op_a : {N, T_, C_})
    for (const auto op_b : {N, T_, C_})
      for (const bool row_b : {false, true})
        for (const bool row_c : {false, true}) {
          const bool blocks = f == ell || f == bsr || f == bsr_col;
          if (!takes_all &&
              ((blocks && op_a != N) || f == sell || f == csc || op_b == C_ || row_b != row_c))
            continue;
          const Full m = transposed(a, op_a), b = denseFull<TA>(m.cols, n, 4),
                     c = denseFull<TC_>(m.rows, n, 6);
          const DnMat<TA> db(op_b == N ? b : transposed(b, op_b), row_b);
          const DnMat<TC_> dc(c, row_c);
          const Scalars<TS> s(handle, device);
          size_t size = 0;
          OK(cusparseSpMM_bufferSize(handle, op_a, op_b, s.alpha, sparse.mat, db.mat, s.beta,
                                     dc.mat, type<TS>(), CUSPARSE_SPMM_ALG_DEFAULT, &size));
          const Array<char> buffer(size);
          if (f == csr)
            OK(cusparseSpMM_preprocess(handle, op_a, op_b, s.alpha, sparse.mat, db.mat, s.beta,
                                       dc.mat, type<TS>(), CUSPARSE_SPMM_ALG_DEFAULT,
                                       buffer.data()));
          OK(cusparseSpMM(handle, op_a, op_b, s.alpha, sparse.mat, db.mat, s.beta, dc.mat,
                          type<TS>(), CUSPARSE_SPMM_ALG_DEFAULT, buffer.data()));
          dc.compareTo(sum(s.al, product(m, b), s.be, c), "SpMM");
        }
}
template <typename TA, typename TC_, typename TS> void testSpMMAll() {
  for (int f = csr; f < formats; ++f)
    testSpMM<TA, TC_, TS>(Format(f), f % 2, f == csc, f % 2, 3);
  testSpMM<TA, TC_, TS>(csr, 0, false, false, 40);
}

void testBatches() {
  // Two matrices of the same pattern and other values, one right-hand side for both.
  const Full a0 = sparseFull<float>(6, 5, 1), a1 = sum(3, a0, 0, a0), b = denseFull<float>(5, 4, 2),
             none(6, 4);
  const HostCsr h(a0);
  std::vector<Number> both = h.values;
  for (const Number v : h.values)
    both.push_back(3.0 * v);
  const int nnz = int(h.columns.size());
  Array<int> offsets(h.offsets), columns(2 * nnz);
  for (int k = 0; k < 2 * nnz; ++k)
    columns[k] = h.columns[k % nnz];
  const Array<float> values(both), vb(b.at_), vc(2 * 24);
  cusparseSpMatDescr_t mat;
  cusparseDnMatDescr_t mb, mc;
  OK(cusparseCreateCsr(&mat, 6, 5, nnz, offsets.data(), columns.data(), values.data(),
                       CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, B0, CUDA_R_32F));
  OK(cusparseCsrSetStridedBatch(mat, 2, 0, nnz));
  OK(cusparseCreateDnMat(&mb, 5, 4, 5, vb.data(), CUDA_R_32F, CUSPARSE_ORDER_COL));
  OK(cusparseCreateDnMat(&mc, 6, 4, 6, vc.data(), CUDA_R_32F, CUSPARSE_ORDER_COL));
  OK(cusparseDnMatSetStridedBatch(mb, 2, 0));
  OK(cusparseDnMatSetStridedBatch(mc, 2, 24));
  int count = 0;
  int64_t stride = 0;
  OK(cusparseSpMatGetStridedBatch(mat, &count));
  CHECK_EQ(count, 2);
  OK(cusparseDnMatGetStridedBatch(mc, &count, &stride));
  CHECK(count == 2 && stride == 24);
  const Scalars<float> s(handle, false, 1, 0);
  size_t size;
  OK(cusparseSpMM_bufferSize(handle, N, N, s.alpha, mat, mb, s.beta, mc, CUDA_R_32F,
                             CUSPARSE_SPMM_CSR_ALG2, &size));
  const Array<char> buffer(size);
  OK(cusparseSpMM(handle, N, N, s.alpha, mat, mb, s.beta, mc, CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG2,
                  buffer.data()));
  std::vector<Number> expected = product(a0, b).at_;
  for (const Number v : product(a1, b).at_)
    expected.push_back(v);
  compare(vc, expected, "a batch");
  OK(cusparseDestroySpMat(mat));
  OK(cusparseDestroyDnMat(mb));
  OK(cusparseDestroyDnMat(mc));
}

template <typename T> void testSDDMM(Format f, bool device) {
  const Full pattern = sparseFull<T>(8, 12, 1);
  for (const auto op_a : {N, T_})
    for (const auto op_b : {N, T_}) {
      const Sparse<T> c(pattern, f, 1, false);
      const Full a = denseFull<T>(8, 5, 2), b = denseFull<T>(5, 12, 3);
      const DnMat<T> da(transposed(a, op_a), true), db(transposed(b, op_b), true);
      const Scalars<T> s(handle, device);
      size_t size;
      OK(cusparseSDDMM_bufferSize(handle, op_a, op_b, s.alpha, da.mat, db.mat, s.beta, c.mat,
                                  type<T>(), CUSPARSE_SDDMM_ALG_DEFAULT, &size));
      const Array<char> buffer(size);
      OK(cusparseSDDMM_preprocess(handle, op_a, op_b, s.alpha, da.mat, db.mat, s.beta, c.mat,
                                  type<T>(), CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data()));
      OK(cusparseSDDMM(handle, op_a, op_b, s.alpha, da.mat, db.mat, s.beta, c.mat, type<T>(),
                       CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data()));
      // Blocks take the product's elements at places where they hold 0, too.
      const Full full = sum(s.al, product(a, b), s.be, pattern);
      Full marks(8, 12);
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 12; ++j)
          for (int r = 0; r < 8; ++r)
            for (int k = 0; k < 12; ++k)
              if (pattern(r, k) != Number(0) &&
                  (f == bsr ? r / 2 == i / 2 && k / 3 == j / 3 : r == i && k == j))
                marks(i, j) = full(i, j);
      compare(c.values, Sparse<T>::partsOf(marks, f, 1).values, "SDDMM");
    }
}

/// A triangular system op(a) x = alpha b, with the part of a that counts as a full matrix.
template <typename T> struct System {
  static constexpr int n = 9;
  Full full, triangle{n, n}, b = denseFull<T>(n, 3, 4);
  bool unit;
  cusparseOperation_t op;
  Sparse<T> a;
  // The elements are small beside a diagonal of ones, so that solutions stay small.
  System(Format f, cusparseOperation_t op, bool upper, bool unit)
      : full(sum(unit ? 1 / 64.0 : 1, dominantFull<T>(n, 1), 0, Full(n, n))), unit(unit), op(op),
        a(full, f, f == coo, f == coo) {
    auto fill = cusparseFillMode_t(upper);
    auto diagonal = cusparseDiagType_t(unit);
    OK(cusparseSpMatSetAttribute(a.mat, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    OK(cusparseSpMatSetAttribute(a.mat, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i == j)
          triangle(i, j) = unit ? 1 : full(i, j);
        else if (upper == (i < j))
          triangle(i, j) = full(i, j);
  }
  /// The solution times the matrix, whose diagonal may have changed, is a multiple of b.
  void check(const std::vector<Number> &x, Number multiple, double diagonal,
             const char *what) const {
    const int columns = int(x.size()) / n;
    Full m = transposed(triangle, op), solution(n, columns), right(n, columns);
    for (int i = 0; i < n; ++i)
      m(i, i) *= diagonal;
    solution.at_ = x;
    right.at_.assign(b.at_.begin(), b.at_.begin() + n * columns);
    compareAt(product(m, solution).at_, sum(multiple, right, 0, right).at_, tolerance<T>() * 10,
              what);
  }
  /// Twice the values of the matrix.
  Array<T> twice() const {
    Array<T> values(a.values.size());
    for (size_t k = 0; k < values.size(); ++k)
      values[k] = make<T>(2.0 * value(a.values[k]));
    return values;
  }
};

template <typename T> void testSpSV(const System<T> &system, bool updates, const Scalars<T> &s) {
  const Array<T> vb(std::vector<Number>(system.b.at_.begin(), system.b.at_.begin() + system.n)),
      vx(system.n);
  const DnVec b(vb), x(vx);
  cusparseSpSVDescr_t descr;
  size_t size;
#define SYSTEM                                                                                     \
  handle, system.op, s.alpha, system.a.mat, b, x, type<T>(), CUSPARSE_SPSV_ALG_DEFAULT, descr
  OK(cusparseSpSV_createDescr(&descr));
  OK(cusparseSpSV_bufferSize(SYSTEM, &size));
  const Array<char> buffer(size);
  OK(cusparseSpSV_analysis(SYSTEM, buffer.data()));
  OK(cusparseSpSV_solve(SYSTEM));
  system.check(vx.read(), s.al, 1, "SpSV");
  if (updates) { // twice the matrix has half the solution
    const Array<T> values = system.twice();
    OK(cusparseSpSV_updateMatrix(handle, descr, values.data(), CUSPARSE_SPSV_UPDATE_GENERAL));
    OK(cusparseSpSV_solve(SYSTEM));
    system.check(vx.read(), s.al / 2.0, 1, "SpSV after an update");
  }
#undef SYSTEM
  OK(cusparseSpSV_destroyDescr(descr));
}

template <typename T>
void testSpSM(const System<T> &system, bool updates, const Scalars<T> &s,
              cusparseOperation_t op_b) {
  const DnMat<T> b(transposed(system.b, op_b), false), x(Full(system.n, 3), false);
  cusparseSpSMDescr_t descr;
  size_t size;
#define SYSTEM                                                                                     \
  handle, system.op, op_b, s.alpha, system.a.mat, b.mat, x.mat, type<T>(),                         \
      CUSPARSE_SPSM_ALG_DEFAULT, descr
  OK(cusparseSpSM_createDescr(&descr));
  OK(cusparseSpSM_bufferSize(SYSTEM, &size));
  const Array<char> buffer(size);
  OK(cusparseSpSM_analysis(SYSTEM, buffer.data()));
  OK(cusparseSpSM_solve(SYSTEM));
  auto solution = [&] {
    std::vector<Number> all;
    const auto data = x.data.read();
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < system.n; ++i)
        all.push_back(data[x.at(i, j)]);
    return all;
  };
  system.check(solution(), s.al, 1, "SpSM");
#if CUSPARSE_VERSION >= 12301
  if (updates) {
    Array<T> diagonal(system.n);
    for (int i = 0; i < system.n; ++i)
      diagonal[i] = make<T>(system.full(i, i) * 2.0);
    OK(cusparseSpSM_updateMatrix(handle, descr, diagonal.data(), CUSPARSE_SPSM_UPDATE_DIAGONAL));
    OK(cusparseSpSM_solve(SYSTEM));
    system.check(solution(), s.al, 2, "SpSM after an update");
  }
#endif
#undef SYSTEM
  OK(cusparseSpSM_destroyDescr(descr));
}

template <typename T> void testTriangular(Format f, bool device) {
  for (const auto op : {N, T_, C_})
    for (const bool upper : {false, true})
      for (const bool unit : {false, true}) {
        const System<T> system(f, op, upper, unit);
        const Scalars<T> s(handle, device);
        testSpSV(system, f == csr && !unit, s);
        for (const auto op_b : {N, T_})
          testSpSM(system, f == csr && !unit, s, op_b);
      }
}

template <typename T> void testSpGEMM(bool reuse, bool device, int base) {
  const Full a = sparseFull<T>(7, 6, 1), b = sparseFull<T>(6, 8, 2);
  const Sparse<T> sa(a, csr, base, false), sb(b, csr, 0, false);
  const Array<int> offsets(8);
  cusparseSpMatDescr_t sc;
  OK(cusparseCreateCsr(&sc, 7, 8, 0, offsets.data(), nullptr, nullptr, CUSPARSE_INDEX_32I,
                       CUSPARSE_INDEX_32I, B0, type<T>()));
  cusparseSpGEMMDescr_t descr;
  OK(cusparseSpGEMM_createDescr(&descr));
  const Scalars<T> s(handle, device, 2, 0);
  const auto alg = reuse    ? CUSPARSE_SPGEMM_DEFAULT
                   : device ? CUSPARSE_SPGEMM_ALG3
                            : CUSPARSE_SPGEMM_DEFAULT;
  size_t s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0;
  std::vector<Array<char>> buffers;
  auto space = [&](size_t size) { return buffers.emplace_back(size).data(); };
  int64_t products = 0, rows, cols, nnz;
#define GEMM handle, N, N, s.alpha, sa.mat, sb.mat, s.beta, sc, type<T>(), alg, descr
#define REUSE handle, N, N, sa.mat, sb.mat, sc, alg, descr
  if (reuse) {
    OK(cusparseSpGEMMreuse_workEstimation(REUSE, &s1, nullptr));
    OK(cusparseSpGEMMreuse_workEstimation(REUSE, &s1, space(s1)));
    OK(cusparseSpGEMMreuse_nnz(REUSE, &s2, nullptr, &s3, nullptr, &s4, nullptr));
    char *const b2 = space(s2), *const b3 = space(s3), *const b4 = space(s4);
    OK(cusparseSpGEMMreuse_nnz(REUSE, &s2, b2, &s3, b3, &s4, b4));
  } else {
    OK(cusparseSpGEMM_workEstimation(GEMM, &s1, nullptr));
    OK(cusparseSpGEMM_workEstimation(GEMM, &s1, space(s1)));
    if (alg == CUSPARSE_SPGEMM_ALG3) {
      OK(cusparseSpGEMM_getNumProducts(descr, &products));
      int64_t expected = 0;
      for (int i = 0; i < 7; ++i)
        for (int k = 0; k < 6; ++k)
          for (int j = 0; j < 8; ++j)
            expected += a(i, k) != Number(0) && b(k, j) != Number(0);
      CHECK_EQ(products, expected);
      OK(cusparseSpGEMM_estimateMemory(GEMM, 1.0f, &s3, nullptr, nullptr));
      OK(cusparseSpGEMM_estimateMemory(GEMM, 1.0f, &s3, space(s3), &s2));
    } else
      OK(cusparseSpGEMM_compute(GEMM, &s2, nullptr));
    OK(cusparseSpGEMM_compute(GEMM, &s2, space(s2)));
  }
  OK(cusparseSpMatGetSize(sc, &rows, &cols, &nnz));
  Csr<T> c(7, 8, int(nnz), 0);
  OK(cusparseCsrSetPointers(sc, c.offsets.data(), c.columns.data(), c.values.data()));
  if (reuse) {
    OK(cusparseSpGEMMreuse_copy(REUSE, &s5, nullptr));
    OK(cusparseSpGEMMreuse_copy(REUSE, &s5, space(s5)));
    OK(cusparseSpGEMMreuse_compute(GEMM));
    const Full first = c.full();
    compareAt(first.at_, sum(2, product(a, b), 0, first).at_, tolerance<T>(), "SpGEMMreuse");
    CHECK_CUDA(cudaDeviceSynchronize());
    for (size_t k = 0; k < sa.values.size(); ++k)
      sa.values[k] = make<T>(3.0 * value(sa.values[k]));
    OK(cusparseSpGEMMreuse_compute(GEMM));
    compareAt(c.full().at_, sum(6, product(a, b), 0, first).at_, tolerance<T>(),
              "SpGEMMreuse with other values");
  } else {
    OK(cusparseSpGEMM_copy(GEMM));
    const Full first = c.full();
    compareAt(first.at_, sum(2, product(a, b), 0, first).at_, tolerance<T>(), "SpGEMM");
  }
  OK(cusparseSpGEMM_destroyDescr(descr));
  OK(cusparseDestroySpMat(sc));
}

template <typename T, typename TC> void testVectors(bool device) {
  const std::vector<int> at{1, 4, 5, 9};
  const Indices indices(at, device);
  const Full x = denseFull<T>(4, 1, 1), y = denseFull<T>(11, 1, 2);
  const Array<T> vx(x.at_), vy(y.at_);
  cusparseSpVecDescr_t sx;
  OK(cusparseCreateSpVec(&sx, 11, 4, indices.data(), vx.data(), indices.type,
                         CUSPARSE_INDEX_BASE_ONE, type<T>()));
  const DnVec dy(vy);
  const Scalars<TC> s(handle, device);
  auto expected = y.at_;
  size_t size;
  Array<TC> result(1);
  for (const auto op : {N, C_}) {
    OK(cusparseSpVV_bufferSize(handle, op, sx, dy, result.data(), type<TC>(), &size));
    const Array<char> buffer(size);
    OK(cusparseSpVV(handle, op, sx, dy, result.data(), type<TC>(), buffer.data()));
    Number dot = 0;
    for (int k = 0; k < 4; ++k)
      dot += (op == C_ ? std::conj(x.at_[k]) : x.at_[k]) * y.at_[at[k] - 1];
    compare(result, {dot}, "SpVV");
  }
  if constexpr (!std::is_same_v<T, signed char>) {
    OK(cusparseAxpby(handle, s.alpha, sx, s.beta, dy));
    for (Number &v : expected)
      v *= s.be;
    for (int k = 0; k < 4; ++k)
      expected[at[k] - 1] += s.al * x.at_[k];
    compare(vy, expected, "Axpby");
    auto ex = x.at_;
    OK(cusparseRot(handle, s.alpha, s.beta, sx, dy));
    for (int k = 0; k < 4; ++k) {
      const Number a = ex[k], b = expected[at[k] - 1];
      ex[k] = s.al * a + s.be * b;
      expected[at[k] - 1] = s.al * b - s.be * a;
    }
    compare(vx, ex, "Rot x");
    compare(vy, expected, "Rot y");
    OK(cusparseScatter(handle, sx, dy));
    for (int k = 0; k < 4; ++k)
      expected[at[k] - 1] = ex[k];
    compare(vy, expected, "Scatter");
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < 11; ++k)
      vy[k] = make<T>(y.at_[k]);
    OK(cusparseGather(handle, dy, sx));
    for (int k = 0; k < 4; ++k)
      ex[k] = y.at_[at[k] - 1];
    compare(vx, ex, "Gather");
  }
  OK(cusparseDestroySpVec(sx));
}

template <typename T> void testDense(Format f) {
  const Full a = sparseFull<T>(8, 12, 3);
  for (const bool by_row : {false, true}) {
    const DnMat<T> source(a, by_row), target(denseFull<T>(8, 12, 9), by_row);
    Sparse<T> made(a, f, 1, f == coo); // the expected arrays; another descriptor gets its own
    const size_t nnz = made.values.size();
    Indices offsets(std::vector<int>(made.offsets.narrow.size()), f == coo),
        columns(std::vector<int>(nnz), f == coo);
    Array<T> values(nnz);
    cusparseSpMatDescr_t mat;
    const auto base = CUSPARSE_INDEX_BASE_ONE;
    if (f == csr)
      OK(cusparseCreateCsr(&mat, 8, 12, 0, offsets.data(), nullptr, nullptr, offsets.type,
                           columns.type, base, type<T>()));
    else if (f == csc)
      OK(cusparseCreateCsc(&mat, 8, 12, 0, offsets.data(), nullptr, nullptr, offsets.type,
                           columns.type, base, type<T>()));
    else if (f == coo)
      OK(cusparseCreateCoo(&mat, 8, 12, 0, nullptr, nullptr, nullptr, columns.type, base,
                           type<T>()));
    else
      OK(cusparseCreateBlockedEll(&mat, 8, 12, 2, 4, made.columns.data(), values.data(),
                                  columns.type, base, type<T>()));
    size_t size;
    OK(cusparseDenseToSparse_bufferSize(handle, source.mat, mat, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                        &size));
    const Array<char> buffer(size);
    OK(cusparseDenseToSparse_analysis(handle, source.mat, mat, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                      buffer.data()));
    int64_t rows, cols, found;
    OK(cusparseSpMatGetSize(mat, &rows, &cols, &found));
    if (f != ell)
      CHECK_EQ(size_t(found), nnz);
    if (f == csr)
      OK(cusparseCsrSetPointers(mat, offsets.data(), columns.data(), values.data()));
    else if (f == csc)
      OK(cusparseCscSetPointers(mat, offsets.data(), columns.data(), values.data()));
    else if (f == coo)
      OK(cusparseCooSetPointers(mat, offsets.data(), columns.data(), values.data()));
    OK(cusparseDenseToSparse_convert(handle, source.mat, mat, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                     buffer.data()));
    if (f == ell) { // where a block is missing, nothing is stored
      auto expected = made.values.read(), actual = values.read();
      for (size_t k = 0; k < actual.size(); ++k)
        if (expected[k] == Number(99))
          actual[k] = 99;
      compareAt(actual, expected, 0, "DenseToSparse");
    } else {
      compare(values, made.values.read(), "DenseToSparse");
      if (f == coo)
        CHECK(columns.wide.raw() == made.columns.wide.raw() &&
              offsets.wide.raw() == made.offsets.wide.raw());
      else
        CHECK(columns.narrow.raw() == made.columns.narrow.raw() &&
              offsets.narrow.raw() == made.offsets.narrow.raw());
    }
    OK(cusparseSparseToDense_bufferSize(handle, mat, target.mat, CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                        &size));
    const Array<char> space(size);
    OK(cusparseSparseToDense(handle, mat, target.mat, CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                             space.data()));
    target.compareTo(seen<T>(a, f), "SparseToDense");
    OK(cusparseDestroySpMat(mat));
  }
}

template <typename T> void testType(bool device) {
  testSpMVAll<T, T, T, T>();
  testSpMMAll<T, T, T>();
  for (const auto f : {csr, bsr})
    testSDDMM<T>(f, device);
  for (const auto f : {csr, coo, sell})
    testTriangular<T>(f, device);
  testSpGEMM<T>(false, device, 0);
  testSpGEMM<T>(true, device, 1);
  testVectors<T, T>(device);
  for (const auto f : {csr, csc, coo, ell})
    testDense<T>(f);
}

} // namespace

int main() {
  OK(cusparseCreate(&handle));
  testType<float>(true);
  testType<double>(false);
  testType<cuComplex>(false);
  testType<cuDoubleComplex>(true);
  testSpMVAll<__half, __half, __half, float>();
  testSpMVAll<__half, __half, float, float>();
  testSpMVAll<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>();
  testSpMVAll<__nv_bfloat16, __nv_bfloat16, float, float>();
  testSpMVAll<signed char, signed char, int, int>();
  testSpMVAll<signed char, signed char, float, float>();
  testSpMVAll<float, cuComplex, cuComplex, cuComplex>();
  testSpMVAll<double, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>();
  testSpMM<__half, __half, float>(ell, 0, false, false, 3);
  testSpMM<__half, float, float>(csr, 0, false, false, 3);
  testSpMM<__nv_bfloat16, __nv_bfloat16, float>(csr, 1, false, true, 3);
  testSpMM<signed char, int, int>(csr, 0, false, false, 3);
  testVectors<__half, float>(false);
  testVectors<__nv_bfloat16, float>(true);
  testVectors<signed char, int>(false);
  testDense<__half>(csr);
  testBatches();
  OK(cusparseDestroy(handle));
  RETURN_RESULT();
}
