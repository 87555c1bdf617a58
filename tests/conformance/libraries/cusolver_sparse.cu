// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusolver -lcusparse
//
// cuSOLVER's sparse part: solvers in one call and in steps, on the host and the device, orders and
// permutations, eigenvalues, batches, and refactorisation (cusolverRf). All in four types, on a
// grid's Laplacian with more or less symmetry.
#include "solver_check.h"

#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <numeric>

namespace {

cusolverSpHandle_t handle;
cusparseMatDescr_t descriptor, one_based;
constexpr auto Invalid = CUSOLVER_STATUS_INVALID_VALUE;

/// A dense matrix's elements that are not zero, in managed memory.
template <typename T> struct Sparse {
  int m, n, nnz = 0;
  Ints starts, indices;
  Array<T> values;
  explicit Sparse(const Mat &A, int base = 0)
      : m(A.m), n(A.n), starts(A.m + 1), indices(A.m * A.n), values(A.m * A.n) {
    for (int i = 0; i < m; ++i) {
      starts.data[i] = nnz + base;
      for (int j = 0; j < n; ++j)
        if (A(i, j) != 0.0) {
          indices.data[nnz] = j + base;
          values.data[nnz++] = make<T>(A(i, j));
        }
    }
    starts.data[m] = nnz + base;
  }
};
#define PATTERN(A) A.nnz, descriptor, A.starts, A.indices
#define CSR(A) A.nnz, descriptor, A.values, A.starts, A.indices

/// A grid's Laplacian, Hermitian positive definite; `skew` makes it unsymmetric.
template <typename T> Mat laplacian(int side, double skew) {
  const int n = side * side;
  Mat A(n, n);
  for (int i = 0; i < n; ++i) {
    A(i, i) = 4.5;
    for (const int j : {i % side ? i - 1 : -1, i >= side ? i - side : -1})
      if (j >= 0) {
        A(i, j) = Traits<T>::complex ? Number(-1, 0.5 - skew) : Number(-1 - skew);
        A(j, i) = Traits<T>::complex ? Number(-1, -0.5) : Number(-1);
      }
  }
  return A;
}

template <typename T> struct Api;
#define API(T, P)                                                                                  \
  template <> struct Api<T> {                                                                      \
    static constexpr auto lu = cusolverSp##P##csrlsvluHost;                                        \
    static constexpr auto qrHost = cusolverSp##P##csrlsvqrHost;                                    \
    static constexpr auto qr = cusolverSp##P##csrlsvqr;                                            \
    static constexpr auto cholHost = cusolverSp##P##csrlsvcholHost;                                \
    static constexpr auto chol = cusolverSp##P##csrlsvchol;                                        \
    static constexpr auto least = cusolverSp##P##csrlsqvqrHost;                                    \
    static constexpr auto vsi = cusolverSp##P##csreigvsi;                                          \
    static constexpr auto vsiHost = cusolverSp##P##csreigvsiHost;                                  \
    static constexpr auto eigs = cusolverSp##P##csreigsHost;                                       \
    static constexpr auto zfd = cusolverSp##P##csrzfdHost;                                         \
    static constexpr auto batchInfo = cusolverSp##P##csrqrBufferInfoBatched;                       \
    static constexpr auto batchSolve = cusolverSp##P##csrqrsvBatched;                              \
    static constexpr auto luInfo = cusolverSp##P##csrluBufferInfoHost;                             \
    static constexpr auto luFactor = cusolverSp##P##csrluFactorHost;                               \
    static constexpr auto luZero = cusolverSp##P##csrluZeroPivotHost;                              \
    static constexpr auto luSolve = cusolverSp##P##csrluSolveHost;                                 \
    static constexpr auto luExtract = cusolverSp##P##csrluExtractHost;                             \
    static constexpr auto diag = cusolverSp##P##csrcholDiag;                                       \
  };                                                                                               \
  STEPS(T, P, Host, true)                                                                          \
  STEPS(T, P, , false)
/// The functions of QR and Cholesky on the host, and those on the device.
template <typename T, bool OnHost> struct Steps;
#define STEPS(T, P, H, host)                                                                       \
  template <> struct Steps<T, host> {                                                              \
    using Qr = csrqrInfo##H##_t;                                                                   \
    using Chol = csrcholInfo##H##_t;                                                               \
    static constexpr auto createQr = cusolverSpCreateCsrqrInfo##H;                                 \
    static constexpr auto destroyQr = cusolverSpDestroyCsrqrInfo##H;                               \
    static constexpr auto analyseQr = cusolverSpXcsrqrAnalysis##H;                                 \
    static constexpr auto qrInfo = cusolverSp##P##csrqrBufferInfo##H;                              \
    static constexpr auto qrSetup = cusolverSp##P##csrqrSetup##H;                                  \
    static constexpr auto qrFactor = cusolverSp##P##csrqrFactor##H;                                \
    static constexpr auto qrZero = cusolverSp##P##csrqrZeroPivot##H;                               \
    static constexpr auto qrSolve = cusolverSp##P##csrqrSolve##H;                                  \
    static constexpr auto createChol = cusolverSpCreateCsrcholInfo##H;                             \
    static constexpr auto destroyChol = cusolverSpDestroyCsrcholInfo##H;                           \
    static constexpr auto analyseChol = cusolverSpXcsrcholAnalysis##H;                             \
    static constexpr auto cholInfo = cusolverSp##P##csrcholBufferInfo##H;                          \
    static constexpr auto cholFactor = cusolverSp##P##csrcholFactor##H;                            \
    static constexpr auto cholZero = cusolverSp##P##csrcholZeroPivot##H;                           \
    static constexpr auto cholSolve = cusolverSp##P##csrcholSolve##H;                              \
  };
API(float, S)
API(double, D)
API(cuComplex, C)
API(cuDoubleComplex, Z)

template <typename T> Real<T> tiny() { return Real<T>(1e-6); }

template <typename T> void oneCall() {
  using F = Api<T>;
  const Mat A = laplacian<T>(5, 0.3), S = laplacian<T>(5, 0), X = general<T>(25, 1, 1);
  Sparse<T> a(A), s(S);
  Dev<T> b(A * X, 0), sb(S * X, 0), x(25, 1, 0);
  int singular = -99;
  const auto solved = [&] {
    CHECK_EQ(singular, -1);
    NEAR(T, x.read(), X);
    x.write(Mat(25, 1));
    singular = -99;
  };
  for (int reorder = 0; reorder <= 3; ++reorder) {
    OK(F::lu(handle, 25, CSR(a), b, tiny<T>(), reorder, x, &singular));
    solved();
    OK(F::qrHost(handle, 25, CSR(a), b, tiny<T>(), reorder, x, &singular));
    solved();
    OK(F::qr(handle, 25, CSR(a), b, tiny<T>(), reorder, x, &singular));
    solved();
    OK(F::cholHost(handle, 25, CSR(s), sb, tiny<T>(), reorder, x, &singular));
    solved();
    OK(F::chol(handle, 25, CSR(s), sb, tiny<T>(), reorder, x, &singular));
    solved();
  }
  Sparse<T> shifted(A, 1);
  OK(F::lu(handle, 25, shifted.nnz, one_based, shifted.values, shifted.starts, shifted.indices, b,
           tiny<T>(), 0, x, &singular));
  solved();
  // A column of zeros (almost), and a matrix that is not positive definite.
  Mat bad = S;
  for (int i = 0; i < 25; ++i)
    bad(i, 24) = bad(24, i) = i == 24 ? 1e-12 : 0;
  Sparse<T> z(bad);
  OK(F::lu(handle, 25, CSR(z), b, tiny<T>(), 0, x, &singular));
  CHECK_EQ(singular, 24);
  OK(F::qrHost(handle, 25, CSR(z), b, tiny<T>(), 0, x, &singular));
  CHECK(singular >= 0);
  bad(24, 24) = -1;
  Sparse<T> negative(bad);
  OK(F::cholHost(handle, 25, CSR(negative), b, tiny<T>(), 0, x, &singular));
  CHECK_EQ(singular, 24);
  CHECK_EQ(F::lu(handle, -1, CSR(a), b, tiny<T>(), 0, x, &singular), Invalid);
  CHECK_EQ(F::lu(nullptr, 25, CSR(a), b, tiny<T>(), 0, x, &singular),
           CUSOLVER_STATUS_NOT_INITIALIZED);
}

template <typename T> void leastSquares() {
  const int m = 12, n = 5;
  Mat A = general<T>(m, n, 2);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      if ((i + 2 * j) % 3 == 0)
        A(i, j) = 0;
  const Mat B = general<T>(m, 1, 3);
  Sparse<T> a(A);
  Dev<T> b(B, 0), x(n, 1, 0);
  Ints p(n);
  int rank = -1;
  Real<T> norm = -1;
  OK(Api<T>::least(handle, m, n, CSR(a), b, tiny<T>(), &rank, x, p, &norm));
  CHECK_EQ(rank, n);
  Mat rest = A * x.read();
  double sum = 0;
  for (int i = 0; i < m; ++i) {
    rest(i, 0) = B(i, 0) - rest(i, 0);
    sum += std::norm(rest(i, 0));
  }
  CHECK_NEAR(difference(adjoint(A) * rest, Mat(n, 1)), 0, 5 * Traits<T>::tolerance);
  CHECK_NEAR(norm, std::sqrt(sum), 5 * Traits<T>::tolerance);
  std::vector<int> seen(n);
  for (int i = 0; i < n; ++i)
    seen.at(p[i])++;
  CHECK_EQ(std::count(seen.begin(), seen.end(), 1), n);
}

template <typename T> void eigenvalues() {
  using F = Api<T>;
  const int n = 9;
  Mat A = hermitian<T>(n, 4, false);
  for (int i = 0; i < n; ++i)
    A(i, i) += 10.0 * i;
  Sparse<T> a(A);
  Dev<T> x0(general<T>(n, 1, 5), 0), x(n, 1, 0), mu(1, 1, 0);
  for (const bool host : {true, false}) {
    OK((host ? F::vsiHost : F::vsi)(handle, n, CSR(a), make<T>(41), x0, 200,
                                    Real<T>(Traits<T>::tolerance), mu, x));
    const Mat v = x.read(), image = A * v;
    Mat scaled = v;
    for (auto &e : scaled.a)
      e *= mu.read()(0, 0);
    CHECK_NEAR(difference(image, scaled), 0, 5 * Traits<T>::tolerance);
    CHECK_NEAR((adjoint(v) * v)(0, 0).real(), 1, Traits<T>::tolerance);
  }
  Mat D = diagonal({1, 2, 3, 4, 5, 6, 7, 8, 9}, n, n);
  D(0, 8) = 1;
  Sparse<T> d(D);
  int count = -1;
  using Box = std::conditional_t<sizeof(Real<T>) == 4, cuComplex, cuDoubleComplex>;
  OK(F::eigs(handle, n, CSR(d), make<Box>({2.5, -1}), make<Box>({6.5, 1}), &count));
  CHECK_EQ(count, 4);
}

template <typename T> void zeroFree() {
  Mat A(4, 4);
  A(0, 1) = A(1, 0) = A(1, 1) = A(2, 3) = A(3, 2) = A(3, 3) = 1;
  Sparse<T> a(A);
  Ints p(4);
  int count = -1;
  OK(Api<T>::zfd(handle, 4, CSR(a), p, &count));
  CHECK_EQ(count, 4);
  for (int i = 0; i < 4; ++i)
    CHECK(A(p[i], i) != 0.0);
}

template <typename T> void batched() {
  using F = Api<T>;
  const Mat A = laplacian<T>(3, 0.2);
  Sparse<T> a(A);
  Array<T> values(2 * a.nnz);
  for (int k = 0; k < a.nnz; ++k) {
    values.data[k] = a.values.data[k];
    values.data[a.nnz + k] = make<T>(2.0 * value(a.values.data[k]));
  }
  const Mat X = general<T>(9, 2, 6);
  Mat B = A * X;
  for (int i = 0; i < 9; ++i)
    B(i, 1) *= 2;
  Dev<T> b(B, 0), x(9, 2, 0);
  csrqrInfo_t info;
  size_t internal = 0, work = 0;
  OK(cusolverSpCreateCsrqrInfo(&info));
  OK(cusolverSpXcsrqrAnalysisBatched(handle, 9, 9, PATTERN(a), info));
  OK(F::batchInfo(handle, 9, 9, a.nnz, descriptor, values, a.starts, a.indices, 2, info, &internal,
                  &work));
  Dev<char> buffer(int(work), 1, 0);
  OK(F::batchSolve(handle, 9, 9, a.nnz, descriptor, values, a.starts, a.indices, b, x, 2, info,
                   buffer));
  NEAR(T, x.read(), X);
  OK(cusolverSpDestroyCsrqrInfo(info));
}

template <typename T> void luSteps() {
  using F = Api<T>;
  const int n = 16;
  const Mat A = laplacian<T>(4, 0.4), X = general<T>(n, 1, 7);
  Sparse<T> a(A);
  Dev<T> b(A * X, 0), x(n, 1, 0);
  csrluInfoHost_t info;
  size_t internal = 0, work = 0;
  int zero = -99, nnz_l = -1, nnz_u = -1;
  OK(cusolverSpCreateCsrluInfoHost(&info));
  CHECK_EQ(F::luSolve(handle, n, b, x, info, nullptr), Invalid);
  OK(cusolverSpXcsrluAnalysisHost(handle, n, PATTERN(a), info));
  OK(F::luInfo(handle, n, CSR(a), info, &internal, &work));
  std::vector<char> buffer(work + 1);
  OK(F::luFactor(handle, n, CSR(a), info, Real<T>(1), buffer.data()));
  OK(F::luZero(handle, info, tiny<T>(), &zero));
  CHECK_EQ(zero, -1);
  OK(F::luSolve(handle, n, b, x, info, buffer.data()));
  NEAR(T, x.read(), X);
  OK(cusolverSpXcsrluNnzHost(handle, &nnz_l, &nnz_u, info));
  Sparse<T> l(Mat(n, n)), u(Mat(n, n));
  Ints p(n), q(n);
  OK(F::luExtract(handle, p, q, descriptor, l.values, l.starts, l.indices, descriptor, u.values,
                  u.starts, u.indices, info, buffer.data()));
  CHECK_EQ(l.starts[n], nnz_l);
  CHECK_EQ(u.starts[n], nnz_u);
  Mat L = identity(n), U(n, n), PAQ(n, n);
  for (int i = 0; i < n; ++i) {
    for (int k = l.starts[i]; k < l.starts[i + 1]; ++k)
      L(i, l.indices[k]) = value(l.values.data[k]);
    for (int k = u.starts[i]; k < u.starts[i + 1]; ++k)
      U(i, u.indices[k]) = value(u.values.data[k]);
    for (int j = 0; j < n; ++j)
      PAQ(i, j) = A(p[i], q[j]);
  }
  NEAR(T, triangle(L, false) * triangle(U, true), PAQ);
  OK(cusolverSpDestroyCsrluInfoHost(info));
}

template <typename T, bool OnHost> void steps() {
  using F = Steps<T, OnHost>;
  const int n = 16;
  const Mat S = laplacian<T>(4, 0), A = laplacian<T>(4, 0.4), X = general<T>(n, 1, 8);
  Sparse<T> a(A), s(S);
  Dev<T> b(A * X, 0), sb(S * X, 0), x(n, 1, 0);
  size_t internal = 0, work = 0;
  int zero = -99;
  typename F::Qr qr;
  OK(F::createQr(&qr));
  OK(F::analyseQr(handle, n, n, PATTERN(a), qr));
  OK(F::qrInfo(handle, n, n, CSR(a), qr, &internal, &work));
  Dev<char> buffer(int(work), 1, 0);
  OK(F::qrSetup(handle, n, n, CSR(a), make<T>(0), qr));
  OK(F::qrFactor(handle, n, n, a.nnz, nullptr, nullptr, qr, buffer));
  OK(F::qrZero(handle, qr, tiny<T>(), &zero));
  CHECK_EQ(zero, -1);
  OK(F::qrSolve(handle, n, n, b, x, qr, buffer));
  NEAR(T, x.read(), X);
  // A - mu I, and the solution with the factorisation.
  Mat M = A;
  for (int i = 0; i < n; ++i)
    M(i, i) += 1;
  b.write(M * X);
  x.write(Mat(n, 1));
  OK(F::qrSetup(handle, n, n, CSR(a), make<T>(-1), qr));
  OK(F::qrFactor(handle, n, n, a.nnz, b, x, qr, buffer));
  NEAR(T, x.read(), X);
  OK(F::destroyQr(qr));
  typename F::Chol chol;
  OK(F::createChol(&chol));
  OK(F::analyseChol(handle, n, PATTERN(s), chol));
  OK(F::cholInfo(handle, n, CSR(s), chol, &internal, &work));
  Dev<char> more(int(work), 1, 0);
  OK(F::cholFactor(handle, n, CSR(s), chol, more));
  OK(F::cholZero(handle, chol, tiny<T>(), &zero));
  CHECK_EQ(zero, -1);
  OK(F::cholSolve(handle, n, sb, x, chol, more));
  NEAR(T, x.read(), X);
  if constexpr (!OnHost) {
    Array<Real<T>> diag(n), one(1);
    OK(Api<T>::diag(handle, chol, diag));
    // The product of the diagonal's squares is the determinant: by elimination.
    Mat E = S;
    double expected = 0, found = 0;
    for (int k = 0; k < n; ++k) {
      expected += std::log(E(k, k).real());
      for (int i = k + 1; i < n; ++i)
        for (int j = n; j-- > k;)
          E(i, j) -= E(i, k) / E(k, k) * E(k, j);
    }
    for (const double d : diag.list())
      found += 2 * std::log(d);
    CHECK_NEAR(found, expected, 10 * Traits<T>::tolerance);
  }
  OK(F::destroyChol(chol));
}

void patterns() {
  const int n = 16;
  const Mat S = laplacian<double>(4, 0);
  Sparse<double> a(S);
  std::vector<int> p(n);
  int symmetric = -1;
  const auto permutation = [&] {
    auto sorted = p;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < n; ++i)
      CHECK_EQ(sorted[i], i);
    p.assign(n, -1);
  };
  OK(cusolverSpXcsrsymmdqHost(handle, n, PATTERN(a), p.data()));
  permutation();
  OK(cusolverSpXcsrsymamdHost(handle, n, PATTERN(a), p.data()));
  permutation();
  OK(cusolverSpXcsrmetisndHost(handle, n, PATTERN(a), nullptr, p.data()));
  permutation();
  OK(cusolverSpXcsrsymrcmHost(handle, n, PATTERN(a), p.data()));
  // The band of A(p, p) is narrow.
  int band = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (S(p[i], p[j]) != 0.0)
        band = std::max(band, std::abs(i - j));
  CHECK(band <= 6);
  OK(cusolverSpXcsrissymHost(handle, n, a.nnz, descriptor, a.starts, a.starts + 1, a.indices,
                             &symmetric));
  CHECK_EQ(symmetric, 1);
  Mat U = triangle(S, true);
  Sparse<double> u(U);
  OK(cusolverSpXcsrissymHost(handle, n, u.nnz, descriptor, u.starts, u.starts + 1, u.indices,
                             &symmetric));
  CHECK_EQ(symmetric, 0);
  std::vector<int> q(n), map(u.nnz);
  for (int i = 0; i < n; ++i)
    q[i] = (i * 5 + 3) % n;
  std::iota(map.begin(), map.end(), 0);
  size_t bytes = 0;
  OK(cusolverSpXcsrperm_bufferSizeHost(handle, n, n, PATTERN(u), p.data(), q.data(), &bytes));
  std::vector<char> buffer(bytes + 1);
  OK(cusolverSpXcsrpermHost(handle, n, n, u.nnz, descriptor, u.starts, u.indices, p.data(),
                            q.data(), map.data(), buffer.data()));
  Mat R(n, n), expected(n, n);
  for (int i = 0; i < n; ++i) {
    for (int k = u.starts[i]; k < u.starts[i + 1]; ++k)
      R(i, u.indices[k]) = u.values.data[map[k]];
    for (int j = 0; j < n; ++j)
      expected(i, j) = U(p[i], q[j]);
  }
  CHECK_EQ(difference(R, expected), 0);
}

void streams() {
  cudaStream_t stream, found;
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cusolverSpSetStream(handle, stream));
  OK(cusolverSpGetStream(handle, &found));
  CHECK_EQ(found, stream);
  oneCall<double>();
  steps<double, false>();
  OK(cusolverSpSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

/// Factors of one matrix factor others of its pattern. Managed memory serves as host's and
/// device's.
struct Refactor {
  static constexpr int n = 16;
  Mat A = laplacian<double>(4, 0.4), other = laplacian<double>(4, 0.1),
      X = general<double>(n, 2, 9);
  Sparse<double> a{A}, o{other}, l{Mat(n, n)}, u{Mat(n, n)};
  Ints p{n}, q{n};
  Dev<double> temp{n, 2, 0};
  int nnz_l = 0, nnz_u = 0;

  Refactor() {
    csrluInfoHost_t info;
    OK(cusolverSpCreateCsrluInfoHost(&info));
    OK(cusolverSpXcsrluAnalysisHost(handle, n, PATTERN(a), info));
    size_t internal = 0, needed = 0;
    OK(cusolverSpDcsrluBufferInfoHost(handle, n, CSR(a), info, &internal, &needed));
    std::vector<char> buffer(needed + 1);
    OK(cusolverSpDcsrluFactorHost(handle, n, CSR(a), info, 1.0, buffer.data()));
    OK(cusolverSpXcsrluNnzHost(handle, &nnz_l, &nnz_u, info));
    OK(cusolverSpDcsrluExtractHost(handle, p, q, descriptor, l.values, l.starts, l.indices,
                                   descriptor, u.values, u.starts, u.indices, info, buffer.data()));
    OK(cusolverSpDestroyCsrluInfoHost(info));
  }
  /// Checks the solution of what the handle holds the factors of.
  void solve(cusolverRfHandle_t rf, const Mat &matrix) {
    Dev<double> x(matrix * X, 0);
    OK(cusolverRfSolve(rf, p, q, 1, temp, n, x, n));
    NEAR(double, columns(x.read(), 0, 1), columns(X, 0, 1));
  }
  void single(bool host);
  void factors(cusolverRfHandle_t rf);
  void batch();
};

cusolverRfHandle_t create() {
  cusolverRfHandle_t rf;
  OK(cusolverRfCreate(&rf));
  OK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR,
                               CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  OK(cusolverRfSetNumericProperties(rf, 0, 0));
  OK(cusolverRfSetAlgs(rf, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG1));
  OK(cusolverRfSetResetValuesFastMode(rf, CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF));
  return rf;
}

void Refactor::single(bool host) {
  const cusolverRfHandle_t rf = create();
  OK((host ? cusolverRfSetupHost : cusolverRfSetupDevice)(
      n, a.nnz, a.starts, a.indices, a.values, nnz_l, l.starts, l.indices, l.values, nnz_u,
      u.starts, u.indices, u.values, p, q, rf));
  OK(cusolverRfAnalyze(rf));
  OK(cusolverRfResetValues(n, a.nnz, a.starts, a.indices, a.values, p, q, rf));
  OK(cusolverRfRefactor(rf));
  solve(rf, A);
  OK(cusolverRfResetValues(n, o.nnz, o.starts, o.indices, o.values, p, q, rf));
  OK(cusolverRfRefactor(rf));
  solve(rf, other);
  cusolverRfNumericBoostReport_t report;
  OK(cusolverRfGetNumericBoostReport(rf, &report));
  CHECK_EQ(report, CUSOLVERRF_NUMERIC_BOOST_NOT_USED);
  factors(rf);
  OK(cusolverRfDestroy(rf));
}

void Refactor::factors(cusolverRfHandle_t rf) {
  int nnz = 0, nnzL = 0, nnzU = 0, *starts, *indices, *startsL, *indicesL, *startsU, *indicesU;
  double *values, *valuesL, *valuesU;
  OK(cusolverRfAccessBundledFactorsDevice(rf, &nnz, &starts, &indices, &values));
  std::vector<double> on_device(nnz);
  CHECK_CUDA(cudaMemcpy(on_device.data(), values, nnz * sizeof(double), cudaMemcpyDeviceToHost));
  OK(cusolverRfExtractBundledFactorsHost(rf, &nnz, &starts, &indices, &values));
  CHECK_EQ(starts[n], nnz);
  CHECK(std::equal(on_device.begin(), on_device.end(), values));
  Mat M(n, n), PAQ(n, n), L = identity(n), U(n, n);
  for (int i = 0; i < n; ++i) {
    for (int k = starts[i]; k < starts[i + 1]; ++k)
      M(i, indices[k]) = values[k];
    for (int j = 0; j < n; ++j)
      PAQ(i, j) = other(p[i], q[j]);
  }
  NEAR(double, triangle(M, false, true) * triangle(M, true), PAQ);
  OK(cusolverRfExtractSplitFactorsHost(rf, &nnzL, &startsL, &indicesL, &valuesL, &nnzU, &startsU,
                                       &indicesU, &valuesU));
  for (int i = 0; i < n; ++i) {
    for (int k = startsL[i]; k < startsL[i + 1]; ++k)
      L(i, indicesL[k]) = valuesL[k];
    for (int k = startsU[i]; k < startsU[i + 1]; ++k)
      U(i, indicesU[k]) = valuesU[k];
  }
  NEAR(double, L *U, PAQ);
  for (void *const memory :
       {(void *)starts, (void *)indices, (void *)values, (void *)startsL, (void *)indicesL,
        (void *)valuesL, (void *)startsU, (void *)indicesU, (void *)valuesU})
    free(memory);
}

void Refactor::batch() {
  const cusolverRfHandle_t rf = create();
  double *matrices[2] = {a.values, o.values}, **on_device;
  Dev<double> x(A * X, 0), y(other * X, 0);
  CHECK_CUDA(cudaMallocManaged(&on_device, 4 * sizeof(double *)));
  on_device[0] = a.values;
  on_device[1] = o.values;
  on_device[2] = x;
  on_device[3] = y;
  OK(cusolverRfBatchSetupHost(2, n, a.nnz, a.starts, a.indices, matrices, nnz_l, l.starts,
                              l.indices, l.values, nnz_u, u.starts, u.indices, u.values, p, q, rf));
  OK(cusolverRfBatchAnalyze(rf));
  OK(cusolverRfBatchResetValues(2, n, a.nnz, a.starts, a.indices, on_device, p, q, rf));
  OK(cusolverRfBatchRefactor(rf));
  int zero[2] = {-99, -99};
  OK(cusolverRfBatchZeroPivot(rf, zero));
  CHECK_EQ(zero[0], -1);
  Dev<double> batch_temp(n, 4, 0);
  OK(cusolverRfBatchSolve(rf, p, q, 1, batch_temp, n, on_device + 2, n));
  NEAR(double, columns(x.read(), 0, 1), columns(X, 0, 1));
  NEAR(double, columns(y.read(), 0, 1), columns(X, 0, 1));
  CHECK_CUDA(cudaFree(on_device));
  OK(cusolverRfDestroy(rf));
}

void settings() {
  const cusolverRfHandle_t rf = create();
  cusolverRfMatrixFormat_t format;
  cusolverRfUnitDiagonal_t diagonal;
  cusolverRfFactorization_t factorization;
  cusolverRfTriangularSolve_t solution;
  cusolverRfResetValuesFastMode_t mode;
  double zero = -1, boost = -1;
  OK(cusolverRfGetMatrixFormat(rf, &format, &diagonal));
  CHECK_EQ(diagonal, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L);
  OK(cusolverRfSetNumericProperties(rf, 1e-9, 1e-3));
  OK(cusolverRfGetNumericProperties(rf, &zero, &boost));
  CHECK_EQ(zero, 1e-9);
  CHECK_EQ(boost, 1e-3);
  OK(cusolverRfSetAlgs(rf, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG2));
  OK(cusolverRfGetAlgs(rf, &factorization, &solution));
  CHECK_EQ(solution, CUSOLVERRF_TRIANGULAR_SOLVE_ALG2);
  OK(cusolverRfSetResetValuesFastMode(rf, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON));
  OK(cusolverRfGetResetValuesFastMode(rf, &mode));
  CHECK_EQ(mode, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);
  CHECK(cusolverRfRefactor(rf) != CUSOLVER_STATUS_SUCCESS); // before the setup
  OK(cusolverRfDestroy(rf));
}

template <typename T> void all() {
  oneCall<T>();
  leastSquares<T>();
  eigenvalues<T>();
  zeroFree<T>();
  batched<T>();
  luSteps<T>();
  steps<T, true>();
  steps<T, false>();
}

} // namespace

int main() {
  OK(cusolverSpCreate(&handle));
  CHECK_EQ(cusparseCreateMatDescr(&descriptor), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cusparseCreateMatDescr(&one_based), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cusparseSetMatIndexBase(one_based, CUSPARSE_INDEX_BASE_ONE), CUSPARSE_STATUS_SUCCESS);
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  patterns();
  streams();
  Refactor refactor;
  refactor.single(true);
  refactor.single(false);
  refactor.batch();
  settings();
  OK(cusolverSpDestroy(handle));
  RETURN_RESULT();
}
