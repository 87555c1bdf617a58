// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcublas -lcublasLt
//
// Results of NVIDIA's library on a real GPU, in recorded/cublas.inc: those here differ from them by
// no more than a few times what NVIDIA's differ from sums in double precision. With the argument
// `record`, the program prints the file.
#include "cublas_check.h"

#include <cublasLt.h>
#include <cublas_v2.h>

namespace {

struct Recorded {
  const char *name;
  std::vector<double> numbers; // real and imaginary parts in turn
};
const std::vector<Recorded> recorded = {
#include "recorded/cublas.inc"
};

struct Case {
  std::string name;
  std::vector<Number> actual, expected;
  double epsilon; // of the type
};
std::vector<Case> cases;
cublasHandle_t handle;
constexpr int m = 16, n = 12, k = 24;

template <typename T> constexpr double epsilon = sizeof(T) == 2 ? 1e-3 : 1.2e-7;
template <> constexpr double epsilon<double> = 2.3e-16;
template <> constexpr double epsilon<cuDoubleComplex> = 2.3e-16;
template <> constexpr double epsilon<__nv_bfloat16> = 8e-3;
template <> constexpr double epsilon<int> = 0; // exact

template <typename T> void add(const char *name, const Vector<T> &actual, const Dense &expected) {
  auto numbers = actual.read();
  numbers.resize(expected.values.size());
  cases.push_back({name, numbers, expected.values, epsilon<T>});
}

/// Numbers of which no type holds all bits, rounded to the type as the library will see them.
template <typename T> struct Rough : Vector<T> {
  Rough(int count, int seed) : Vector<T>(count, 0) {
    for (int i = 0; i < count; ++i)
      this->data[i] = Make<T>::from(
          {((i + seed) * 7919 % 1009) / 997.0 - 0.4, ((i + seed) * 104729 % 1013) / 991.0 - 0.6});
  }
};

template <typename T>
void runGemm(const char *name, cudaDataType type, cublasComputeType_t compute) {
  using S = typename std::conditional<sizeof(T) == 2, float, T>::type;
  const Rough<T> a(m * k, 1), b(k * n, 2), c(m * n, 3);
  const S alpha = Make<S>::from({0.7, 0.1}), beta = Make<S>::from({-0.3, 0.2});
  const Dense expected = value(alpha) * (dense(a.read(), m, k, m) * dense(b.read(), k, n, k)) +
                         value(beta) * dense(c.read(), m, n, m);
  OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.data, type, m, b.data, type,
                  k, &beta, c.data, type, m, compute, CUBLAS_GEMM_DEFAULT));
  add(name, c, expected);
}

void runBytes() {
  const Vector<signed char> a(k * m, 1), b(k * n, 2);
  const Vector<int> c(m * n, 3);
  const int alpha = 3, beta = 0;
  OK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a.data, CUDA_R_8I, k, b.data,
                  CUDA_R_8I, k, &beta, c.data, CUDA_R_32I, m, CUBLAS_COMPUTE_32I,
                  CUBLAS_GEMM_DEFAULT));
  add("GemmEx, int8", c,
      Number(3) * (apply(1, dense(a.read(), k, m, k)) * dense(b.read(), k, n, k)));
}

template <typename T> struct Api;
#define API(P, T, norm, product)                                                                   \
  template <> struct Api<T> {                                                                      \
    static constexpr auto gemv = cublas##P##gemv;                                                  \
    static constexpr auto trsm = cublas##P##trsm;                                                  \
    static constexpr auto nrm2 = cublas##norm##nrm2;                                               \
    static constexpr auto dot = cublas##product;                                                   \
    static constexpr auto getrf = cublas##P##getrfBatched;                                         \
    static constexpr auto getrs = cublas##P##getrsBatched;                                         \
  };
API(S, float, S, Sdot)
API(D, double, D, Ddot)
API(Z, cuDoubleComplex, Dz, Zdotc)

template <typename T> void runVectors(const char *gemv, const char *dot) {
  const Rough<T> a(m * k, 4), x(k, 5), y(m, 6), z(k, 7), result(1, 0);
  const T alpha = Make<T>::from({0.7, 0.1}), beta = Make<T>::from({-0.3, 0.2});
  const Dense expected = value(alpha) * (dense(a.read(), m, k, m) * dense(x.read(), k, 1, k)) +
                         value(beta) * dense(y.read(), m, 1, m);
  OK(Api<T>::gemv(handle, CUBLAS_OP_N, m, k, &alpha, a, m, x, 1, &beta, y, 1));
  add(gemv, y, expected);
  T host;
  OK(Api<T>::dot(handle, k, x, 1, z, 1, &host));
  result.data[0] = host;
  add(dot, result, apply(2, dense(x.read(), k, 1, k)) * dense(z.read(), k, 1, k));
}

template <typename T> void runNorm(const char *name) {
  const Rough<T> x(m * k, 8), result(1, 0);
  T host;
  OK(Api<T>::nrm2(handle, m * k, x, 1, &host));
  result.data[0] = host;
  Dense expected(1, 1);
  for (Number v : x.read())
    expected(0, 0) += std::norm(v);
  expected(0, 0) = std::sqrt(expected(0, 0));
  add(name, result, expected);
}

/// Solutions are compared with x, from which the right sides were made.
template <typename T> void runSolutions(const char *trsm, const char *lu) {
  const Rough<T> a(m * m, 9), x(m * n, 10), b(m * n, 0), c(m * n, 0);
  for (int i = 0; i < m; ++i)
    a.data[i + i * m] = Make<T>::from({3.1 + i * 0.37, 0.7});
  const T one = Make<T>::from(1);
  const Dense full = dense(a.read(), m, m, m), right = dense(x.read(), m, n, m);
  const auto fill = [&](const Vector<T> &to, const Dense &from) {
    for (int i = 0; i < m * n; ++i)
      to.data[i] = Make<T>::from(from.values[size_t(i)]);
  };
  fill(b, expand(a.read(), Full, Triangular, 1, m, m, 0) * right);
  OK(Api<T>::trsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                  CUBLAS_DIAG_NON_UNIT, m, n, &one, a, m, b, m));
  add(trsm, b, right);
  fill(c, full * right);
  T **tables;
  CHECK_CUDA(cudaMallocManaged(&tables, 2 * sizeof(T *)));
  tables[0] = a, tables[1] = c;
  const Vector<int> pivots(m, 0), info(1, 0);
  int host_info = 0;
  OK(Api<T>::getrf(handle, m, tables, m, pivots, info, 1));
  OK(Api<T>::getrs(handle, CUBLAS_OP_N, m, n, tables, m, pivots, tables + 1, m, &host_info, 1));
  add(lu, c, right);
  CHECK_CUDA(cudaFree(tables));
}

/// cublasLt: half precision, with a bias and GELU.
void runGelu() {
  const Rough<__half> a(k * m, 11), b(k * n, 12), c(m * n, 13), bias(m, 14);
  const float alpha = 1, beta = 0;
  cublasLtHandle_t lt;
  cublasLtMatmulDesc_t op;
  cublasLtMatrixLayout_t la, lb, lc;
  const cublasOperation_t transposed = CUBLAS_OP_T;
  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
  const void *pointer = bias.data;
  OK(cublasLtCreate(&lt));
  OK(cublasLtMatmulDescCreate(&op, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  OK(cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                    sizeof transposed));
  OK(cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  OK(cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &pointer,
                                    sizeof pointer));
  OK(cublasLtMatrixLayoutCreate(&la, CUDA_R_16F, k, m, k));
  OK(cublasLtMatrixLayoutCreate(&lb, CUDA_R_16F, k, n, k));
  OK(cublasLtMatrixLayoutCreate(&lc, CUDA_R_16F, m, n, m));
  OK(cublasLtMatmul(lt, op, &alpha, a.data, la, b.data, lb, &beta, c.data, lc, c.data, lc, nullptr,
                    nullptr, 0, nullptr));
  Dense expected = apply(1, dense(a.read(), k, m, k)) * dense(b.read(), k, n, k);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      const double v = expected(i, j).real() + value(bias[i]).real();
      expected(i, j) = 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
    }
  add("cublasLt, GELU and bias, half", c, expected);
  for (auto layout : {la, lb, lc})
    OK(cublasLtMatrixLayoutDestroy(layout));
  OK(cublasLtMatmulDescDestroy(op));
  OK(cublasLtDestroy(lt));
}

void runAll() {
  runGemm<float>("gemm, float", CUDA_R_32F, CUBLAS_COMPUTE_32F);
  runGemm<double>("gemm, double", CUDA_R_64F, CUBLAS_COMPUTE_64F);
  runGemm<cuComplex>("gemm, complex float", CUDA_C_32F, CUBLAS_COMPUTE_32F);
  runGemm<cuDoubleComplex>("gemm, complex double", CUDA_C_64F, CUBLAS_COMPUTE_64F);
  runGemm<__half>("GemmEx, half", CUDA_R_16F, CUBLAS_COMPUTE_32F);
  runGemm<__nv_bfloat16>("GemmEx, bfloat16", CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  runBytes();
  runVectors<float>("gemv, float", "dot, float");
  runVectors<double>("gemv, double", "dot, double");
  runVectors<cuDoubleComplex>("gemv, complex double", "dotc, complex double");
  runNorm<float>("nrm2, float");
  runNorm<double>("nrm2, double");
  runSolutions<float>("trsm, float", "LU, float");
  runSolutions<double>("trsm, double", "LU, double");
  runSolutions<cuDoubleComplex>("trsm, complex double", "LU, complex double");
  runGelu();
}

void print() {
  for (const Case &c : cases) {
    std::printf("{\"%s\", {", c.name.c_str());
    for (size_t i = 0; i < c.actual.size(); ++i)
      std::printf("%s%a, %a", i ? ", " : "", c.actual[i].real(), c.actual[i].imag());
    std::printf("}},\n");
  }
}

double largest(const std::vector<Number> &values) {
  double result = 0;
  for (Number v : values)
    result = std::max(result, std::abs(v));
  return result;
}

void compareWithRecorded(const Recorded &r) {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case &c) { return c.name == r.name; });
  CHECK(found != cases.end() && r.numbers.size() == 2 * found->expected.size());
  if (found == cases.end() || r.numbers.size() != 2 * found->expected.size())
    return;
  std::vector<Number> theirs;
  for (size_t i = 0; i < r.numbers.size(); i += 2)
    theirs.emplace_back(r.numbers[i], r.numbers[i + 1]);
  const double allowed =
      4 * difference(theirs, found->expected) + 2 * found->epsilon * largest(found->expected);
  const double ours = difference(found->actual, theirs);
  if (check::failed(ours <= allowed, __FILE__, __LINE__, r.name))
    std::fprintf(stderr, ": off by %g, %g are allowed\n", ours, allowed);
}

} // namespace

int main(int argc, char **argv) {
  OK(cublasCreate(&handle));
  runAll();
  OK(cublasDestroy(handle));
  if (argc > 1 && std::string(argv[1]) == "record") {
    print();
    RETURN_RESULT();
  }
  for (const Case &c : cases) // whatever has been recorded
    CHECK_NEAR(difference(c.actual, c.expected), 0, 100 * c.epsilon * largest(c.expected));
  for (const Recorded &r : recorded)
    compareWithRecorded(r);
  RETURN_RESULT();
}
