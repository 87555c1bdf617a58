// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublas
//
// cuBLAS, level 1: every function in every type, with int and int64_t sizes, scalars and results of
// the host and the device, and the functions whose element types are arguments.
#include "cublas_check.h"

#include <cublas_v2.h>

namespace {

cublasHandle_t handle;
constexpr int n = 10;

/// cuBLAS's functions by type and by the type of sizes. Mixed forms have an R.
template <typename T, bool Long> struct Api;
#define COMMON(P, small, norm, E)                                                                  \
  static constexpr auto axpy = cublas##P##axpy##E;                                                 \
  static constexpr auto copy = cublas##P##copy##E;                                                 \
  static constexpr auto swap = cublas##P##swap##E;                                                 \
  static constexpr auto scal = cublas##P##scal##E;                                                 \
  static constexpr auto rot = cublas##P##rot##E;                                                   \
  static constexpr auto amax = cublasI##small##amax##E;                                            \
  static constexpr auto amin = cublasI##small##amin##E;                                            \
  static constexpr auto nrm2 = cublas##norm##nrm2##E;                                              \
  static constexpr auto asum = cublas##norm##asum##E;
#define REAL(P, small, T, I, E, Long)                                                              \
  template <> struct Api<T, Long> {                                                                \
    COMMON(P, small, P, E)                                                                         \
    using Real = T;                                                                                \
    using Index = I;                                                                               \
    static constexpr auto dot = cublas##P##dot##E;                                                 \
    static constexpr auto rotm = cublas##P##rotm##E;                                               \
  };
#define COMPLEX(P, small, norm, mixed, T, R, I, E, Long)                                           \
  template <> struct Api<T, Long> {                                                                \
    COMMON(P, small, norm, E)                                                                      \
    using Real = R;                                                                                \
    using Index = I;                                                                               \
    static constexpr auto dot = cublas##P##dotu##E;                                                \
    static constexpr auto dotc = cublas##P##dotc##E;                                               \
    static constexpr auto scalR = cublas##mixed##scal##E;                                          \
    static constexpr auto rotR = cublas##mixed##rot##E;                                            \
  };
REAL(S, s, float, int, , false)
REAL(D, d, double, int, , false)
REAL(S, s, float, int64_t, _64, true)
REAL(D, d, double, int64_t, _64, true)
COMPLEX(C, c, Sc, Cs, cuComplex, float, int, , false)
COMPLEX(Z, z, Dz, Zd, cuDoubleComplex, double, int, , false)
COMPLEX(C, c, Sc, Cs, cuComplex, float, int64_t, _64, true)
COMPLEX(Z, z, Dz, Zd, cuDoubleComplex, double, int64_t, _64, true)

double magnitude(Number v) { return std::fabs(v.real()) + std::fabs(v.imag()); }

template <typename T, bool Long> void testVectors(bool on_device) {
  using F = Api<T, Long>;
  const Scalars<T> s(on_device);
  const Vector<T> x(40, 1), y(40, 2);
  auto vx = x.read(), vy = y.read();
  OK(F::axpy(handle, n, s.alpha, x, 2, y, -3));
  for (int i = 0; i < n; ++i)
    vy[place(i, n, -3)] += s.a * vx[2 * i];
  COMPARE(T, y, vy);
  OK(F::swap(handle, 11, x, 1, y, 2));
  for (int i = 0; i < 11; ++i)
    std::swap(vx[i], vy[2 * i]);
  COMPARE(T, y, vy);
  COMPARE(T, x, vx);
  OK(F::copy(handle, 9, x, -3, y, 1));
  for (int i = 0; i < 9; ++i)
    vy[i] = vx[place(i, 9, -3)];
  COMPARE(T, y, vy);
  OK(F::scal(handle, 12, s.alpha, x, 2));
  for (int i = 0; i < 12; ++i)
    vx[2 * i] *= s.a;
  COMPARE(T, x, vx);
  if constexpr (is_complex<T>) {
    const Scalars<typename F::Real> real(on_device, 3);
    OK(F::scalR(handle, 12, real.alpha, x, 2));
    for (int i = 0; i < 12; ++i)
      vx[2 * i] *= real.a;
    COMPARE(T, x, vx);
  }
}

template <typename T, bool Long> void testRotations(bool on_device) {
  using F = Api<T, Long>;
  using R = typename F::Real;
  const Scalars<T> s(on_device);
  const Scalars<R> real(on_device, 3);
  const Vector<T> x(40, 1), y(40, 2);
  auto vx = x.read(), vy = y.read();
  const auto turn = [&](Number c, Number sine) {
    for (int i = 0; i < n; ++i) {
      Number &a = vx[2 * i], &b = vy[place(i, n, -3)];
      const Number first = a, second = b;
      a = c * first + sine * second;
      b = c * second - std::conj(sine) * first;
    }
  };
  OK(F::rot(handle, n, x, 2, y, -3, real.alpha, s.alpha));
  turn(real.a, s.a);
  COMPARE(T, x, vx);
  COMPARE(T, y, vy);
  if constexpr (is_complex<T>) {
    OK(F::rotR(handle, n, x, 2, y, -3, real.alpha, real.beta));
    turn(real.a, real.b);
    COMPARE(T, x, vx);
    COMPARE(T, y, vy);
  } else
    for (int flag : {-2, -1, 0, 1}) {
      Vector<T> memory(5, 6);
      T host[5] = {T(flag), memory[1], memory[2], memory[3], memory[4]};
      memory.data[0] = T(flag);
      OK(F::rotm(handle, n, x, 2, y, -3, on_device ? memory.data : host));
      const double h[] = {flag == -1 || flag == 1 ? host[1] : 1.0,
                          flag == -1 || flag == 0 ? host[2]
                          : flag == 1             ? -1.0
                                                  : 0.0,
                          flag == -1 || flag == 0 ? host[3]
                          : flag == 1             ? 1.0
                                                  : 0.0,
                          flag == -1 || flag == 1 ? host[4] : 1.0};
      for (int i = 0; i < n; ++i) {
        Number &a = vx[2 * i], &b = vy[place(i, n, -3)];
        const Number first = a, second = b;
        a = h[0] * first + h[2] * second;
        b = h[1] * first + h[3] * second;
      }
      COMPARE(T, x, vx);
      COMPARE(T, y, vy);
    }
}

template <typename T, bool Long> void testReductions(bool on_device) {
  using F = Api<T, Long>;
  using R = typename F::Real;
  const Vector<T> x(40, 1), y(40, 2), dots(2, 0);
  const Vector<R> norms(2, 0);
  typename F::Index *places, host_places[2], *ip = host_places;
  CHECK_CUDA(cudaMallocManaged(&places, 2 * sizeof *places));
  T host_dots[2], *dp = host_dots;
  R host_norms[2], *np = host_norms;
  if (on_device)
    ip = places, dp = dots, np = norms;
  OK(F::dot(handle, n, x, 2, y, -4, dp));
  if constexpr (is_complex<T>)
    OK(F::dotc(handle, n, x, 2, y, -4, dp + 1));
  OK(F::nrm2(handle, 12, x, 3, np));
  OK(F::asum(handle, 12, x, 3, np + 1));
  OK(F::amax(handle, 12, x, 3, ip));
  OK(F::amin(handle, 12, x, 3, ip + 1));
  if (on_device)
    CHECK_CUDA(cudaDeviceSynchronize());
  const auto vx = x.read(), vy = y.read();
  Number dot = 0, dotc = 0;
  for (int i = 0; i < n; ++i) {
    dot += vx[2 * i] * vy[place(i, n, -4)];
    dotc += std::conj(vx[2 * i]) * vy[place(i, n, -4)];
  }
  double squares = 0, sum = 0;
  int most = 0, least = 0;
  for (int i = 0; i < 12; ++i) {
    squares += std::norm(vx[3 * i]);
    sum += magnitude(vx[3 * i]);
    most = magnitude(vx[3 * i]) > magnitude(vx[3 * most]) ? i : most;
    least = magnitude(vx[3 * i]) < magnitude(vx[3 * least]) ? i : least;
  }
  CHECK_NEAR(std::abs(value(dp[0]) - dot), 0, tolerance<T>);
  if constexpr (is_complex<T>)
    CHECK_NEAR(std::abs(value(dp[1]) - dotc), 0, tolerance<T>);
  CHECK_NEAR(double(np[0]), std::sqrt(squares), tolerance<T>);
  CHECK_NEAR(double(np[1]), sum, tolerance<T>);
  CHECK_EQ(ip[0], most + 1);
  CHECK_EQ(ip[1], least + 1);
  CHECK_CUDA(cudaFree(places));
}

template <typename T> struct Maker;
#define MAKER(P, T)                                                                                \
  template <> struct Maker<T> {                                                                    \
    static constexpr auto rotg = cublas##P##rotg;                                                  \
  };
MAKER(S, float)
MAKER(D, double)
MAKER(C, cuComplex)
MAKER(Z, cuDoubleComplex)

/// rotg makes c and s so that b becomes zero, and a the length.
template <typename T> void testRotg(bool on_device) {
  using R = typename Api<T, false>::Real;
  const Vector<T> memory(3, 4);
  const Vector<R> cosine(1, 0);
  T host[3] = {memory[0], memory[1], memory[2]};
  R host_cosine, *c = on_device ? cosine.data : &host_cosine;
  T *a = on_device ? memory.data : host;
  const Number x = value(a[0]), y = value(a[1]);
  OK(Maker<T>::rotg(handle, a, a + 1, c, a + 2));
  CHECK_CUDA(cudaDeviceSynchronize());
  const Number s = value(a[2]);
  CHECK_NEAR(std::abs(value(a[0]) - (double(*c) * x + s * y)), 0, tolerance<T>);
  CHECK_NEAR(std::abs(double(*c) * y - std::conj(s) * x), 0, tolerance<T>);
  CHECK_NEAR(double(*c) * *c + std::norm(s), 1, tolerance<T>);
}

template <typename T, typename F> void testRotmg(bool on_device, F rotmg) {
  // Modified rotations keep d1 x1^2 + d2 y1^2 and leave nothing of y.
  const Vector<T> memory(9, 0);
  T host[9];
  T *v = on_device ? memory.data : host;
  v[0] = T(2), v[1] = T(3), v[2] = T(0.5), v[3] = T(1.25);
  OK(rotmg(handle, v, v + 1, v + 2, v + 3, v + 4));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_NEAR(double(v[0] * v[2] * v[2]), 2 * 0.25 + 3 * 1.5625, 1e-4);
  CHECK_EQ(v[4], T(1)); // the flag: |d1 x1^2| < |d2 y1^2|
  CHECK_NEAR(double(-0.5 + v[8] * 1.25), 0, 1e-6);
}

/// The functions with types as arguments: E elements, S scalars and results, computed in X.
template <typename E, typename S>
void testEx(bool on_device, cudaDataType e, cudaDataType s, cudaDataType x_type, double allowed) {
  const Scalars<S> scalars(on_device);
  const Vector<E> x(40, 1), y(40, 2);
  auto vx = x.read(), vy = y.read();
#define CLOSE CHECK_NEAR(difference(x.read(), vx) + difference(y.read(), vy), 0, allowed)
#define EX(E)                                                                                      \
  OK(cublasAxpyEx##E(handle, n, scalars.alpha, s, x.data, e, 2, y.data, e, -3, x_type));           \
  for (int i = 0; i < n; ++i)                                                                      \
    vy[place(i, n, -3)] += scalars.a * vx[2 * i];                                                  \
  CLOSE;                                                                                           \
  OK(cublasScalEx##E(handle, n, scalars.alpha, s, y.data, e, 2, x_type));                          \
  for (int i = 0; i < n; ++i)                                                                      \
    vy[2 * i] *= scalars.a;                                                                        \
  CLOSE;                                                                                           \
  OK(cublasSwapEx##E(handle, n, x.data, e, 2, y.data, e, -3));                                     \
  for (int i = 0; i < n; ++i)                                                                      \
    std::swap(vx[2 * i], vy[place(i, n, -3)]);                                                     \
  CLOSE;                                                                                           \
  OK(cublasCopyEx##E(handle, n, x.data, e, 3, y.data, e, 2));                                      \
  for (int i = 0; i < n; ++i)                                                                      \
    vy[2 * i] = vx[3 * i];                                                                         \
  CLOSE;
  EX()
  EX(_64)
}

template <typename E, typename R, typename X>
void testExReductions(bool on_device, cudaDataType e, cudaDataType r, cudaDataType x_type,
                      double allowed) {
  const Vector<E> x(40, 1), y(40, 2);
  const Vector<E> dots(4, 0);
  const Vector<R> norms(4, 0);
  Vector<int> places(4, 0);
  int64_t *long_places;
  CHECK_CUDA(cudaMallocManaged(&long_places, 2 * sizeof(int64_t)));
  E host_dots[4], *dp = on_device ? dots.data : host_dots;
  R host_norms[4], *np = on_device ? norms.data : host_norms;
  OK(cublasDotEx(handle, n, x.data, e, 2, y.data, e, -4, dp, e, x_type));
  OK(cublasDotcEx(handle, n, x.data, e, 2, y.data, e, -4, dp + 1, e, x_type));
  OK(cublasDotEx_64(handle, n, x.data, e, 2, y.data, e, -4, dp + 2, e, x_type));
  OK(cublasDotcEx_64(handle, n, x.data, e, 2, y.data, e, -4, dp + 3, e, x_type));
  const cudaDataType norm_type = is_complex<E> ? r : x_type;
  OK(cublasNrm2Ex(handle, 12, x.data, e, 3, np, r, norm_type));
  OK(cublasNrm2Ex_64(handle, 12, x.data, e, 3, np + 1, r, norm_type));
  const cublasStatus_t summed = cublasAsumEx(handle, 12, x.data, e, 3, np + 2, r, norm_type);
  CHECK_EQ(cublasAsumEx_64(handle, 12, x.data, e, 3, np + 3, r, norm_type), summed);
#ifdef __clang__ // CUDA 13.0's has no sums of the types of 16 bits, Heddle has
  CHECK_EQ(summed, CUBLAS_STATUS_SUCCESS);
#else
  CHECK(summed == CUBLAS_STATUS_SUCCESS ||
        (sizeof(E) == 2 && summed == CUBLAS_STATUS_NOT_SUPPORTED));
#endif
  OK(cublasIamaxEx(handle, 12, x.data, e, 3, places.data));
  OK(cublasIaminEx(handle, 12, x.data, e, 3, places.data + 1));
  OK(cublasIamaxEx_64(handle, 12, x.data, e, 3, long_places));
  OK(cublasIaminEx_64(handle, 12, x.data, e, 3, long_places + 1));
  const auto vx = x.read(), vy = y.read();
  Number dot = 0, dotc = 0;
  for (int i = 0; i < n; ++i) {
    dot += vx[2 * i] * vy[place(i, n, -4)];
    dotc += std::conj(vx[2 * i]) * vy[place(i, n, -4)];
  }
  double squares = 0, sum = 0;
  int most = 0, least = 0;
  for (int i = 0; i < 12; ++i) {
    squares += std::norm(vx[3 * i]);
    sum += magnitude(vx[3 * i]);
    most = magnitude(vx[3 * i]) > magnitude(vx[3 * most]) ? i : most;
    least = magnitude(vx[3 * i]) < magnitude(vx[3 * least]) ? i : least;
  }
  for (int i = 0; i < 2; ++i) {
    CHECK_NEAR(std::abs(value(dp[2 * i]) - dot), 0, allowed);
    CHECK_NEAR(std::abs(value(dp[2 * i + 1]) - dotc), 0, allowed);
    CHECK_NEAR(value(np[i]).real(), std::sqrt(squares), allowed);
    if (summed == CUBLAS_STATUS_SUCCESS)
      CHECK_NEAR(value(np[2 + i]).real(), sum, allowed);
  }
  CHECK_EQ(places[0], most + 1);
  CHECK_EQ(places[1], least + 1);
  CHECK_EQ(long_places[0], most + 1);
  CHECK_EQ(long_places[1], least + 1);
  CHECK_CUDA(cudaFree(long_places));
}

/// The rotations with types as arguments do what those with types in their names do.
void testExRotations() {
  const float c = 0.6f, s = 0.8f, param[5] = {-1, 0.5f, 2, -1, 0.25f};
  const Vector<float> x(30, 1), y(30, 2), u(30, 1), v(30, 2);
  const auto f = CUDA_R_32F;
#define SAME CHECK_NEAR(difference(x.read(), u.read()) + difference(y.read(), v.read()), 0, 1e-5)
#define ROTATIONS(E)                                                                               \
  OK(cublasRotEx##E(handle, n, x.data, f, 2, y.data, f, -1, &c, &s, f, f));                        \
  OK(cublasSrot##E(handle, n, u, 2, v, -1, &c, &s));                                               \
  SAME;                                                                                            \
  OK(cublasRotmEx##E(handle, n, x.data, f, 2, y.data, f, -1, param, f, f));                        \
  OK(cublasSrotm##E(handle, n, u, 2, v, -1, param));                                               \
  SAME;
  ROTATIONS()
  ROTATIONS(_64)
  float a[2][4] = {{3, 4, 0, 0}, {3, 4, 0, 0}};
  OK(cublasRotgEx(handle, a[0], a[0] + 1, f, a[0] + 2, a[0] + 3, f, f));
  OK(cublasSrotg(handle, a[1], a[1] + 1, a[1] + 2, a[1] + 3));
  float b[2][9] = {{2, 3, 0.5f, 1.25f}, {2, 3, 0.5f, 1.25f}};
  OK(cublasRotmgEx(handle, b[0], f, b[0] + 1, f, b[0] + 2, f, b[0] + 3, f, b[0] + 4, f, f));
  OK(cublasSrotmg(handle, b[1], b[1] + 1, b[1] + 2, b[1] + 3, b[1] + 4));
  for (int i = 0; i < 4; ++i)
    CHECK_NEAR(a[0][i], a[1][i], 1e-6);
  for (int i = 0; i < 9; ++i)
    CHECK_NEAR(b[0][i], b[1][i], 1e-6);
}

template <typename T> void testType(bool on_device) {
  testVectors<T, false>(on_device), testVectors<T, true>(on_device);
  testRotations<T, false>(on_device), testRotations<T, true>(on_device);
  testReductions<T, false>(on_device), testReductions<T, true>(on_device);
  testRotg<T>(on_device);
}

void testNothing() {
  // No elements: vectors may be null, results are zero.
  float result = 5;
  int index = 5;
  const float one = 1;
  OK(cublasSnrm2(handle, 0, nullptr, 1, &result));
  CHECK_EQ(result, 0.0f);
  OK(cublasIsamax(handle, 0, nullptr, 1, &index));
  CHECK_EQ(index, 0);
  OK(cublasSaxpy(handle, -4, &one, nullptr, 1, nullptr, 1));
}

void testBadArguments() {
  const Vector<float> x(8, 1);
  [[maybe_unused]] const float *none = nullptr;
  const float one = 1;
  float result;
#ifdef __clang__ // Heddle looks at these pointers; NVIDIA's library follows them
  CHECK_EQ(cublasSdot(handle, 4, x, 1, x, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(cublasSscal(handle, 4, none, x, 1), CUBLAS_STATUS_INVALID_VALUE);
#endif
  CHECK_EQ(cublasSasum(nullptr, 4, x, 1, &result), CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQ(cublasAxpyEx(handle, 4, &one, CUDA_R_32F, x.data, CUDA_R_16F, 1, x.data, CUDA_R_16F, 1,
                        CUDA_R_8I),
           CUBLAS_STATUS_NOT_SUPPORTED);
}

} // namespace

int main() {
  OK(cublasCreate(&handle));
  for (bool on_device : {false, true}) {
    OK(cublasSetPointerMode(handle,
                            on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
    testType<float>(on_device);
    testType<double>(on_device);
    testType<cuComplex>(on_device);
    testType<cuDoubleComplex>(on_device);
    testRotmg<float>(on_device, cublasSrotmg);
    testRotmg<double>(on_device, cublasDrotmg);
    testEx<__half, float>(on_device, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, 0.01);
    testEx<__nv_bfloat16, float>(on_device, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, 0.05);
    testEx<float, float>(on_device, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 1e-5);
    testEx<double, double>(on_device, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 1e-12);
    testEx<cuComplex, cuComplex>(on_device, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, 1e-5);
    testExReductions<float, float, float>(on_device, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 1e-5);
    testExReductions<double, double, double>(on_device, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 1e-12);
    testExReductions<__half, __half, float>(on_device, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, 0.01);
    testExReductions<__nv_bfloat16, __nv_bfloat16, float>(on_device, CUDA_R_16BF, CUDA_R_16BF,
                                                          CUDA_R_32F, 0.06);
  }
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  testExRotations();
  testNothing();
  testBadArguments();
  OK(cublasDestroy(handle));
  RETURN_RESULT();
}
