// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublas
//
// cuBLAS, level 2: every function in every type, with int and int64_t sizes, scalars of the host
// and the device, every triangle, operation and sign of steps, against dense sums in double.
#include "cublas_check.h"

#include <cublas_v2.h>

namespace {

cublasHandle_t handle;
constexpr int n = 6, m = 7, ld = 9, bands = 2, size = 100;
const cublasFillMode_t uplos[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

/// cuBLAS's functions by type and by the type of sizes.
template <typename T, bool Long> struct Api;
#define COMMON(P, T, E)                                                                            \
  static constexpr auto gemv = cublas##P##gemv##E;                                                 \
  static constexpr auto gbmv = cublas##P##gbmv##E;                                                 \
  static constexpr auto trmv = cublas##P##trmv##E;                                                 \
  static constexpr auto trsv = cublas##P##trsv##E;                                                 \
  static constexpr auto tpmv = cublas##P##tpmv##E;                                                 \
  static constexpr auto tpsv = cublas##P##tpsv##E;                                                 \
  static constexpr auto tbmv = cublas##P##tbmv##E;                                                 \
  static constexpr auto tbsv = cublas##P##tbsv##E;                                                 \
  static constexpr auto symv = cublas##P##symv##E;                                                 \
  static constexpr auto syr = cublas##P##syr##E;                                                   \
  static constexpr auto syr2 = cublas##P##syr2##E;                                                 \
  static constexpr auto gemvBatched = cublas##P##gemvBatched##E;                                   \
  static constexpr auto gemvStridedBatched = cublas##P##gemvStridedBatched##E;
#define REAL(P, T, E, Long)                                                                        \
  template <> struct Api<T, Long> {                                                                \
    COMMON(P, T, E)                                                                                \
    using Real = T;                                                                                \
    static constexpr auto sbmv = cublas##P##sbmv##E;                                               \
    static constexpr auto spmv = cublas##P##spmv##E;                                               \
    static constexpr auto ger = cublas##P##ger##E;                                                 \
    static constexpr auto spr = cublas##P##spr##E;                                                 \
    static constexpr auto spr2 = cublas##P##spr2##E;                                               \
  };
#define COMPLEX(P, T, R, E, Long)                                                                  \
  template <> struct Api<T, Long> {                                                                \
    COMMON(P, T, E)                                                                                \
    using Real = R;                                                                                \
    static constexpr auto hemv = cublas##P##hemv##E;                                               \
    static constexpr auto sbmv = cublas##P##hbmv##E;                                               \
    static constexpr auto spmv = cublas##P##hpmv##E;                                               \
    static constexpr auto ger = cublas##P##geru##E;                                                \
    static constexpr auto gerc = cublas##P##gerc##E;                                               \
    static constexpr auto her = cublas##P##her##E;                                                 \
    static constexpr auto spr = cublas##P##hpr##E;                                                 \
    static constexpr auto her2 = cublas##P##her2##E;                                               \
    static constexpr auto spr2 = cublas##P##hpr2##E;                                               \
  };
REAL(S, float, , false)
REAL(D, double, , false)
REAL(S, float, _64, true)
REAL(D, double, _64, true)
COMPLEX(C, cuComplex, float, , false)
COMPLEX(Z, cuDoubleComplex, double, , false)
COMPLEX(C, cuComplex, float, _64, true)
COMPLEX(Z, cuDoubleComplex, double, _64, true)

template <typename T, bool Long> void testGeneral(bool on_device) {
  using F = Api<T, Long>;
  const Scalars<T> s(on_device);
  for (auto op : operations)
    for (int step : {1, -2}) {
      const Vector<T> a(size, 1), x(30, 2), y(30, 3);
      auto expected = y.read();
      const int in = op == CUBLAS_OP_N ? n : m, out = op == CUBLAS_OP_N ? m : n;
      const Dense full = dense(a.read(), m, n, ld);
      const auto vx = column(x.read(), in, step);
      OK(F::gemv(handle, op, m, n, s.alpha, a, ld, x, step, s.beta, y, 2));
      put(expected, s.a * (apply(op, full) * vx) + s.b * column(expected, out, 2), out, 2, true);
      COMPARE(T, y, expected);
      // Column j of the bands begins with row j - ku of the matrix.
      const int kl = 1, ku = 2;
      const auto va = a.read();
      Dense banded(m, n);
      for (int j = 0; j < n; ++j)
        for (int i = std::max(0, j - ku); i < std::min(m, j + kl + 1); ++i)
          banded(i, j) = va[size_t(ku + i - j + j * ld)];
      OK(F::gbmv(handle, op, m, n, kl, ku, s.alpha, a, ld, x, step, s.beta, y, 2));
      put(expected, s.a * (apply(op, banded) * vx) + s.b * column(expected, out, 2), out, 2, true);
      COMPARE(T, y, expected);
    }
}

/// Products with a triangular matrix, and back.
template <typename T, typename Multiply, typename Solve>
void testTriangle(Storage storage, cublasFillMode_t uplo, cublasOperation_t op,
                  cublasDiagType_t diag, int step, Multiply multiply, Solve solve) {
  const Vector<T> a(size, 4), x(30, 5);
  for (int i = 0; i < n; ++i) // far from singular
    a[place(storage, uplo, i, i, n, ld, bands)] = Make<T>::from({3.0 + i % 2, 0.5});
  const Dense full =
      expand(a.read(), storage, diag ? UnitTriangular : Triangular, uplo, n, ld, bands);
  const auto before = x.read();
  auto expected = before;
  put(expected, apply(op, full) * column(before, n, step), n, step, true);
  OK(multiply(a.data, x.data, step));
  COMPARE(T, x, expected);
  OK(solve(a.data, x.data, step));
  CHECK_NEAR(difference(x.read(), before), 0, 20 * tolerance<T>);
}

template <typename T, bool Long> void testTriangles() {
  using F = Api<T, Long>;
  for (auto uplo : uplos)
    for (auto op : operations)
      for (auto diag : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
        for (int step : {1, -2}) {
          testTriangle<T>(
              Full, uplo, op, diag, step,
              [=](T *a, T *x, int s) { return F::trmv(handle, uplo, op, diag, n, a, ld, x, s); },
              [=](T *a, T *x, int s) { return F::trsv(handle, uplo, op, diag, n, a, ld, x, s); });
          testTriangle<T>(
              Packed, uplo, op, diag, step,
              [=](T *a, T *x, int s) { return F::tpmv(handle, uplo, op, diag, n, a, x, s); },
              [=](T *a, T *x, int s) { return F::tpsv(handle, uplo, op, diag, n, a, x, s); });
          testTriangle<T>(
              Banded, uplo, op, diag, step,
              [=](T *a, T *x, int s) {
                return F::tbmv(handle, uplo, op, diag, n, bands, a, ld, x, s);
              },
              [=](T *a, T *x, int s) {
                return F::tbsv(handle, uplo, op, diag, n, bands, a, ld, x, s);
              });
        }
}

template <typename T, typename Call>
void testSymmetric(const Scalars<T> &s, Storage storage, Kind kind, cublasFillMode_t uplo,
                   Call call) {
  const Vector<T> a(size, 7), x(30, 8), y(30, 9);
  auto expected = y.read();
  const Dense full = expand(a.read(), storage, kind, uplo, n, ld, bands);
  put(expected, s.a * (full * column(x.read(), n, -2)) + s.b * column(expected, n, 3), n, 3, true);
  OK(call(a.data, x.data, y.data));
  COMPARE(T, y, expected);
}

template <typename T, bool Long> void testSymmetrics(bool on_device) {
  using F = Api<T, Long>;
  const Scalars<T> s(on_device);
  constexpr Kind kind = is_complex<T> ? Hermitian : Symmetric;
  for (auto uplo : uplos) {
    testSymmetric<T>(s, Full, Symmetric, uplo, [&](T *a, T *x, T *y) {
      return F::symv(handle, uplo, n, s.alpha, a, ld, x, -2, s.beta, y, 3);
    });
    if constexpr (is_complex<T>)
      testSymmetric<T>(s, Full, Hermitian, uplo, [&](T *a, T *x, T *y) {
        return F::hemv(handle, uplo, n, s.alpha, a, ld, x, -2, s.beta, y, 3);
      });
    testSymmetric<T>(s, Banded, kind, uplo, [&](T *a, T *x, T *y) {
      return F::sbmv(handle, uplo, n, bands, s.alpha, a, ld, x, -2, s.beta, y, 3);
    });
    testSymmetric<T>(s, Packed, kind, uplo, [&](T *a, T *x, T *y) {
      return F::spmv(handle, uplo, n, s.alpha, a, x, -2, s.beta, y, 3);
    });
  }
}

/// What an update adds to one triangle of memory, or (uplo < 0) to a whole matrix.
void add(std::vector<Number> &a, const Dense &what, Storage storage, int uplo, bool hermitian) {
  for (int j = 0; j < what.columns; ++j)
    for (int i = 0; i < what.rows; ++i)
      if (uplo < 0 || inside(uplo, i, j)) {
        Number &to = a[size_t(uplo < 0 ? i + j * ld : place(storage, uplo, i, j, n, ld, 0))];
        to += what(i, j);
        if (hermitian && i == j)
          to = to.real(); // imaginary parts of the diagonal are set to zero
      }
}

template <typename T, typename Call>
void testUpdate(Storage storage, int uplo, bool hermitian, const Dense &what, Call call) {
  const Vector<T> a(size, 10);
  auto expected = a.read();
  OK(call(a.data));
  add(expected, what, storage, uplo, hermitian);
  COMPARE(T, a, expected);
}

template <typename T, bool Long> void testUpdates(bool on_device) {
  using F = Api<T, Long>;
  using R = typename F::Real;
  const Scalars<T> s(on_device);
  const Scalars<R> real(on_device);
  const Vector<T> x(30, 11), y(30, 12);
  const Dense vx = column(x.read(), n, 2), vy = column(y.read(), n, -1);
  const Dense tall = column(x.read(), m, 2);
  constexpr bool hermitian = is_complex<T>;
  constexpr int flip = hermitian ? 2 : 1;
  testUpdate<T>(Full, -1, false, s.a * (tall * apply(1, vy)),
                [&](T *a) { return F::ger(handle, m, n, s.alpha, x, 2, y, -1, a, ld); });
  if constexpr (hermitian)
    testUpdate<T>(Full, -1, false, s.a * (tall * apply(2, vy)),
                  [&](T *a) { return F::gerc(handle, m, n, s.alpha, x, 2, y, -1, a, ld); });
  const Dense one = vx * apply(1, vx), one_c = real.a * (vx * apply(flip, vx));
  const Dense two = s.a * (vx * apply(1, vy)) + s.a * (vy * apply(1, vx));
  const Dense two_c =
      s.a * (vx * apply(flip, vy)) + (hermitian ? std::conj(s.a) : s.a) * (vy * apply(flip, vx));
  for (auto uplo : uplos) {
    testUpdate<T>(Full, uplo, false, s.a * one,
                  [&](T *a) { return F::syr(handle, uplo, n, s.alpha, x, 2, a, ld); });
    testUpdate<T>(Packed, uplo, hermitian, one_c,
                  [&](T *a) { return F::spr(handle, uplo, n, real.alpha, x, 2, a); });
    testUpdate<T>(Full, uplo, false, two,
                  [&](T *a) { return F::syr2(handle, uplo, n, s.alpha, x, 2, y, -1, a, ld); });
    testUpdate<T>(Packed, uplo, hermitian, two_c,
                  [&](T *a) { return F::spr2(handle, uplo, n, s.alpha, x, 2, y, -1, a); });
    if constexpr (hermitian) {
      testUpdate<T>(Full, uplo, true, one_c,
                    [&](T *a) { return F::her(handle, uplo, n, real.alpha, x, 2, a, ld); });
      testUpdate<T>(Full, uplo, true, two_c,
                    [&](T *a) { return F::her2(handle, uplo, n, s.alpha, x, 2, y, -1, a, ld); });
    }
  }
}

/// gemvBatched and gemvStridedBatched: T is the type of A and x, V of y, S of the scalars.
template <typename T, typename V, typename S, typename Tables, typename Strided>
void testBatches(bool on_device, Tables tables, Strided strided, double allowed) {
  const Scalars<S> s(on_device);
  for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    const int in = op == CUBLAS_OP_N ? n : m, out = op == CUBLAS_OP_N ? m : n;
    const Vector<T> a(200, 13), x(40, 14);
    const Vector<V> y(40, 15), z(40, 15);
    auto expected = y.read();
    T **inputs;
    V **outputs;
    CHECK_CUDA(cudaMallocManaged(&inputs, 4 * sizeof(T *)));
    CHECK_CUDA(cudaMallocManaged(&outputs, 2 * sizeof(V *)));
    for (int i = 0; i < 2; ++i) {
      inputs[i] = a.data + 70 * i, inputs[2 + i] = x.data + 16 * i, outputs[i] = y.data + 18 * i;
      const auto vx = x.read();
      const Dense from = column({vx.begin() + 16 * i, vx.end()}, in, 2);
      std::vector<Number> to(expected.begin() + 18 * i, expected.end());
      put(to,
          s.a * (apply(op, dense(a.read(), m, n, ld, 70 * i)) * from) + s.b * column(to, out, 2),
          out, 2, true);
      std::copy(to.begin(), to.begin() + 2 * out, expected.begin() + 18 * i);
    }
    OK(tables(handle, op, m, n, s.alpha, inputs, ld, inputs + 2, 2, s.beta, outputs, 2, 2));
    CHECK_NEAR(difference(y.read(), expected), 0, allowed);
    OK(strided(handle, op, m, n, s.alpha, a.data, ld, 70, x.data, 2, 16, s.beta, z.data, 2, 18, 2));
    CHECK_NEAR(difference(z.read(), expected), 0, allowed);
    CHECK_CUDA(cudaFree(inputs));
    CHECK_CUDA(cudaFree(outputs));
  }
}

template <typename T, bool Long> void testType(bool on_device) {
  OK(cublasSetPointerMode(handle,
                          on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
  testGeneral<T, Long>(on_device);
  testTriangles<T, Long>();
  testSymmetrics<T, Long>(on_device);
  testUpdates<T, Long>(on_device);
  testBatches<T, T, T>(on_device, Api<T, Long>::gemvBatched, Api<T, Long>::gemvStridedBatched,
                       tolerance<T>);
}

#define HALF(P, T, V, E)                                                                           \
  testBatches<T, V, float>(on_device, cublas##P##gemvBatched##E, cublas##P##gemvStridedBatched##E, \
                           sizeof(V) == 4 ? 1e-4 : 0.02);

template <bool Long> void testSizes(bool on_device) {
  testType<float, Long>(on_device);
  testType<double, Long>(on_device);
  testType<cuComplex, Long>(on_device);
  testType<cuDoubleComplex, Long>(on_device);
}

void testZeroBeta() {
  // What beta = 0 multiplies is not read; alpha multiplies still.
  const float alpha = 2, beta = 0;
  const Vector<float> a(size, 1), x(30, 2), y(30, 3);
  for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    std::fill_n(y.data, 30, NAN);
    const int in = op == CUBLAS_OP_N ? n : m, out = op == CUBLAS_OP_N ? m : n;
    OK(cublasSgemv(handle, op, m, n, &alpha, a, ld, x, 1, &beta, y, 1));
    auto result = y.read();
    result.resize(size_t(out));
    CHECK_NEAR(
        difference(
            result,
            (Number(2) * (apply(op, dense(a.read(), m, n, ld)) * column(x.read(), in, 1))).values),
        0, 1e-4);
  }
  std::fill_n(y.data, 30, NAN);
  OK(cublasSsymv(handle, CUBLAS_FILL_MODE_UPPER, n, &alpha, a, ld, x, 1, &beta, y, 1));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    CHECK(std::isfinite(y[i]));
}

void testBadArguments() {
  const Vector<float> a(size, 1), x(30, 2), y(30, 3);
  const float one = 1;
  const auto bad = CUBLAS_STATUS_INVALID_VALUE;
  const auto N = CUBLAS_OP_N;
  const auto up = CUBLAS_FILL_MODE_UPPER;
  const auto unit = CUBLAS_DIAG_UNIT;
  CHECK_EQ(cublasSgemv(handle, N, m, n, &one, a, m - 1, x, 1, &one, y, 1), bad);
#ifdef __clang__ // Heddle does what is documented; an H100 with CUDA 13.0 takes these
  CHECK_EQ(cublasSgemv(handle, cublasOperation_t(9), m, n, &one, a, ld, x, 1, &one, y, 1), bad);
  CHECK_EQ(cublasSgemv(handle, N, -1, n, &one, a, ld, x, 1, &one, y, 1), bad);
  CHECK_EQ(cublasSgemv(handle, N, m, n, &one, a, ld, x, 0, &one, y, 1), bad);
#endif
  CHECK_EQ(cublasSgbmv(handle, N, m, n, 2, 2, &one, a, 4, x, 1, &one, y, 1), bad);
  CHECK_EQ(cublasStrmv(handle, cublasFillMode_t(5), N, unit, n, a, ld, x, 1), bad);
  CHECK_EQ(cublasStrsv(handle, up, N, cublasDiagType_t(4), n, a, ld, x, 1), bad);
  CHECK_EQ(cublasStpsv(handle, up, N, unit, -3, a, x, 1), bad);
  CHECK_EQ(cublasStbmv(handle, up, N, unit, n, 3, a, 3, x, 1), bad);
  CHECK_EQ(cublasSsymv(handle, up, n, &one, a, n - 1, x, 1, &one, y, 1), bad);
  CHECK_EQ(cublasSger(handle, m, n, &one, x, 1, y, 0, a, ld), bad);
  CHECK_EQ(cublasSsyr(handle, up, n, &one, x, 1, a, n - 1), bad);
  const cublasStatus_t negative_batch =
      cublasSgemvStridedBatched(handle, N, m, n, &one, a, ld, 0, x, 1, 0, &one, y, 1, 0, -1);
  CHECK(negative_batch == bad || negative_batch == CUBLAS_STATUS_EXECUTION_FAILED); // an H100
  CHECK_EQ(cublasSgemv(nullptr, N, m, n, &one, a, ld, x, 1, &one, y, 1),
           CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(cublasSgemv(handle, N, 0, n, &one, a, ld, x, 1, &one, y, 1), CUBLAS_STATUS_SUCCESS);
}

} // namespace

int main() {
  OK(cublasCreate(&handle));
  for (bool on_device : {false, true}) {
    testSizes<false>(on_device);
    testSizes<true>(on_device);
    HALF(HSH, __half, __half, )
    HALF(HSS, __half, float, )
    HALF(TST, __nv_bfloat16, __nv_bfloat16, )
    HALF(TSS, __nv_bfloat16, float, )
    HALF(HSH, __half, __half, _64)
    HALF(HSS, __half, float, _64)
    HALF(TST, __nv_bfloat16, __nv_bfloat16, _64)
    HALF(TSS, __nv_bfloat16, float, _64)
  }
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  testZeroBeta();
  testBadArguments();
  OK(cublasDestroy(handle));
  RETURN_RESULT();
}
