// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusolver
//
// cuSOLVER's 64-bit API, solvers with iterative refinement, and what all calls share: streams,
// graphs, threads, handles, the logger, statuses.
#include "solver_check.h"

#include <atomic>
#include <string>
#include <thread>

namespace {

cusolverDnHandle_t handle;
cusolverDnParams_t params;
constexpr auto Lower = CUBLAS_FILL_MODE_LOWER;
constexpr auto Vectors = CUSOLVER_EIG_MODE_VECTOR;
constexpr auto Invalid = CUSOLVER_STATUS_INVALID_VALUE;

/// Work areas of the sizes that a function asks for.
struct Areas {
  size_t device = 0, host = 0;
  void *on_device = nullptr;
  std::vector<char> on_host;
  void *get() {
    on_host.resize(host + 1);
    CHECK_CUDA(cudaFree(on_device));
    CHECK_CUDA(cudaMalloc(&on_device, device + 1));
    return on_device;
  }
  ~Areas() { cudaFree(on_device); }
};
#define SIZES &w.device, &w.host
#define BUFFERS w.get(), w.device, w.on_host.data(), w.host

struct Longs {
  int64_t *data;
  explicit Longs(int n) { CHECK_CUDA(cudaMallocManaged(&data, n * sizeof(int64_t))); }
  ~Longs() { cudaFree(data); }
};

template <typename T> void linear() {
  const auto t = Traits<T>::type;
  const int n = 12;
  const Mat S = hermitian<T>(n, 1, true), G = general<T>(n, n, 2), X = general<T>(n, 2, 3);
  Areas w;
  Ints info(1);
  Longs ipiv(n);
  Dev<T> a(S), b(S * X);
  OK(cusolverDnXpotrf_bufferSize(handle, params, Lower, n, t, a, a.ld, t, SIZES));
  OK(cusolverDnXpotrf(handle, params, Lower, n, t, a, a.ld, t, BUFFERS, info));
  CHECK_EQ(info[0], 0);
  OK(cusolverDnXpotrs(handle, params, Lower, n, 2, t, a, a.ld, t, b, b.ld, info));
  CHECK_NEAR(difference(b.read(), X), 0, 50 * Traits<T>::tolerance);
  CHECK_EQ(cusolverDnXpotrf(handle, params, Lower, n, t, a, n - 1, t, BUFFERS, info), Invalid);
  // The inverse of the factor.
  const Mat L = triangle(a.read(), false);
  OK(cusolverDnXtrtri_bufferSize(handle, Lower, CUBLAS_DIAG_NON_UNIT, n, t, a, a.ld, SIZES));
  OK(cusolverDnXtrtri(handle, Lower, CUBLAS_DIAG_NON_UNIT, n, t, a, a.ld, BUFFERS, info));
  CHECK_EQ(info[0], 0);
  NEAR(T, triangle(a.read(), false) * L, identity(n));
  for (const bool pivots : {true, false}) {
    Mat A = G;
    for (int i = 0; i < n; ++i)
      A(i, i) += 8;
    a.write(A);
    b.write(A * X);
    int64_t *const p = pivots ? ipiv.data : nullptr;
    OK(cusolverDnXgetrf_bufferSize(handle, params, n, n, t, a, a.ld, t, SIZES));
    OK(cusolverDnXgetrf(handle, params, n, n, t, a, a.ld, p, t, BUFFERS, info));
    CHECK_EQ(info[0], 0);
    OK(cusolverDnXgetrs(handle, params, CUBLAS_OP_N, n, 2, t, a, a.ld, p, t, b, b.ld, info));
    NEAR(T, b.read(), X);
  }
  // Symmetric without pivots: the unit matrix times 3 is its own factor.
  Mat three = identity(n);
  for (auto &v : three.a)
    v *= 3;
  for (int i = 0; i < n; ++i)
    ipiv.data[i] = i + 1;
  for (const int64_t *p : {(const int64_t *)ipiv.data, (const int64_t *)nullptr}) {
    a.write(three);
    b.write(three * X);
    OK(cusolverDnXsytrs_bufferSize(handle, Lower, n, 2, t, a, a.ld, p, t, b, b.ld, SIZES));
    OK(cusolverDnXsytrs(handle, Lower, n, 2, t, a, a.ld, p, t, b, b.ld, BUFFERS, info));
    NEAR(T, b.read(), X);
  }
}

/// Q = I - V T V' from the reflectors of a QR factorisation.
template <typename T> void reflectors() {
  const auto t = Traits<T>::type;
  const int m = 11, n = 6;
  const Mat A = general<T>(m, n, 4);
  Dev<T> a(A), tri(n, n);
  Array<T> tau(n);
  Ints info(1);
  Areas w;
  OK(cusolverDnXgeqrf_bufferSize(handle, params, m, n, t, a, a.ld, t, tau, t, SIZES));
  OK(cusolverDnXgeqrf(handle, params, m, n, t, a, a.ld, t, tau, t, BUFFERS, info));
  CHECK_EQ(info[0], 0);
  OK(cusolverDnXlarft_bufferSize(handle, params, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, m,
                                 n, t, a, a.ld, t, tau, t, tri, tri.ld, t, SIZES));
  OK(cusolverDnXlarft(handle, params, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, m, n, t, a,
                      a.ld, t, tau, t, tri, tri.ld, t, BUFFERS));
  const Mat V = triangle(a.read(), false, true), R = triangle(a.read(), true);
  Mat Q = V * triangle(tri.read(), true) * adjoint(V);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i)
      Q(i, j) = (i == j ? 1.0 : 0.0) - Q(i, j);
  NEAR(T, Q * R, A);
}

template <typename T> void eigen() {
  const auto t = Traits<T>::type, r = Traits<T>::real;
  const int n = 10, batch = 2;
  const Mat A = hermitian<T>(n, 5, false);
  Dev<T> a(A), many(n, n * batch);
  Array<Real<T>> values(n * batch);
  Ints info(batch);
  Areas w;
  OK(cusolverDnXsyevd_bufferSize(handle, params, Vectors, Lower, n, t, a, a.ld, r, values, t,
                                 SIZES));
  OK(cusolverDnXsyevd(handle, params, Vectors, Lower, n, t, a, a.ld, r, values, t, BUFFERS, info));
  CHECK_EQ(info[0], 0);
  auto all = values.list();
  all.resize(n);
  NEAR(T, a.read() * diagonal(all, n, n) * adjoint(a.read()), A);
  a.write(A);
  Real<T> vl = Real<T>((all[2] + all[3]) / 2), vu = Real<T>((all[6] + all[7]) / 2);
  int64_t count = -1;
  OK(cusolverDnXsyevdx_bufferSize(handle, params, Vectors, CUSOLVER_EIG_RANGE_V, Lower, n, t, a,
                                  a.ld, &vl, &vu, 0, 0, &count, r, values, t, SIZES));
  OK(cusolverDnXsyevdx(handle, params, Vectors, CUSOLVER_EIG_RANGE_V, Lower, n, t, a, a.ld, &vl,
                       &vu, 0, 0, &count, r, values, t, BUFFERS, info));
  CHECK_EQ(count, 4);
  for (int i = 0; i < 4; ++i)
    CHECK_NEAR(values.list()[i], all[3 + i], Traits<T>::tolerance);
#if CUSOLVER_VERSION >= 11701 || defined(__clang__) // new in CUDA 12.6
  Mat two(n, n * batch);
  for (int k = 0; k < batch; ++k) {
    const Mat one = hermitian<T>(n, 6 + k, false);
    std::copy(one.a.begin(), one.a.end(), two.a.begin() + size_t(k) * n * n);
  }
  many.write(two);
  OK(cusolverDnXsyevBatched_bufferSize(handle, params, Vectors, Lower, n, t, many, many.ld, r,
                                       values, t, SIZES, batch));
  OK(cusolverDnXsyevBatched(handle, params, Vectors, Lower, n, t, many, many.ld, r, values, t,
                            BUFFERS, info, batch));
  for (int k = 0; k < batch; ++k) {
    const auto list = values.list();
    const Mat V = columns(many.read(), k * n, n);
    CHECK_EQ(info[k], 0);
    NEAR(T, V * diagonal({list.begin() + k * n, list.begin() + (k + 1) * n}, n, n) * adjoint(V),
         columns(two, k * n, n));
  }
  // A general matrix: A V = V W, W complex; a real matrix keeps pairs of columns for pairs.
  const Mat G = general<T>(n, n, 8);
  using C = std::conditional_t<sizeof(Real<T>) == 4, cuComplex, cuDoubleComplex>;
  const auto c = Traits<C>::type;
  Array<C> lambda(n);
  Dev<T> g(G), v(n, n);
  OK(cusolverDnXgeev_bufferSize(handle, params, CUSOLVER_EIG_MODE_NOVECTOR, Vectors, n, t, g, g.ld,
                                c, lambda, t, nullptr, n, t, v, v.ld, t, SIZES));
  OK(cusolverDnXgeev(handle, params, CUSOLVER_EIG_MODE_NOVECTOR, Vectors, n, t, g, g.ld, c, lambda,
                     t, nullptr, n, t, v, v.ld, t, BUFFERS, info));
  CHECK_EQ(info[0], 0);
  const Mat L = lambda.read();
  Mat V = v.read();
  for (int j = 0; !Traits<T>::complex && j + 1 < n; ++j)
    if (L(j, 0).imag() != 0) {
      for (int i = 0; i < n; ++i) {
        const Number re = V(i, j), im = V(i, j + 1);
        V(i, j) = {re.real(), im.real()};
        V(i, j + 1) = {re.real(), -im.real()};
      }
      ++j;
    }
  Mat D(n, n);
  for (int i = 0; i < n; ++i)
    D(i, i) = L(i, 0);
  CHECK_NEAR(difference(G * V, V * D), 0, 5 * Traits<T>::tolerance);
#endif
}

template <typename T> void singular() {
  const auto t = Traits<T>::type, r = Traits<T>::real;
  const int m = 12, n = 7;
  const Mat A = general<T>(m, n, 9);
  Dev<T> a(A), u(m, n), vt(n, n);
  Array<Real<T>> s(n);
  Ints info(1);
  Areas w;
  OK(cusolverDnXgesvd_bufferSize(handle, params, 'S', 'S', m, n, t, a, a.ld, r, s, t, u, u.ld, t,
                                 vt, vt.ld, t, SIZES));
  OK(cusolverDnXgesvd(handle, params, 'S', 'S', m, n, t, a, a.ld, r, s, t, u, u.ld, t, vt, vt.ld, t,
                      BUFFERS, info));
  CHECK_EQ(info[0], 0);
  NEAR(T, u.read() * diagonal(s.list(), n, n) * vt.read(), A);
  const auto all = s.list();
  a.write(A);
  double err = -1;
  OK(cusolverDnXgesvdp_bufferSize(handle, params, Vectors, 1, m, n, t, a, a.ld, r, s, t, u, u.ld, t,
                                  vt, vt.ld, t, SIZES));
  OK(cusolverDnXgesvdp(handle, params, Vectors, 1, m, n, t, a, a.ld, r, s, t, u, u.ld, t, vt, vt.ld,
                       t, BUFFERS, info, &err));
  CHECK_EQ(info[0], 0);
  CHECK(err >= 0 && err < 1e-3);
  NEAR(T, u.read() * diagonal(s.list(), n, n) * adjoint(vt.read()), A);
  // Low rank: two values that matter.
  Mat low = columns(A, 0, 2) * adjoint(columns(general<T>(n, 2, 10), 0, 2));
  a.write(low);
  OK(cusolverDnXgesvdr_bufferSize(handle, params, 'S', 'S', m, n, 2, 3, 2, t, a, a.ld, r, s, t, u,
                                  u.ld, t, vt, vt.ld, t, SIZES));
  OK(cusolverDnXgesvdr(handle, params, 'S', 'S', m, n, 2, 3, 2, t, a, a.ld, r, s, t, u, u.ld, t, vt,
                       vt.ld, t, BUFFERS, info));
  CHECK_EQ(info[0], 0);
  CHECK_NEAR(difference(columns(u.read(), 0, 2) * diagonal(s.list(), 2, 2) *
                            adjoint(columns(vt.read(), 0, 2)),
                        low),
             0, 10 * Traits<T>::tolerance);
}

#if CUDART_VERSION < 13000
/// The first generation of the 64-bit functions.
void firstGeneration() {
  const auto t = CUDA_R_64F;
  const int n = 9;
  const Mat S = hermitian<double>(n, 11, true), X = general<double>(n, 1, 12);
  Dev<double> a(S), b(S * X), u(n, n), vt(n, n);
  Array<double> s(n), tau(n);
  Ints info(1);
  Longs ipiv(n);
  size_t bytes = 0;
  Areas w;
  const auto area = [&] {
    w.device = bytes;
    return w.get();
  };
  OK(cusolverDnPotrf_bufferSize(handle, params, Lower, n, t, a, a.ld, t, &bytes));
  OK(cusolverDnPotrf(handle, params, Lower, n, t, a, a.ld, t, area(), bytes, info));
  OK(cusolverDnPotrs(handle, params, Lower, n, 1, t, a, a.ld, t, b, b.ld, info));
  CHECK_NEAR(difference(b.read(), X), 0, 1e-10);
  a.write(S);
  b.write(S * X);
  OK(cusolverDnGetrf_bufferSize(handle, params, n, n, t, a, a.ld, t, &bytes));
  OK(cusolverDnGetrf(handle, params, n, n, t, a, a.ld, ipiv.data, t, area(), bytes, info));
  OK(cusolverDnGetrs(handle, params, CUBLAS_OP_N, n, 1, t, a, a.ld, ipiv.data, t, b, b.ld, info));
  CHECK_NEAR(difference(b.read(), X), 0, 1e-10);
  a.write(S);
  OK(cusolverDnGeqrf_bufferSize(handle, params, n, n, t, a, a.ld, t, tau, t, &bytes));
  OK(cusolverDnGeqrf(handle, params, n, n, t, a, a.ld, t, tau, t, area(), bytes, info));
  const Mat R = triangle(a.read(), true);
  CHECK_NEAR(difference(adjoint(R) * R, adjoint(S) * S), 0, 1e-9);
  a.write(S);
  OK(cusolverDnSyevd_bufferSize(handle, params, Vectors, Lower, n, t, a, a.ld, t, s, t, &bytes));
  OK(cusolverDnSyevd(handle, params, Vectors, Lower, n, t, a, a.ld, t, s, t, area(), bytes, info));
  CHECK_NEAR(difference(a.read() * diagonal(s.list(), n, n) * adjoint(a.read()), S), 0, 1e-10);
  const auto all = s.list();
  int64_t count = -1;
  a.write(S);
  OK(cusolverDnSyevdx_bufferSize(handle, params, Vectors, CUSOLVER_EIG_RANGE_I, Lower, n, t, a,
                                 a.ld, nullptr, nullptr, 2, 3, &count, t, s, t, &bytes));
  OK(cusolverDnSyevdx(handle, params, Vectors, CUSOLVER_EIG_RANGE_I, Lower, n, t, a, a.ld, nullptr,
                      nullptr, 2, 3, &count, t, s, t, area(), bytes, info));
  CHECK_EQ(count, 2);
  CHECK_NEAR(s.list()[0], all[1], 1e-10);
  a.write(S);
  OK(cusolverDnGesvd_bufferSize(handle, params, 'A', 'A', n, n, t, a, a.ld, t, s, t, u, u.ld, t, vt,
                                vt.ld, t, &bytes));
  OK(cusolverDnGesvd(handle, params, 'A', 'A', n, n, t, a, a.ld, t, s, t, u, u.ld, t, vt, vt.ld, t,
                     area(), bytes, info));
  CHECK_NEAR(difference(u.read() * diagonal(s.list(), n, n) * vt.read(), S), 0, 1e-10);
}
#endif

template <typename T, typename Size, typename Solve, typename LeastSize, typename Least>
void refined(Size size, Solve solve, LeastSize leastSize, Least least) {
  const int n = 20, m = 24;
  Mat A = general<T>(n, n, 13);
  for (int i = 0; i < n; ++i)
    A(i, i) += 10;
  const Mat X = general<T>(n, 2, 14), G = general<T>(m, n, 15);
  Dev<T> a(A), b(A * X), x(n, 2), g(G), c(G * X);
  Ints ipiv(n), info(1);
  int iterations = -99;
  Areas w;
  OK(size(handle, n, 2, a, a.ld, ipiv, b, b.ld, x, x.ld, nullptr, &w.device));
  OK(solve(handle, n, 2, a, a.ld, ipiv, b, b.ld, x, x.ld, w.get(), w.device, &iterations, info));
  CHECK_EQ(info[0], 0);
  CHECK(iterations >= 0 && iterations <= 20);
  NEAR(T, x.read(), X);
  CHECK_EQ(solve(handle, n, 2, a, n - 1, ipiv, b, b.ld, x, x.ld, w.on_device, w.device, &iterations,
                 info),
           Invalid);
  OK(leastSize(handle, m, n, 2, g, g.ld, c, c.ld, x, x.ld, nullptr, &w.device));
  OK(least(handle, m, n, 2, g, g.ld, c, c.ld, x, x.ld, w.get(), w.device, &iterations, info));
  CHECK_EQ(info[0], 0);
  CHECK_NEAR(difference(x.read(), X), 0, 20 * Traits<T>::tolerance);
}
#define REFINED(P, T)                                                                              \
  refined<T>(cusolverDn##P##gesv_bufferSize, cusolverDn##P##gesv, cusolverDn##P##gels_bufferSize,  \
             cusolverDn##P##gels)

void refinementObjects() {
  const int n = 16, nrhs = 2;
  Mat A = general<double>(n, n, 16);
  for (int i = 0; i < n; ++i)
    A(i, i) += 9;
  const Mat X = general<double>(n, nrhs, 17);
  Dev<double> a(A), b(A * X), x(n, nrhs);
  Ints info(1);
  Areas w;
  cusolverDnIRSParams_t irs;
  cusolverDnIRSInfos_t infos;
  int value = -1, iterations = -99;
  OK(cusolverDnIRSParamsCreate(&irs));
  OK(cusolverDnIRSInfosCreate(&infos));
  CHECK(cusolverDnIRSXgesv_bufferSize(handle, irs, n, nrhs, &w.device) != CUSOLVER_STATUS_SUCCESS);
  OK(cusolverDnIRSParamsSetSolverPrecisions(irs, CUSOLVER_R_64F, CUSOLVER_R_32F));
  OK(cusolverDnIRSParamsSetSolverMainPrecision(irs, CUSOLVER_R_64F));
  OK(cusolverDnIRSParamsSetSolverLowestPrecision(irs, CUSOLVER_R_32F));
  OK(cusolverDnIRSParamsSetRefinementSolver(irs, CUSOLVER_IRS_REFINE_CLASSICAL));
  OK(cusolverDnIRSParamsSetMaxIters(irs, 30));
  OK(cusolverDnIRSParamsSetMaxItersInner(irs, 20));
  OK(cusolverDnIRSParamsGetMaxIters(irs, &value));
  CHECK_EQ(value, 30);
  OK(cusolverDnIRSParamsSetTol(irs, 1e-15));
  OK(cusolverDnIRSParamsSetTolInner(irs, 1e-6));
  OK(cusolverDnIRSParamsDisableFallback(irs));
  OK(cusolverDnIRSParamsEnableFallback(irs));
  OK(cusolverDnIRSInfosRequestResidual(infos));
  OK(cusolverDnIRSXgesv_bufferSize(handle, irs, n, nrhs, &w.device));
  OK(cusolverDnIRSXgesv(handle, irs, infos, n, nrhs, a, a.ld, b, b.ld, x, x.ld, w.get(), w.device,
                        &iterations, info));
  CHECK_EQ(info[0], 0);
  CHECK(iterations > 0 && iterations < 10);
  NEAR(double, x.read(), X);
  OK(cusolverDnIRSInfosGetNiters(infos, &value));
  CHECK_EQ(value, iterations);
  OK(cusolverDnIRSInfosGetOuterNiters(infos, &value));
  CHECK_EQ(value, iterations);
  OK(cusolverDnIRSInfosGetMaxIters(infos, &value));
  CHECK_EQ(value, 30);
  double *history = nullptr;
  OK(cusolverDnIRSInfosGetResidualHistory(infos, (void **)&history));
  CHECK(history != nullptr && history[iterations] < history[0]);
  CHECK_EQ(cusolverDnIRSXgesv(handle, irs, infos, n, nrhs, a, a.ld, b, b.ld, x, x.ld, w.on_device,
                              0, &iterations, info),
           CUSOLVER_STATUS_INVALID_WORKSPACE);
  OK(cusolverDnIRSXgels_bufferSize(handle, irs, n, n, nrhs, &w.device));
  OK(cusolverDnIRSXgels(handle, irs, infos, n, n, nrhs, a, a.ld, b, b.ld, x, x.ld, w.get(),
                        w.device, &iterations, info));
  CHECK_NEAR(difference(x.read(), X), 0, 1e-10);
  OK(cusolverDnIRSInfosDestroy(infos));
  OK(cusolverDnIRSParamsDestroy(irs));
}

__global__ void wait(const volatile int *flag) {
  while (!*flag)
    __nanosleep(1000);
}
__global__ void fill(double *a, int n, int ld, double value) {
  for (int i = threadIdx.x; i < n * n; i += blockDim.x)
    a[i % n + i / n * ld] = i % n == i / n ? value : 0;
}

/// A call comes after what its stream has to do, and returns before.
void streamOrder() {
  const int n = 8;
  cudaStream_t stream, found;
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cusolverDnSetStream(handle, stream));
  OK(cusolverDnGetStream(handle, &found));
  CHECK_EQ(found, stream);
  Dev<double> a(identity(n)), work(64 * n, 1);
  Ints info(1);
  int *flag;
  CHECK_CUDA(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
  *flag = 0;
  wait<<<1, 1, 0, stream>>>(flag);
  fill<<<1, 32, 0, stream>>>(a, n, a.ld, 16);
  OK(cusolverDnDpotrf(handle, Lower, n, a, a.ld, work, 64 * n, info));
  *flag = 1;
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(info[0], 0);
  CHECK_NEAR(a.read()(3, 3).real(), 4, 1e-12);
  // A graph of a kernel and two calls, launched twice.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  Dev<double> b(n, 1, 0);
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  fill<<<1, 32, 0, stream>>>(a, n, a.ld, 4);
  OK(cusolverDnDpotrf(handle, Lower, n, a, a.ld, work, 64 * n, info));
  OK(cusolverDnDpotrs(handle, Lower, n, 1, a, a.ld, b, n, info));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  Mat ones(n, 1);
  for (auto &v : ones.a)
    v = 32;
  b.write(ones);
  for (const double expected : {8.0, 2.0}) {
    CHECK_CUDA(cudaGraphLaunch(exec, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_NEAR(b.read()(5, 0).real(), expected, 1e-12);
  }
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphDestroy(graph));
  OK(cusolverDnSetStream(handle, nullptr));
  CHECK_CUDA(cudaFreeHost(flag));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void twoThreads() {
  std::atomic<int> good{0};
  const auto body = [&](int seed) {
    cusolverDnHandle_t own;
    cudaStream_t stream;
    bool fine = cusolverDnCreate(&own) == CUSOLVER_STATUS_SUCCESS &&
                cudaStreamCreate(&stream) == cudaSuccess &&
                cusolverDnSetStream(own, stream) == CUSOLVER_STATUS_SUCCESS;
    const int n = 24;
    const Mat A = hermitian<double>(n, seed, true), X = general<double>(n, 1, seed + 1);
    Dev<double> a(A), b(A * X), work(64 * n, 1);
    Ints info(1);
    for (int round = 0; round < 20; ++round) {
      a.write(A);
      b.write(A * X);
      fine = fine && !cusolverDnDpotrf(own, Lower, n, a, a.ld, work, 64 * n, info) &&
             !cusolverDnDpotrs(own, Lower, n, 1, a, a.ld, b, b.ld, info) &&
             difference(b.read(), X) < 1e-8;
    }
    good += fine && cusolverDnDestroy(own) == CUSOLVER_STATUS_SUCCESS;
    CHECK_CUDA(cudaStreamDestroy(stream));
  };
  std::thread first(body, 20), second(body, 30);
  first.join();
  second.join();
  CHECK_EQ(good.load(), 2);
}

std::atomic<int> messages{0};
void count(int, const char *function, const char *) {
  messages += std::string(function).find("getrf") != std::string::npos;
}

void logger() {
#if CUDART_VERSION < 13000 // CUDA 13.0 declares the functions, but its library does not have them
  int lwork;
  OK(cusolverDnLoggerSetFile(nullptr));
  OK(cusolverDnLoggerSetCallback(count));
  OK(cusolverDnLoggerSetLevel(5));
  OK(cusolverDnDgetrf_bufferSize(handle, 3, 3, nullptr, 3, &lwork));
  CHECK(messages > 0);
  const int before = messages;
  OK(cusolverDnLoggerSetMask(0));
  OK(cusolverDnDgetrf_bufferSize(handle, 3, 3, nullptr, 3, &lwork));
  CHECK_EQ(messages.load(), before);
  OK(cusolverDnLoggerOpenFile("/dev/null"));
  OK(cusolverDnLoggerSetCallback(nullptr));
  OK(cusolverDnLoggerForceDisable());
#endif
}

void statuses() {
  int version = 0, major = 0, minor = -1, patch = -1, lwork = 0;
  OK(cusolverGetVersion(&version));
  OK(cusolverGetProperty(MAJOR_VERSION, &major));
  OK(cusolverGetProperty(MINOR_VERSION, &minor));
  OK(cusolverGetProperty(PATCH_LEVEL, &patch));
  CHECK_EQ(version / 1000, major);
  CHECK_EQ(version, major * 1000 + minor * 100 + patch);
  cusolverDeterministicMode_t mode;
  OK(cusolverDnGetDeterministicMode(handle, &mode));
  CHECK_EQ(mode, CUSOLVER_DETERMINISTIC_RESULTS);
  OK(cusolverDnSetDeterministicMode(handle, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS));
  OK(cusolverDnGetDeterministicMode(handle, &mode));
  CHECK_EQ(mode, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  OK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_1));
  CHECK_EQ(cusolverDnDpotrf_bufferSize(handle, Lower, -1, nullptr, 1, &lwork), Invalid);
  CHECK_EQ(cusolverDnDgetrf_bufferSize(handle, 4, 4, nullptr, 3, &lwork), Invalid);
  CHECK_EQ(cusolverDnCreate(nullptr) == CUSOLVER_STATUS_SUCCESS, false);
  CHECK_EQ(cusolverDnDpotrf_bufferSize(nullptr, Lower, 1, nullptr, 1, &lwork),
           CUSOLVER_STATUS_NOT_INITIALIZED);
  // Nothing to do is done.
  Ints info(1);
  Dev<double> a(1, 1);
  OK(cusolverDnDpotrf(handle, Lower, 0, a, 1, a, 64, info));
  CHECK_EQ(info[0], 0);
#ifdef __clang__ // NVIDIA does not say what happens
  cusolverDnHandle_t gone;
  OK(cusolverDnCreate(&gone));
  OK(cusolverDnDestroy(gone));
  CHECK_EQ(cusolverDnDpotrf_bufferSize(gone, Lower, 1, a, 1, &lwork),
           CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_EQ(cusolverDnXpotrs(handle, params, Lower, int64_t(1) << 31, 1, CUDA_R_64F, a,
                            int64_t(1) << 31, CUDA_R_64F, a, int64_t(1) << 31, info),
           CUSOLVER_STATUS_NOT_SUPPORTED);
#endif
}

template <typename T> void all() {
  linear<T>();
  reflectors<T>();
  eigen<T>();
  singular<T>();
}

} // namespace

int main() {
  OK(cusolverDnCreate(&handle));
  OK(cusolverDnCreateParams(&params));
  statuses();
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
#if CUDART_VERSION < 13000
  firstGeneration();
#endif
  REFINED(ZZ, cuDoubleComplex);
  REFINED(ZC, cuDoubleComplex);
  REFINED(ZK, cuDoubleComplex);
  REFINED(ZE, cuDoubleComplex);
  REFINED(ZY, cuDoubleComplex);
  REFINED(CC, cuComplex);
  REFINED(CK, cuComplex);
  REFINED(CE, cuComplex);
  REFINED(CY, cuComplex);
  REFINED(DD, double);
  REFINED(DS, double);
  REFINED(DH, double);
  REFINED(DB, double);
  REFINED(DX, double);
  REFINED(SS, float);
  REFINED(SH, float);
  REFINED(SB, float);
  REFINED(SX, float);
  refinementObjects();
  streamOrder();
  twoThreads();
  logger();
  OK(cusolverDnDestroyParams(params));
  OK(cusolverDnDestroy(handle));
  RETURN_RESULT();
}
