// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusparse
//
// cuSPARSE's generic functions: products in every format, type, operation and index type,
// triangular systems, products of sparse matrices, vectors, dense matrices; against sums written
// out in double.
#include "sparse_check.h"

using namespace sparse;

namespace {

cusparseHandle_t handle;
constexpr auto B0 = CUSPARSE_INDEX_BASE_ZERO;

/// Indices of any type.
struct Indices {
  Array<int> narrow;
  Array<int64_t> wide;
  cusparseIndexType_t type;
  Indices(const std::vector<int> &values, bool is_wide)
      : narrow(values), wide(std::vector<int64_t>(values.begin(), values.end())),
        type(is_wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I) {}
  void *data() const {
    return type == CUSPARSE_INDEX_64I ? static_cast<void *>(wide.data()) : narrow.data();
  }
};

enum Format { csr, csc, coo, bsr, bsr_col, ell, sell, formats };

/// A matrix in one of the formats, with what it is made of.
template <typename T> struct Sparse {
  Indices offsets{{}, false}, columns{{}, false};
  Array<T> values;
  cusparseSpMatDescr_t mat = nullptr;

  static std::vector<int> rowsOf(const HostCsr &h, int base) {
    std::vector<int> rows;
    for (size_t i = 0; i + 1 < h.offsets.size(); ++i)
      rows.insert(rows.end(), h.offsets[i + 1] - h.offsets[i], int(i) + base);
    return rows;
  }
  struct Parts {
    std::vector<int> first, second;
    std::vector<Number> values;
  };
  static Parts partsOf(const Full &a, Format f, int base) {
    if (f == bsr || f == bsr_col) {
      const Blocks<T> b(a, 2, 3, f == bsr, base);
      return {b.host_offsets, b.host_columns, b.host_values};
    }
    if (f == ell)
      return ellParts(a, base);
    if (f == sell)
      return sellParts(a, base);
    const HostCsr h(f == csc ? transposed(a, T_) : a, base);
    return {f == coo ? rowsOf(h, base) : h.offsets, h.columns, h.values};
  }
  // Blocks of 2 by 2, two in each row; the second is missing (-1) in the first row.
  static Parts ellParts(const Full &a, int base) {
    Parts p;
    for (int i = 0; i < a.rows / 2; ++i)
      for (int b = 0; b < 2; ++b)
        p.second.push_back(i == 0 && b == 1 ? -1 : (i + b * 2) % (a.cols / 2) + base);
    for (int i = 0; i < a.rows; ++i)
      for (int b = 0; b < 2; ++b)
        for (int c = 0; c < 2; ++c) {
          const int block = p.second[i / 2 * 2 + b];
          p.values.push_back(block < 0 ? Number(99) : a(i, (block - base) * 2 + c));
        }
    return p;
  }
  // Slices of 4 rows.
  static Parts sellParts(const Full &a, int base) {
    const HostCsr h(a, 0);
    Parts p;
    p.first.push_back(base);
    for (int s = 0; s < (a.rows + 3) / 4; ++s) {
      int width = 0;
      for (int i = s * 4; i < std::min(a.rows, s * 4 + 4); ++i)
        width = std::max(width, h.offsets[i + 1] - h.offsets[i]);
      for (int k = 0; k < width; ++k)
        for (int i = s * 4; i < s * 4 + 4; ++i) {
          const bool there = i < a.rows && h.offsets[i] + k < h.offsets[i + 1];
          p.second.push_back(there ? h.columns[h.offsets[i] + k] + base : -1);
          p.values.push_back(there ? h.values[h.offsets[i] + k] : Number(0));
        }
      p.first.push_back(int(p.second.size()) + base);
    }
    return p;
  }

  Sparse(const Full &a, Format f, int base, bool wide)
      : Sparse(a, f, partsOf(a, f, base), base, wide) {}
  ~Sparse() { OK(cusparseDestroySpMat(mat)); }

private:
  Sparse(const Full &a, Format f, const Parts &p, int base_value, bool wide)
      : offsets(p.first, wide), columns(p.second, wide), values(p.values) {
    const auto base = cusparseIndexBase_t(base_value);
    const int64_t nnz = int64_t(p.values.size());
    const cudaDataType t = type<T>();
    if (f == csr)
      OK(cusparseCreateCsr(&mat, a.rows, a.cols, nnz, offsets.data(), columns.data(), values.data(),
                           offsets.type, columns.type, base, t));
    else if (f == csc)
      OK(cusparseCreateCsc(&mat, a.rows, a.cols, nnz, offsets.data(), columns.data(), values.data(),
                           offsets.type, columns.type, base, t));
    else if (f == coo)
      OK(cusparseCreateCoo(&mat, a.rows, a.cols, nnz, offsets.data(), columns.data(), values.data(),
                           columns.type, base, t));
    else if (f == bsr || f == bsr_col)
      OK(cusparseCreateBsr(&mat, a.rows / 2, a.cols / 3, nnz / 6, 2, 3, offsets.data(),
                           columns.data(), values.data(), offsets.type, columns.type, base, t,
                           f == bsr ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
    else if (f == ell)
      OK(cusparseCreateBlockedEll(&mat, a.rows, a.cols, 2, 4, columns.data(), values.data(),
                                  columns.type, base, t));
    else
      OK(cusparseCreateSlicedEll(
          &mat, a.rows, a.cols,
          std::count_if(p.second.begin(), p.second.end(), [](int c) { return c >= 0; }), nnz, 4,
          offsets.data(), columns.data(), values.data(), offsets.type, columns.type, base, t));
  }
};

/// What a blocked ELL matrix has of a full one.
template <typename T> Full seen(const Full &a, Format f) {
  if (f != ell)
    return a;
  Full b(a.rows, a.cols);
  const auto p = Sparse<T>::ellParts(a, 0);
  for (int i = 0; i < a.rows; ++i)
    for (int k = 0; k < 2; ++k)
      if (const int block = p.second[i / 2 * 2 + k]; block >= 0)
        for (int c = 0; c < 2; ++c)
          b(i, block * 2 + c) = a(i, block * 2 + c);
  return b;
}

struct DnVec {
  cusparseDnVecDescr_t vec;
  template <typename T> explicit DnVec(const Array<T> &a) {
    OK(cusparseCreateDnVec(&vec, int64_t(a.size()), a.data(), type<T>()));
  }
  ~DnVec() { OK(cusparseDestroyDnVec(vec)); }
  operator cusparseDnVecDescr_t() const { return vec; }
};

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

/// A dense matrix in memory with a leading dimension one larger than needed.
template <typename T> struct DnMat {
  Array<T> data;
  int rows, cols;
  bool by_row;
  cusparseDnMatDescr_t mat;
  DnMat(const Full &a, bool by_row)
      : data(size_t(a.rows + 1) * (a.cols + 1)), rows(a.rows), cols(a.cols), by_row(by_row) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        data[at(i, j)] = make<T>(a(i, j));
    OK(cusparseCreateDnMat(&mat, rows, cols, by_row ? cols + 1 : rows + 1, data.data(), type<T>(),
                           by_row ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  }
  ~DnMat() { OK(cusparseDestroyDnMat(mat)); }
  int at(int i, int j) const { return by_row ? i * (cols + 1) + j : i + j * (rows + 1); }
  void compareTo(const Full &expected, const char *what) const {
    std::vector<Number> actual;
    const auto all = data.read();
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i)
        actual.push_back(all[at(i, j)]);
    compareAt(actual, expected.at_, tolerance<T>(), what);
  }
};

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

template <typename T> void testTriangular(Format f, bool device) {
  const Full a = dominantFull<T>(9, 1);
  Sparse<T> sparse(a, f, f == coo, f == coo);
  for (const auto op : {N, T_, C_})
    for (int fill = 0; fill < 2; ++fill)
      for (int unit = 0; unit < 2; ++unit) {
        auto fill_mode = cusparseFillMode_t(fill);
        auto diagonal = cusparseDiagType_t(unit);
        OK(cusparseSpMatSetAttribute(sparse.mat, CUSPARSE_SPMAT_FILL_MODE, &fill_mode,
                                     sizeof fill_mode));
        OK(cusparseSpMatSetAttribute(sparse.mat, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                     sizeof diagonal));
        Full t(9, 9);
        for (int i = 0; i < 9; ++i)
          for (int j = 0; j < 9; ++j)
            if (i == j)
              t(i, j) = unit ? 1 : a(i, j);
            else if ((fill == CUSPARSE_FILL_MODE_LOWER) == (i > j))
              t(i, j) = unit ? a(i, j) / 64.0 : a(i, j);
        if (unit) // small enough to stay near 1
          for (size_t k = 0; k < sparse.values.size(); ++k)
            sparse.values[k] = make<T>(value(sparse.values[k]) / 64.0);
        const Full m = transposed(t, op), b = denseFull<T>(9, 3, 4);
        const Scalars<T> s(handle, device);
        const Array<T> vb(std::vector<Number>(b.at_.begin(), b.at_.begin() + 9)), vx(9);
        const DnVec db(vb), dx(vx);
        cusparseSpSVDescr_t sv;
        size_t size;
        OK(cusparseSpSV_createDescr(&sv));
        OK(cusparseSpSV_bufferSize(handle, op, s.alpha, sparse.mat, db, dx, type<T>(),
                                   CUSPARSE_SPSV_ALG_DEFAULT, sv, &size));
        const Array<char> buffer(size);
        OK(cusparseSpSV_analysis(handle, op, s.alpha, sparse.mat, db, dx, type<T>(),
                                 CUSPARSE_SPSV_ALG_DEFAULT, sv, buffer.data()));
        OK(cusparseSpSV_solve(handle, op, s.alpha, sparse.mat, db, dx, type<T>(),
                              CUSPARSE_SPSV_ALG_DEFAULT, sv));
        auto residual = [&](const std::vector<Number> &x, int columns) {
          Full solved(9, columns);
          solved.at_ = x;
          return product(m, solved).at_;
        };
        auto scaled = [&](int columns, Number factor) {
          std::vector<Number> v(b.at_.begin(), b.at_.begin() + 9 * columns);
          for (Number &one : v)
            one *= factor;
          return v;
        };
        compareAt(residual(vx.read(), 1), scaled(1, s.al), tolerance<T>() * 10, "SpSV");
        if (f == csr && !unit) { // twice the matrix has half the solution
          Array<T> twice(sparse.values.size());
          for (size_t k = 0; k < twice.size(); ++k)
            twice[k] = make<T>(2.0 * value(sparse.values[k]));
          OK(cusparseSpSV_updateMatrix(handle, sv, twice.data(), CUSPARSE_SPSV_UPDATE_GENERAL));
          OK(cusparseSpSV_solve(handle, op, s.alpha, sparse.mat, db, dx, type<T>(),
                                CUSPARSE_SPSV_ALG_DEFAULT, sv));
          compareAt(residual(vx.read(), 1), scaled(1, s.al / 2.0), tolerance<T>() * 10,
                    "SpSV after an update");
        }
        OK(cusparseSpSV_destroyDescr(sv));
        for (const bool transposes : {false, true}) {
          const DnMat<T> mb(transposes ? transposed(b, T_) : b, false), mx(Full(9, 3), false);
          cusparseSpSMDescr_t sm;
          const auto op_b = transposes ? T_ : N;
          OK(cusparseSpSM_createDescr(&sm));
          OK(cusparseSpSM_bufferSize(handle, op, op_b, s.alpha, sparse.mat, mb.mat, mx.mat,
                                     type<T>(), CUSPARSE_SPSM_ALG_DEFAULT, sm, &size));
          const Array<char> space(size);
          OK(cusparseSpSM_analysis(handle, op, op_b, s.alpha, sparse.mat, mb.mat, mx.mat, type<T>(),
                                   CUSPARSE_SPSM_ALG_DEFAULT, sm, space.data()));
          OK(cusparseSpSM_solve(handle, op, op_b, s.alpha, sparse.mat, mb.mat, mx.mat, type<T>(),
                                CUSPARSE_SPSM_ALG_DEFAULT, sm));
          auto solution = [&] {
            std::vector<Number> x;
            const auto all = mx.data.read();
            for (int j = 0; j < 3; ++j)
              for (int i = 0; i < 9; ++i)
                x.push_back(all[mx.at(i, j)]);
            return x;
          };
          compareAt(residual(solution(), 3), scaled(3, s.al), tolerance<T>() * 10, "SpSM");
#if CUSPARSE_VERSION >= 12301
          Array<T> ones(9); // for a diagonal of ones the unit solve is the same
          for (int i = 0; i < 9; ++i)
            ones[i] = make<T>(a(i, i) * 2.0);
          if (f == csr && !unit) {
            OK(cusparseSpSM_updateMatrix(handle, sm, ones.data(), CUSPARSE_SPSM_UPDATE_DIAGONAL));
            OK(cusparseSpSM_solve(handle, op, op_b, s.alpha, sparse.mat, mb.mat, mx.mat, type<T>(),
                                  CUSPARSE_SPSM_ALG_DEFAULT, sm));
            Full changed = m, x(9, 3);
            for (int i = 0; i < 9; ++i)
              changed(i, i) *= 2.0;
            x.at_ = solution();
            compareAt(product(changed, x).at_, scaled(3, s.al), tolerance<T>() * 10,
                      "SpSM after an update");
          }
#endif
          OK(cusparseSpSM_destroyDescr(sm));
        }
        if (unit)
          for (size_t k = 0; k < sparse.values.size(); ++k)
            sparse.values[k] = make<T>(value(sparse.values[k]) * 64.0);
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
