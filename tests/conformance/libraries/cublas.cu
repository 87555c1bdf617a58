// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublas
//
// cuBLAS as a library: handles and their settings, streams, graphs, threads, copies, logging,
// cublasXt, and batches of factorisations.
#include "cublas_check.h"

#include <cublasXt.h>
#include <cublas_v2.h>
#include <thread>

namespace {

cublasHandle_t handle;
const auto bad = CUBLAS_STATUS_INVALID_VALUE;

void testSettings() {
  int version = 0, count = 0, major = 0;
  cudaStream_t stream, found;
  cublasPointerMode_t pointers;
  cublasAtomicsMode_t atomics;
  cublasMath_t math;
  OK(cublasGetVersion(handle, &version));
  CHECK(version >= 120000);
  OK(cublasGetProperty(MAJOR_VERSION, &major));
  CHECK_EQ(major, version / 10000);
  CHECK(cublasGetCudartVersion() >= 12000);
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cublasSetStream(handle, stream));
  OK(cublasGetStream(handle, &found));
  CHECK(found == stream);
  OK(cublasSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  OK(cublasGetPointerMode(handle, &pointers));
  CHECK_EQ(pointers, CUBLAS_POINTER_MODE_DEVICE);
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  OK(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
  OK(cublasGetAtomicsMode(handle, &atomics));
  CHECK_EQ(atomics, CUBLAS_ATOMICS_ALLOWED);
  OK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  OK(cublasGetMathMode(handle, &math));
  CHECK_EQ(math, CUBLAS_PEDANTIC_MATH);
  OK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
  OK(cublasSetSmCountTarget(handle, 8));
  OK(cublasGetSmCountTarget(handle, &count));
  CHECK_EQ(count, 8);
  OK(cublasSetSmCountTarget(handle, 0));
  void *workspace;
  CHECK_CUDA(cudaMalloc(&workspace, 1 << 20));
  OK(cublasSetWorkspace(handle, workspace, 1 << 20));
  OK(cublasSetStream(handle, nullptr)); // back to its own
  CHECK_CUDA(cudaFree(workspace));
}

void testLife() {
  cublasHandle_t other;
  float result;
  const Vector<float> a(4, 1);
  OK(cublasCreate(&other));
  OK(cublasDestroy(other));
  CHECK_EQ(cublasCreate(nullptr), bad);
  CHECK_EQ(cublasSasum(nullptr, 4, a, 1, &result), CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
#ifdef __clang__ // Heddle notices; NVIDIA's library follows the pointer
  CHECK_EQ(cublasSasum(other, 4, a, 1, &result), CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(cublasDestroy(other), CUBLAS_STATUS_NOT_INITIALIZED);
#endif
  CHECK(std::string(cublasGetStatusName(bad)) == "CUBLAS_STATUS_INVALID_VALUE");
  CHECK(std::strlen(cublasGetStatusString(bad)) > 5);
}

__global__ void slowFill(float *x, int n, float v) {
  float sum = 0;
  for (int i = 0; i < 20000; ++i)
    sum = sum * 0.5f + 1;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i] = sum > 0 ? v : 0;
}

void testStreamsAndGraphs() {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cublasSetStream(handle, stream));
  // In order with kernels of the stream, on both sides.
  const Vector<float> x(64, 1), y(64, 2);
  float alpha = 2;
  slowFill<<<1, 64, 0, stream>>>(x, 64, 3);
  slowFill<<<1, 64, 0, stream>>>(y, 64, 1);
  OK(cublasSaxpy(handle, 64, &alpha, x, 1, y, 1));
  slowFill<<<1, 64, 0, stream>>>(x, 64, 5);
  OK(cublasSaxpy(handle, 64, &alpha, x, 1, y, 1));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(y[63], 1 + 2 * 3 + 2 * 5.0f);
  // A captured call runs as often as its graph; its host scalar is the one of the call.
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cublasSaxpy(handle, 64, &alpha, x, 1, y, 1));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  alpha = 100;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphDestroy(graph));
  for (int i = 0; i < 3; ++i)
    CHECK_CUDA(cudaGraphLaunch(executable, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(y[0], 17 + 3 * 2 * 5.0f);
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  OK(cublasSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void testThreads() {
  // Two threads, each with a handle and a stream of its own; then both with the same handle.
  double worst[2] = {1, 1};
  for (bool shared : {false, true}) {
    std::thread threads[2];
    for (int t = 0; t < 2; ++t)
      threads[t] = std::thread([=, &worst] {
        cublasHandle_t own = handle;
        if (!shared)
          OK(cublasCreate(&own));
        const int n = 24;
        const Vector<float> a(n * n, t), b(n * n, t + 1), c(n * n, t + 2);
        const float one = 1, zero = 0;
        for (int i = 0; i < 20; ++i)
          cublasSgemm(own, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
        worst[t] =
            difference(c.read(), (dense(a.read(), n, n, n) * dense(b.read(), n, n, n)).values);
        if (!shared)
          OK(cublasDestroy(own));
      });
    for (auto &thread : threads)
      thread.join();
    CHECK_NEAR(worst[0], 0, 1e-4);
    CHECK_NEAR(worst[1], 0, 1e-4);
  }
}

#define COPIES(E)                                                                                  \
  void testCopies##E() {                                                                           \
    const int n = 5, host_step = 2, step = 3;                                                      \
    cudaStream_t stream;                                                                           \
    CHECK_CUDA(cudaStreamCreate(&stream));                                                         \
    for (bool async : {false, true}) {                                                             \
      DeviceBuffer<double> device(30);                                                             \
      std::vector<double> host(12), back(12, -1);                                                  \
      for (int i = 0; i < 12; ++i)                                                                 \
        host[i] = i + 1;                                                                           \
      if (async) {                                                                                 \
        OK(cublasSetVectorAsync##E(n, 8, host.data(), host_step, device.data(), step, stream));    \
        OK(cublasGetVectorAsync##E(n, 8, device.data(), step, back.data(), host_step, stream));    \
      } else {                                                                                     \
        OK(cublasSetVector##E(n, 8, host.data(), host_step, device.data(), step));                 \
        OK(cublasGetVector##E(n, 8, device.data(), step, back.data(), host_step));                 \
      }                                                                                            \
      CHECK_CUDA(cudaStreamSynchronize(stream));                                                   \
      const auto there = device.download();                                                        \
      for (int i = 0; i < n; ++i) {                                                                \
        CHECK_EQ(there[step * i], host[host_step * i]);                                            \
        CHECK_EQ(back[host_step * i], host[host_step * i]);                                        \
        CHECK_EQ(back[host_step * i + 1], -1);                                                     \
      }                                                                                            \
      if (async) {                                                                                 \
        OK(cublasSetMatrixAsync##E(2, 3, 8, host.data(), 4, device.data(), 7, stream));            \
        OK(cublasGetMatrixAsync##E(2, 3, 8, device.data(), 7, back.data(), 3, stream));            \
      } else {                                                                                     \
        OK(cublasSetMatrix##E(2, 3, 8, host.data(), 4, device.data(), 7));                         \
        OK(cublasGetMatrix##E(2, 3, 8, device.data(), 7, back.data(), 3));                         \
      }                                                                                            \
      CHECK_CUDA(cudaStreamSynchronize(stream));                                                   \
      for (int j = 0; j < 3; ++j)                                                                  \
        for (int i = 0; i < 2; ++i)                                                                \
          CHECK_EQ(back[i + 3 * j], host[i + 4 * j]);                                              \
      CHECK_EQ(cublasSetVector##E(3, 0, host.data(), 1, device.data(), 1), bad);                   \
      CHECK_EQ(cublasSetMatrix##E(5, 3, 8, host.data(), 4, device.data(), 7),                      \
               CUBLAS_STATUS_MAPPING_ERROR); /* as the copy of rows that overlap is refused */     \
      cudaGetLastError(); /* NVIDIA's library leaves the copy's error there, and then fails */     \
    }                                                                                              \
    CHECK_CUDA(cudaStreamDestroy(stream));                                                         \
  }
COPIES()
COPIES(_64)

int logged = 0;
void count(const char *) { ++logged; }

void testLogging() {
  cublasLogCallback found = nullptr;
  OK(cublasSetLoggerCallback(count));
  OK(cublasGetLoggerCallback(&found));
  CHECK(found == count);
  OK(cublasLoggerConfigure(1, 0, 0, nullptr));
  const Vector<float> x(4, 1);
  float result;
  OK(cublasSasum(handle, 4, x, 1, &result));
  CHECK(logged >= 1);
  OK(cublasLoggerConfigure(0, 0, 0, nullptr));
  OK(cublasSetLoggerCallback(nullptr));
  cublasXerbla("test", 3); // says so on stderr
}

/// cublasXt does on the host's memory what cuBLAS does on the device's.
template <typename T, typename R> struct XtCase {
  static constexpr int m = 5, n = 4, size = 40;
  const Vector<T> a{size, 1}, b{size, 2}, c{size, 3}, d{size, 3};
  const Scalars<T> s{false};
  const Scalars<R> real{false, 3};
  template <typename Xt, typename Plain> void check(Xt xt, Plain plain) {
    OK(xt(c.data));
    CHECK_CUDA(cudaDeviceSynchronize());
    OK(plain(d.data));
    CHECK_NEAR(difference(c.read(), d.read()), 0, tolerance<T>);
  }
};

#define XT(P, name, ...)                                                                           \
  x.check([&](auto *to) { return cublasXt##P##name(xt, __VA_ARGS__); },                            \
          [&](auto *to) { return cublas##P##name(handle, __VA_ARGS__); });
#define XT_ALL(P, T)                                                                               \
  {                                                                                                \
    XtCase<T, T> x;                                                                                \
    const T *a = x.a, *b = x.b, *al = x.s.alpha, *be = x.s.beta;                                   \
    XT(P, gemm, N, N, 5, 4, 3, al, a, 6, b, 6, be, to, 6)                                          \
    XT(P, syrk, up, N, 5, 3, al, a, 6, be, to, 6)                                                  \
    XT(P, syr2k, up, N, 5, 3, al, a, 6, b, 6, be, to, 6)                                           \
    XT(P, syrkx, up, N, 5, 3, al, a, 6, b, 6, be, to, 6)                                           \
    XT(P, symm, left, up, 5, 4, al, a, 6, b, 6, be, to, 6)                                         \
    XT(P, trsm, left, up, N, unit, 5, 4, al, a, 6, to, 6)                                          \
    XT(P, trmm, left, up, N, unit, 5, 4, al, a, 6, b, 6, to, 6)                                    \
    /* A packed triangle of rank 3 on the left, in column order. */                                \
    const Vector<T> full(9, 7), packed(6, 0);                                                      \
    for (int j = 0, p = 0; j < 3; ++j)                                                             \
      for (int i = 0; i <= j; ++i)                                                                 \
        packed.data[p++] = full.data[i + 3 * j];                                                   \
    x.check(                                                                                       \
        [&](auto *to) {                                                                            \
          return cublasXt##P##spmm(xt, left, up, 3, 4, al, packed, b, 6, be, to, 6);               \
        },                                                                                         \
        [&](auto *to) {                                                                            \
          return cublas##P##symm(handle, left, up, 3, 4, al, full, 3, b, 6, be, to, 6);            \
        });                                                                                        \
  }
#define XT_COMPLEX(P, T, R)                                                                        \
  {                                                                                                \
    XtCase<T, R> x;                                                                                \
    const T *a = x.a, *b = x.b, *al = x.s.alpha, *be = x.s.beta;                                   \
    const R *ra = x.real.alpha, *rb = x.real.beta;                                                 \
    XT(P, herk, up, N, 5, 3, ra, a, 6, rb, to, 6)                                                  \
    XT(P, her2k, up, N, 5, 3, al, a, 6, b, 6, rb, to, 6)                                           \
    XT(P, herkx, up, N, 5, 3, al, a, 6, b, 6, rb, to, 6)                                           \
    XT(P, hemm, left, up, 5, 4, al, a, 6, b, 6, be, to, 6)                                         \
  }

void testXt() {
  const auto N = CUBLAS_OP_N;
  const auto up = CUBLAS_FILL_MODE_UPPER;
  const auto left = CUBLAS_SIDE_LEFT;
  const auto unit = CUBLAS_DIAG_UNIT;
  cublasXtHandle_t xt;
  OK(cublasXtCreate(&xt));
  int devices[] = {0}, dim = 0, boards = 0;
  [[maybe_unused]] int none[] = {1000};
  OK(cublasXtDeviceSelect(xt, 1, devices));
#ifdef __clang__ // NVIDIA does not say in what state the handle is then
  CHECK_EQ(cublasXtDeviceSelect(xt, 1, none) == CUBLAS_STATUS_SUCCESS, false);
#endif
  OK(cublasXtSetBlockDim(xt, 512));
  OK(cublasXtGetBlockDim(xt, &dim));
  CHECK_EQ(dim, 512);
  cublasXtPinnedMemMode_t pinning;
  OK(cublasXtSetPinningMemMode(xt, CUBLASXT_PINNING_ENABLED));
  OK(cublasXtGetPinningMemMode(xt, &pinning));
  CHECK_EQ(pinning, CUBLASXT_PINNING_ENABLED);
  // Managed memory, which the cases below are in, cannot be pinned (cudaHostRegister).
  OK(cublasXtSetPinningMemMode(xt, CUBLASXT_PINNING_DISABLED));
  OK(cublasXtGetNumBoards(1, devices, &boards));
  CHECK_EQ(boards, 1);
  OK(cublasXtMaxBoards(&boards));
  CHECK(boards >= 1);
  OK(cublasXtSetCpuRatio(xt, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0.0f));
#ifdef __clang__ // Heddle looks at the number of the routine
  CHECK_EQ(cublasXtSetCpuRoutine(xt, CUBLASXT_ROUTINE_MAX, CUBLASXT_FLOAT, nullptr), bad);
#endif
  XT_ALL(S, float)
  XT_ALL(D, double)
  XT_ALL(C, cuComplex)
  XT_ALL(Z, cuDoubleComplex)
  XT_COMPLEX(C, cuComplex, float)
  XT_COMPLEX(Z, cuDoubleComplex, double)
  OK(cublasXtDestroy(xt));
}

template <typename T> struct Lapack;
#define LAPACK(P, T)                                                                               \
  template <> struct Lapack<T> {                                                                   \
    static constexpr auto getrf = cublas##P##getrfBatched;                                         \
    static constexpr auto getrs = cublas##P##getrsBatched;                                         \
    static constexpr auto getri = cublas##P##getriBatched;                                         \
    static constexpr auto matinv = cublas##P##matinvBatched;                                       \
    static constexpr auto geqrf = cublas##P##geqrfBatched;                                         \
    static constexpr auto gels = cublas##P##gelsBatched;                                           \
    static constexpr auto tpttr = cublas##P##tpttr;                                                \
    static constexpr auto trttp = cublas##P##trttp;                                                \
  };
LAPACK(S, float)
LAPACK(D, double)
LAPACK(C, cuComplex)
LAPACK(Z, cuDoubleComplex)

constexpr int order = 5, ld = 6, stride = 40;

/// Two matrices far from singular, and their table.
template <typename T> struct Batch {
  const Vector<T> memory;
  T **table;
  explicit Batch(int seed) : memory(2 * stride, seed) {
    CHECK_CUDA(cudaMallocManaged(&table, 2 * sizeof(T *)));
    for (int i = 0; i < 2; ++i) {
      table[i] = memory.data + stride * i;
      for (int j = 0; j < order; ++j)
        table[i][(j + 1) % order + j * ld] = Make<T>::from({4.0 + j, 1}); // rows must be exchanged
    }
  }
  ~Batch() { CHECK_CUDA(cudaFree(table)); }
  Dense get(int i, int rows = order, int columns = order) const {
    return dense(memory.read(), rows, columns, ld, stride * i);
  }
};

double identityError(const Dense &product) {
  double worst = 0;
  for (int j = 0; j < product.columns; ++j)
    for (int i = 0; i < product.rows; ++i)
      worst = std::max(worst, std::abs(product(i, j) - Number(i == j)));
  return worst;
}

template <typename T> void testLu(bool pivoting) {
  using L = Lapack<T>;
  Batch<T> a(1), b(2), inverse(3);
  if (!pivoting)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < order; ++j)
        a.table[i][j + j * ld] = Make<T>::from({9, 1});
  const Dense before[] = {a.get(0), a.get(1)}, right[] = {b.get(0, order, 2), b.get(1, order, 2)};
  const Vector<int> pivots(2 * order, 0), info(2, 1);
  int *const p = pivoting ? pivots.data : nullptr;
  OK(L::getrf(handle, order, a.table, ld, p, info, 2));
  int host_info = 5;
  OK(L::getrs(handle, CUBLAS_OP_N, order, 2, a.table, ld, p, b.table, ld, &host_info, 2));
  CHECK_EQ(host_info, 0);
  OK(L::getri(handle, order, a.table, ld, p, inverse.table, ld, info, 2));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i) {
    CHECK_EQ(info[i], 0);
    CHECK_NEAR(difference((before[i] * b.get(i, order, 2)).values, right[i].values), 0,
               20 * tolerance<T>);
    CHECK_NEAR(identityError(before[i] * inverse.get(i)), 0, 20 * tolerance<T>);
  }
  // The transposed system.
  Batch<T> c(2);
  OK(L::getrs(handle, CUBLAS_OP_T, order, 2, a.table, ld, p, c.table, ld, &host_info, 2));
  CHECK_NEAR(difference((apply(1, before[1]) * c.get(1, order, 2)).values, right[1].values), 0,
             20 * tolerance<T>);
  CHECK_EQ(
      L::getrs(handle, CUBLAS_OP_N, order, 2, a.table, order - 1, p, c.table, ld, &host_info, 2),
      bad);
  CHECK(host_info < 0);
}

template <typename T> void testInverseAndSingular() {
  using L = Lapack<T>;
  Batch<T> a(4), inverse(5);
  const Vector<int> info(2, 1), pivots(2 * order, 0);
  OK(L::matinv(handle, order, a.table, ld, inverse.table, ld, info, 2));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(info[0], 0);
  CHECK_NEAR(identityError(a.get(1) * inverse.get(1)), 0, 20 * tolerance<T>);
  for (int i = 0; i < order; ++i) // a column of zeros: the third pivot is zero
    a.table[1][i + 2 * ld] = Make<T>::from(0);
  OK(L::getrf(handle, order, a.table, ld, pivots, info, 2));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(info[0], 0);
  CHECK_EQ(info[1], 3);
}

/// QR: R^H R is A^H A; and least squares leave a residual that is orthogonal to A.
template <typename T> void testQr() {
  using L = Lapack<T>;
  const int columns = 3, rows = order;
  Batch<T> a(6), tau(7), x(8);
  const Dense before = a.get(1, rows, columns), right = x.get(1, rows, 2);
  int info = 5;
  OK(L::geqrf(handle, rows, columns, a.table, ld, tau.table, &info, 2));
  CHECK_EQ(info, 0);
  Dense r = a.get(1, columns, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = j + 1; i < columns; ++i)
      r(i, j) = 0;
  CHECK_NEAR(difference((apply(2, r) * r).values, (apply(2, before) * before).values), 0,
             100 * tolerance<T>);
  Batch<T> b(6);
  const Vector<int> each(2, 1);
  OK(L::gels(handle, CUBLAS_OP_N, rows, columns, 2, b.table, ld, x.table, ld, &info, each, 2));
  CHECK_EQ(info, 0);
  const Dense residual = before * x.get(1, columns, 2) + Number(-1) * right;
  CHECK_NEAR(difference((apply(2, before) * residual).values, Dense(columns, 2).values), 0,
             100 * tolerance<T>);
  CHECK_EQ(each[1], 0);
}

template <typename T> void testPacking() {
  using L = Lapack<T>;
  for (auto uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    const Vector<T> packed(15, 1), full(30, 2), again(15, 3);
    auto expected = full.read();
    for (int j = 0; j < order; ++j)
      for (int i = 0; i < order; ++i)
        if (inside(uplo, i, j))
          expected[size_t(i + j * ld)] = value(packed[place(Packed, uplo, i, j, order, ld, 0)]);
    OK(L::tpttr(handle, uplo, order, packed, full, ld));
    COMPARE(T, full, expected);
    OK(L::trttp(handle, uplo, order, full, ld, again));
    COMPARE(T, again, packed.read());
  }
}

template <typename T> void testFactorizations() {
  testLu<T>(true);
  testLu<T>(false);
  testInverseAndSingular<T>();
  testQr<T>();
  testPacking<T>();
}

} // namespace

int main() {
  OK(cublasCreate(&handle));
  testSettings();
  testLife();
  testStreamsAndGraphs();
  testThreads();
  testCopies();
  testCopies_64();
  testXt();
  testFactorizations<float>();
  testFactorizations<double>();
  testFactorizations<cuComplex>();
  testFactorizations<cuDoubleComplex>();
  testLogging();
  OK(cublasDestroy(handle));
  RETURN_RESULT();
}
