// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublas
//
// cuBLAS: every function against sums written out in double, with int and int64_t sizes, scalars of
// the host and the device; order of streams, graphs, and what bad arguments are answered with.
#include "../check.h"

#include <complex>
#include <cublas_v2.h>

namespace {

using Number = std::complex<double>;
cublasHandle_t handle;

Number value(float v) { return v; }
Number value(double v) { return v; }
template <typename T> Number value(T v) { return {v.x, v.y}; }
template <typename T> T make(Number v) {
  if constexpr (std::is_arithmetic_v<T>)
    return T(v.real());
  else {
    T result;
    result.x = decltype(result.x)(v.real());
    result.y = decltype(result.y)(v.imag());
    return result;
  }
}

template <typename T> struct Vector {
  T *data;
  int count;
  Vector(int count, int seed) : count(count) {
    CHECK_CUDA(cudaMallocManaged(&data, count * sizeof(T)));
    for (int i = 0; i < count; ++i)
      data[i] = make<T>({((seed + i * 37) % 17 - 8) / 8.0, ((seed + i * 23) % 13 - 6) / 8.0});
  }
  ~Vector() { cudaFree(data); }
  std::vector<Number> read() const {
    CHECK_CUDA(cudaDeviceSynchronize());
    std::vector<Number> all;
    for (int i = 0; i < count; ++i)
      all.push_back(value(data[i]));
    return all;
  }
};

template <typename T> void compare(const Vector<T> &actual, const std::vector<Number> &expected) {
  const auto values = actual.read();
  double worst = 0;
  for (int i = 0; i < actual.count; ++i)
    worst = std::max(worst, std::abs(values[i] - expected[i]));
  CHECK_NEAR(worst, 0.0, 1e-4);
}

// op(A)(row, column) of a matrix with leading dimension ld.
Number element(const std::vector<Number> &a, int ld, cublasOperation_t op, int row, int column) {
  const Number v = op == CUBLAS_OP_N ? a[row + column * ld] : a[column + row * ld];
  return op == CUBLAS_OP_C ? std::conj(v) : v;
}

#define OK(call) CHECK_EQ(call, CUBLAS_STATUS_SUCCESS)

#define TEST_TYPE(P, T, E)                                                                         \
  void test##P##E(bool on_device) {                                                                \
    OK(cublasSetPointerMode(handle,                                                                \
                            on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));   \
    Vector<T> scalars(2, 5), x(40, 1), y(40, 2), a(64, 3), b(64, 4), c(64, 6);                     \
    T host[2] = {scalars.data[0], scalars.data[1]};                                                \
    const T *alpha = on_device ? scalars.data : host, *beta = alpha + 1;                           \
    const Number al = value(host[0]), be = value(host[1]);                                         \
    auto vx = x.read(), vy = y.read(), va = a.read(), vb = b.read(), vc = c.read();                \
    OK(cublas##P##axpy##E(handle, 10, alpha, x.data, 2, y.data, -3));                              \
    for (int i = 0; i < 10; ++i)                                                                   \
      vy[27 - 3 * i] += al * vx[2 * i];                                                            \
    compare(y, vy);                                                                                \
    OK(cublas##P##swap##E(handle, 11, x.data, 1, y.data, 2));                                      \
    for (int i = 0; i < 11; ++i)                                                                   \
      std::swap(vx[i], vy[2 * i]);                                                                 \
    compare(y, vy);                                                                                \
    compare(x, vx);                                                                                \
    OK(cublas##P##copy##E(handle, 9, x.data, 3, y.data, 1));                                       \
    for (int i = 0; i < 9; ++i)                                                                    \
      vy[i] = vx[3 * i];                                                                           \
    compare(y, vy);                                                                                \
    OK(cublas##P##scal##E(handle, 12, alpha, x.data, 2));                                          \
    for (int i = 0; i < 12; ++i)                                                                   \
      vx[2 * i] *= al;                                                                             \
    compare(x, vx);                                                                                \
    for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {                                      \
      const int m = 7, n = 5, rows = op == CUBLAS_OP_N ? m : n, columns = 12 - rows;               \
      OK(cublas##P##gemv##E(handle, op, m, n, alpha, a.data, 8, x.data, 1, beta, y.data, 2));      \
      for (int i = 0; i < rows; ++i) {                                                             \
        vy[2 * i] *= be;                                                                           \
        for (int j = 0; j < columns; ++j)                                                          \
          vy[2 * i] += al * element(va, 8, op, i, j) * vx[j];                                      \
      }                                                                                            \
      compare(y, vy);                                                                              \
    }                                                                                              \
    const int m = 4, n = 3, k = 2;                                                                 \
    auto expect = [&](cublasOperation_t ta, cublasOperation_t tb, int a0, int b0, int c0) {        \
      const std::vector<Number> pa(va.begin() + a0, va.end()), pb(vb.begin() + b0, vb.end());      \
      for (int j = 0; j < n; ++j)                                                                  \
        for (int i = 0; i < m; ++i) {                                                              \
          Number &to = vc[c0 + i + j * 5];                                                         \
          to *= be;                                                                                \
          for (int l = 0; l < k; ++l)                                                              \
            to += al * element(pa, 5, ta, i, l) * element(pb, 4, tb, l, j);                        \
        }                                                                                          \
    };                                                                                             \
    T **tables;                                                                                    \
    CHECK_CUDA(cudaMallocManaged(&tables, 6 * sizeof(T *)));                                       \
    for (int i = 0; i < 2; ++i) {                                                                  \
      tables[i] = a.data + 20 * i;                                                                 \
      tables[2 + i] = b.data + 16 * i;                                                             \
      tables[4 + i] = c.data + 30 * i;                                                             \
    }                                                                                              \
    for (auto ta : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})                                        \
      for (auto tb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {                                    \
        OK(cublas##P##gemm##E(handle, ta, tb, m, n, k, alpha, a.data, 5, b.data, 4, beta, c.data,  \
                              5));                                                                 \
        expect(ta, tb, 0, 0, 0);                                                                   \
        compare(c, vc);                                                                            \
        OK(cublas##P##gemmStridedBatched##E(handle, ta, tb, m, n, k, alpha, a.data, 5, 20, b.data, \
                                            4, 16, beta, c.data, 5, 30, 2));                       \
        expect(ta, tb, 0, 0, 0);                                                                   \
        expect(ta, tb, 20, 16, 30);                                                                \
        compare(c, vc);                                                                            \
        OK(cublas##P##gemmBatched##E(handle, ta, tb, m, n, k, alpha, tables, 5, tables + 2, 4,     \
                                     beta, tables + 4, 5, 2));                                     \
        expect(ta, tb, 0, 0, 0);                                                                   \
        expect(ta, tb, 20, 16, 30);                                                                \
        compare(c, vc);                                                                            \
      }                                                                                            \
    CHECK_CUDA(cudaFree(tables));                                                                  \
  }
#define TEST_TYPES(E)                                                                              \
  TEST_TYPE(S, float, E)                                                                           \
  TEST_TYPE(D, double, E)                                                                          \
  TEST_TYPE(C, cuComplex, E)                                                                       \
  TEST_TYPE(Z, cuDoubleComplex, E)
TEST_TYPES()
TEST_TYPES(_64)

#define TEST_REDUCTIONS(P, T, E)                                                                   \
  void reductions##P##E(bool on_device) {                                                          \
    OK(cublasSetPointerMode(handle,                                                                \
                            on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));   \
    Vector<T> x(40, 1), y(40, 2), results(3, 0);                                                   \
    T host[3], *to = on_device ? results.data : host;                                              \
    OK(cublas##P##dot##E(handle, 9, x.data, 2, y.data, -4, to));                                   \
    OK(cublas##P##nrm2##E(handle, 12, x.data, 3, to + 1));                                         \
    OK(cublas##P##asum##E(handle, 12, x.data, 3, to + 2));                                         \
    if (on_device)                                                                                 \
      CHECK_CUDA(cudaDeviceSynchronize());                                                         \
    double dot = 0, squares = 0, sum = 0;                                                          \
    for (int i = 0; i < 9; ++i)                                                                    \
      dot += double(x.data[2 * i]) * y.data[32 - 4 * i];                                           \
    for (int i = 0; i < 12; ++i) {                                                                 \
      squares += double(x.data[3 * i]) * x.data[3 * i];                                            \
      sum += std::fabs(x.data[3 * i]);                                                             \
    }                                                                                              \
    CHECK_NEAR(double(to[0]), dot, 1e-5);                                                          \
    CHECK_NEAR(double(to[1]), std::sqrt(squares), 1e-5);                                           \
    CHECK_NEAR(double(to[2]), sum, 1e-5);                                                          \
  }
TEST_REDUCTIONS(S, float, )
TEST_REDUCTIONS(D, double, )
TEST_REDUCTIONS(S, float, _64)
TEST_REDUCTIONS(D, double, _64)

void testHandle() {
  int version = 0;
  cudaStream_t stream, found;
  cublasPointerMode_t pointers;
  cublasMath_t math;
  OK(cublasGetVersion(handle, &version));
  CHECK(version >= 120405);
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cublasSetStream(handle, stream));
  OK(cublasGetStream(handle, &found));
  CHECK(found == stream);
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  OK(cublasGetPointerMode(handle, &pointers));
  CHECK_EQ(pointers, CUBLAS_POINTER_MODE_DEVICE);
  OK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  OK(cublasGetMathMode(handle, &math));
  CHECK_EQ(math, CUBLAS_PEDANTIC_MATH);
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));

  // A captured call runs as often as its graph; its host scalar is the one of the call.
  Vector<float> x(8, 1), y(8, 2);
  const float x0 = x.data[0], y0 = y.data[0];
  float alpha = 2;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cublasSaxpy(handle, 8, &alpha, x.data, 1, y.data, 1));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  alpha = 100;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphDestroy(graph));
  for (int i = 0; i < 3; ++i)
    CHECK_CUDA(cudaGraphLaunch(executable, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(y.data[0], y0 + 6 * x0);
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  OK(cublasSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void testZeroBeta() {
  // What beta = 0 multiplies is not read.
  Vector<float> a(4, 1), c(4, 2);
  c.data[0] = c.data[3] = NAN;
  const float alpha = 1, beta = 0;
  OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, a.data, 2, a.data, 2, &beta,
                 c.data, 2));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_NEAR(c.data[0], a.data[0] * a.data[0] + a.data[2] * a.data[1], 1e-6);
}

void testBadArguments() {
  Vector<float> a(16, 1);
  const float one = 1, *none = nullptr;
  float result;
  const auto N = CUBLAS_OP_N;
  const auto bad = CUBLAS_STATUS_INVALID_VALUE;
  auto gemm = [&](cublasOperation_t op, int m, int lda, int ldb, int ldc, const float *alpha) {
    return cublasSgemm(handle, op, N, m, 4, 4, alpha, a.data, lda, a.data, ldb, &one, a.data, ldc);
  };
  CHECK_EQ(gemm(cublasOperation_t(7), 4, 4, 4, 4, &one), bad);
  CHECK_EQ(gemm(N, -1, 4, 4, 4, &one), bad);
  CHECK_EQ(gemm(N, 4, 3, 4, 4, &one), bad);
  CHECK_EQ(gemm(N, 4, 4, 3, 4, &one), bad);
  CHECK_EQ(gemm(N, 4, 4, 4, 3, &one), bad);
  CHECK_EQ(gemm(N, 4, 4, 4, 4, none), bad);
  CHECK_EQ(gemm(N, 0, 4, 4, 4, &one), CUBLAS_STATUS_SUCCESS);
  CHECK_EQ(cublasSgemv(handle, N, 4, 4, &one, a.data, 4, a.data, 0, &one, a.data, 1), bad);
  CHECK_EQ(cublasSdot(handle, 4, a.data, 1, a.data, 1, nullptr), bad);
  CHECK_EQ(cublasSaxpy(handle, -4, &one, a.data, 1, a.data, 1), CUBLAS_STATUS_SUCCESS);
  CHECK_EQ(cublasSasum(nullptr, 4, a.data, 1, &result), CUBLAS_STATUS_NOT_INITIALIZED);
  cublasHandle_t other;
  OK(cublasCreate(&other));
  OK(cublasDestroy(other));
  CHECK_EQ(cublasSasum(other, 4, a.data, 1, &result), CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(cublasDestroy(other), CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(cublasCreate(nullptr), bad);
  CHECK(std::strcmp(cublasGetStatusName(bad), "CUBLAS_STATUS_INVALID_VALUE") == 0);
  CHECK(std::strlen(cublasGetStatusString(bad)) > 10);
}

} // namespace

int main() {
  OK(cublasCreate(&handle));
  for (bool on_device : {false, true}) {
    testS(on_device), testD(on_device), testC(on_device), testZ(on_device);
    testS_64(on_device), testD_64(on_device), testC_64(on_device), testZ_64(on_device);
    reductionsS(on_device), reductionsD(on_device);
    reductionsS_64(on_device), reductionsD_64(on_device);
  }
  testHandle();
  testZeroBeta();
  testBadArguments();
  OK(cublasDestroy(handle));
  RETURN_RESULT();
}
