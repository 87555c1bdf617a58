// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublasLt -lcublas
//
// cublasLt: products with every epilogue, orders, batches, types, pointer modes and scales, against
// sums in double; transformations; descriptions, heuristics, and what is refused.
#include "cublas_check.h"

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp8.h>

namespace {

cublasLtHandle_t handle;
constexpr int m = 32, n = 16, k = 48;

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
double geluSlope(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }

cublasLtMatrixLayout_t layout(cudaDataType type, int rows, int columns, int ld,
                              cublasLtOrder_t order = CUBLASLT_ORDER_COL, int batch = 1,
                              int64_t stride = 0) {
  cublasLtMatrixLayout_t result;
  OK(cublasLtMatrixLayoutCreate(&result, type, rows, columns, ld));
  OK(cublasLtMatrixLayoutSetAttribute(result, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  OK(cublasLtMatrixLayoutSetAttribute(result, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                                      sizeof batch));
  OK(cublasLtMatrixLayoutSetAttribute(result, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                      sizeof stride));
  return result;
}

/// An operation and its four layouts, destroyed at the end.
struct Operation {
  cublasLtMatmulDesc_t op;
  cublasLtMatrixLayout_t a, b, c, d;
  Operation(cublasComputeType_t compute, cudaDataType scale, cublasLtMatrixLayout_t a,
            cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d)
      : a(a), b(b), c(c), d(d) {
    OK(cublasLtMatmulDescCreate(&op, compute, scale));
  }
  ~Operation() {
    OK(cublasLtMatmulDescDestroy(op));
    for (auto each : {a, b, c, d})
      OK(cublasLtMatrixLayoutDestroy(each));
  }
  template <typename T> void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    OK(cublasLtMatmulDescSetAttribute(op, attribute, &value, sizeof value));
    T back{};
    size_t size = 0;
    OK(cublasLtMatmulDescGetAttribute(op, attribute, &back, sizeof back, &size));
    CHECK_EQ(size, sizeof value);
    CHECK(back == value);
  }
  cublasStatus_t run(const void *alpha, const void *A, const void *B, const void *beta,
                     const void *C, void *D, cudaStream_t stream = nullptr) {
    cublasLtMatmulPreference_t preference;
    OK(cublasLtMatmulPreferenceCreate(&preference));
    const size_t workspace = 0;
    OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                            &workspace, sizeof workspace));
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    OK(cublasLtMatmulAlgoGetHeuristic(handle, op, a, b, c, d, preference, 1, &found, &count));
    CHECK_EQ(count, 1);
    CHECK_EQ(found.state, CUBLAS_STATUS_SUCCESS);
    OK(cublasLtMatmulPreferenceDestroy(preference));
    return cublasLtMatmul(handle, op, alpha, A, a, B, b, beta, C, c, D, d, &found.algo, nullptr, 0,
                          stream);
  }
};

template <typename T> constexpr cudaDataType type_of = CUDA_R_32F;
template <> constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <> constexpr cudaDataType type_of<__half> = CUDA_R_16F;
template <> constexpr cudaDataType type_of<__nv_bfloat16> = CUDA_R_16BF;
template <> constexpr cudaDataType type_of<cuComplex> = CUDA_C_32F;

/// op(A) is m x k, op(B) k x n; A transposed, as most programs have it.
template <typename T> struct Case {
  const float alpha = 0.125f, beta = 0.5f;
  const Vector<T> a{k * m, 1}, b{k * n, 2}, c{m * n, 3}, d{m * n, 4}, bias{m, 5}, aux{m * n, 6};
  Operation op{CUBLAS_COMPUTE_32F,          CUDA_R_32F,
               layout(type_of<T>, k, m, k), layout(type_of<T>, k, n, k),
               layout(type_of<T>, m, n, m), layout(type_of<T>, m, n, m)};
  Dense sum;
  explicit Case(cublasLtEpilogue_t epilogue)
      : sum(Number(alpha) * (apply(1, dense(a.read(), k, m, k)) * dense(b.read(), k, n, k)) +
            Number(beta) * dense(c.read(), m, n, m)) {
    op.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    op.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    if (epilogue & (4 | 16 | 256 | 512))
      op.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, (void *)bias.data);
    if (epilogue & 128) {
      op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, (void *)aux.data);
      const bool bits = epilogue & (2 | 8);
      op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(bits ? 128 : m));
    }
  }
  void run() { OK(op.run(&alpha, a.data, b.data, &beta, c.data, d.data)); }
};

template <typename T> void testEpilogue(cublasLtEpilogue_t epilogue, double allowed) {
  Case<T> x(epilogue);
  const auto bias = x.bias.read(), aux = x.aux.read();
  Dense expected = x.sum;
  std::vector<Number> gradient(m);
  auto *bits = reinterpret_cast<unsigned char *>(x.aux.data);
  if (epilogue & 8) // a mask for DReLU: every third element
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < 128; ++i) {
        unsigned char &byte = bits[j * 16 + i / 8];
        byte = static_cast<unsigned char>((i + j) % 3 ? byte & ~(1 << i % 8) : byte | 1 << i % 8);
      }
  std::vector<Number> before = expected.values;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double v = expected(i, j).real();
      if (epilogue & 4)
        v += bias[size_t(i)].real();
      before[size_t(i + j * m)] = v;
      if (epilogue & 2)
        v = std::max(v, 0.0);
      if (epilogue & 32)
        v = gelu(v);
      if (epilogue & 8)
        v = (i + j) % 3 ? 0 : v;
      if (epilogue & 64)
        v *= geluSlope(aux[size_t(i + j * m)].real());
      expected(i, j) = v;
      gradient[size_t(i)] += v;
    }
  x.run();
  CHECK_NEAR(difference(x.d.read(), expected.values), 0, allowed);
  if (epilogue & 16)
    CHECK_NEAR(difference(x.bias.read(), gradient), 0, 16 * allowed);
  if ((epilogue & 128) && (epilogue & 32))
    CHECK_NEAR(difference(x.aux.read(), before), 0, allowed);
  if ((epilogue & 128) && (epilogue & 2))
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        if (std::abs(before[size_t(i + j * m)]) > allowed)
          CHECK_EQ(bits[j * 16 + i / 8] >> i % 8 & 1, before[size_t(i + j * m)].real() > 0);
}

template <typename T> void testEpilogues(double allowed) {
  for (auto epilogue :
       {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_RELU_AUX,
        CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
        CUBLASLT_EPILOGUE_DRELU, CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_GELU,
        CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
        CUBLASLT_EPILOGUE_DGELU, CUBLASLT_EPILOGUE_DGELU_BGRAD})
    testEpilogue<T>(epilogue, allowed);
}

/// Gradients of biases that belong to A and B: sums over k.
void testInputGradients() {
  for (auto epilogue : {CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_BGRADB}) {
    Case<__half> x(epilogue);
    x.run();
    CHECK_NEAR(difference(x.d.read(), x.sum.values), 0, 0.02);
    const bool a = epilogue == CUBLASLT_EPILOGUE_BGRADA;
    const Dense from = a ? dense(x.a.read(), k, m, k) : dense(x.b.read(), k, n, k);
    const auto result = x.bias.read();
    for (int j = 0; j < from.columns; ++j) {
      Number sum = 0;
      for (int l = 0; l < k; ++l)
        sum += from(l, j);
      CHECK_NEAR(result[size_t(j)].real(), sum.real(), 0.02);
    }
  }
}

/// Orders of every matrix, and batches.
void testOrders() {
  for (auto oa : {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW})
    for (auto od : {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW})
      for (auto ta : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        const bool row_a = oa == CUBLASLT_ORDER_ROW, row_d = od == CUBLASLT_ORDER_ROW;
        const int ar = ta ? k : m, ac = ta ? m : k, batch = 2;
        const Vector<float> a(2 * m * k, 1), b(2 * k * n, 2), c(2 * m * n, 3), d(2 * m * n, 4);
        Operation op(CUBLAS_COMPUTE_32F, CUDA_R_32F,
                     layout(CUDA_R_32F, ar, ac, row_a ? ac : ar, oa, batch, m * k),
                     layout(CUDA_R_32F, k, n, row_a ? n : k, oa, batch, k * n),
                     layout(CUDA_R_32F, m, n, row_d ? n : m, od, batch, m * n),
                     layout(CUDA_R_32F, m, n, row_d ? n : m, od, batch, m * n));
        op.set(CUBLASLT_MATMUL_DESC_TRANSA, ta);
        const float alpha = 0.5f, beta = -1;
        OK(op.run(&alpha, a.data, b.data, &beta, c.data, d.data));
        const auto get = [](const Vector<float> &v, int r, int cols, bool row, int at) {
          return row ? apply(1, dense(v.read(), cols, r, cols, at))
                     : dense(v.read(), r, cols, r, at);
        };
        for (int i = 0; i < batch; ++i) {
          const Dense expected = Number(alpha) * (apply(ta, get(a, ar, ac, row_a, i * m * k)) *
                                                  get(b, k, n, row_a, i * k * n)) +
                                 Number(beta) * get(c, m, n, row_d, i * m * n);
          CHECK_NEAR(difference(get(d, m, n, row_d, i * m * n).values, expected.values), 0, 1e-4);
        }
      }
}

template <typename T>
void testPlain(cublasComputeType_t compute, cudaDataType scale, double allowed) {
  using S = typename std::conditional<std::is_same<T, __nv_bfloat16>::value, float, T>::type;
  const Vector<T> a(m * k, 1), b(k * n, 2), c(m * n, 3);
  const Scalars<S> s(false);
  Operation op(compute, scale, layout(type_of<T>, m, k, m), layout(type_of<T>, k, n, k),
               layout(type_of<T>, m, n, m), layout(type_of<T>, m, n, m));
  const Dense expected =
      s.a * (dense(a.read(), m, k, m) * dense(b.read(), k, n, k)) + s.b * dense(c.read(), m, n, m);
  OK(op.run(s.alpha, a.data, b.data, s.beta, c.data, c.data)); // in place
  CHECK_NEAR(difference(c.read(), expected.values), 0, allowed);
}

void testBytes() {
  const Vector<signed char> a(k * m, 1), b(k * n, 2);
  const Vector<int> c(m * n, 3);
  Operation op(CUBLAS_COMPUTE_32I, CUDA_R_32I, layout(CUDA_R_8I, k, m, k),
               layout(CUDA_R_8I, k, n, k), layout(CUDA_R_32I, m, n, m),
               layout(CUDA_R_32I, m, n, m));
  op.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  const int alpha = 1, beta = 0;
  OK(op.run(&alpha, a.data, b.data, &beta, c.data, c.data));
  CHECK_EQ(
      difference(c.read(), (apply(1, dense(a.read(), k, m, k)) * dense(b.read(), k, n, k)).values),
      0.0);
}

/// 8-bit floating point: scales of all matrices, and the largest result.
void testFp8() {
  const Vector<unsigned char> raw_a(k * m, 1), raw_b(k * n, 2);
  Dense a(k, m), b(k, n);
  const auto fill = [](const Vector<unsigned char> &raw, Dense &values, int seed) {
    for (int i = 0; i < raw.count; ++i) {
      const __nv_fp8_e4m3 v(float(sample(seed, i).real()));
      raw.data[i] = v.__x;
      values.values[size_t(i)] = double(float(v));
    }
  };
  fill(raw_a, a, 3), fill(raw_b, b, 4);
  const Vector<__nv_bfloat16> c(m * n, 5), d(m * n, 6);
  const Vector<float> scales(3, 0);
  scales[0] = 2, scales[1] = 0.25f, scales[2] = 0;
  Operation op(CUBLAS_COMPUTE_32F, CUDA_R_32F, layout(CUDA_R_8F_E4M3, k, m, k),
               layout(CUDA_R_8F_E4M3, k, n, k), layout(CUDA_R_16BF, m, n, m),
               layout(CUDA_R_16BF, m, n, m));
  op.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  op.set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, int8_t(0));
  op.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, (void *)(scales.data));
  op.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, (void *)(scales.data + 1));
  op.set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F);
  op.set(CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, (void *)nullptr);
  const float alpha = 1, beta = 1;
  const auto status = op.run(&alpha, raw_a.data, raw_b.data, &beta, c.data, d.data);
  OK(status);
  const Dense expected = Number(0.5) * (apply(1, a) * b) + dense(c.read(), m, n, m);
  CHECK_NEAR(difference(d.read(), expected.values), 0, 0.1);
}

void testPointerModes() {
  const Vector<float> a(m * k, 1), b(k * n, 2), c(m * n, 3), d(m * n, 4), alphas(m, 5), betas(m, 6);
  const Dense sums = dense(a.read(), m, k, m) * dense(b.read(), k, n, k),
              old = dense(c.read(), m, n, m);
  for (auto mode : {CUBLASLT_POINTER_MODE_DEVICE, CUBLASLT_POINTER_MODE_DEVICE_VECTOR,
                    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO,
                    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST}) {
    const Vector<float> c2(m * n, 3);
    Operation op(CUBLAS_COMPUTE_32F, CUDA_R_32F, layout(CUDA_R_32F, m, k, m),
                 layout(CUDA_R_32F, k, n, k), layout(CUDA_R_32F, m, n, m),
                 layout(CUDA_R_32F, m, n, m));
    op.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, mode);
    const float host_beta = 0.75f;
    const float *beta = mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST   ? &host_beta
                        : mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO ? nullptr
                                                                                      : betas.data;
    // NVIDIA has the vector modes for some types only.
    const auto status = cublasLtMatmul(handle, op.op, alphas.data, a.data, op.a, b.data, op.b, beta,
                                       c.data, op.c, d.data, op.d, nullptr, nullptr, 0, nullptr);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED)
      continue;
    OK(status);
    Dense expected(m, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        const bool vector = mode != CUBLASLT_POINTER_MODE_DEVICE;
        const double be = mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO ? 0
                          : beta == &host_beta                                        ? host_beta
                                               : betas[vector ? i : 0];
        expected(i, j) = double(alphas[vector ? i : 0]) * sums(i, j) + be * old(i, j);
      }
    CHECK_NEAR(difference(d.read(), expected.values), 0, 1e-4);
  }
}

/// There and back through each order of 8-bit integers; then the sum of two.
void testTransform() {
  cublasLtMatrixTransformDesc_t op;
  OK(cublasLtMatrixTransformDescCreate(&op, CUDA_R_32F));
  const float alpha = 1, beta = 0;
  const int rows = 40, columns = 33;
  for (auto order : {CUBLASLT_ORDER_ROW, CUBLASLT_ORDER_COL32, CUBLASLT_ORDER_COL4_4R2_8C,
                     CUBLASLT_ORDER_COL32_2R_4R4}) {
    const int ld = order == CUBLASLT_ORDER_ROW            ? columns
                   : order == CUBLASLT_ORDER_COL32_2R_4R4 ? 64 * 32
                                                          : 40 * 32;
    const Vector<signed char> from(rows * columns, 1), there(64 * 64, 2), back(rows * columns, 3);
    auto plain = layout(CUDA_R_8I, rows, columns, rows),
         other = layout(CUDA_R_8I, rows, columns, ld, order);
    OK(cublasLtMatrixTransform(handle, op, &alpha, from.data, plain, &beta, nullptr, nullptr,
                               there.data, other, nullptr));
    OK(cublasLtMatrixTransform(handle, op, &alpha, there.data, other, &beta, nullptr, nullptr,
                               back.data, plain, nullptr));
    CHECK_EQ(difference(back.read(), from.read()), 0.0);
    // Where one element is, in each order: row 5, column 6.
    const int place = order == CUBLASLT_ORDER_ROW           ? 5 * columns + 6
                      : order == CUBLASLT_ORDER_COL32       ? 5 * 32 + 6
                      : order == CUBLASLT_ORDER_COL4_4R2_8C ? 4 * 32 + (4 + 2) * 4 + 2
                                                            : (2 * 4 * 2 + 1) * 32 + 6;
    CHECK_EQ(there[place], from[5 + 6 * rows]);
    OK(cublasLtMatrixLayoutDestroy(plain));
    OK(cublasLtMatrixLayoutDestroy(other));
  }
  const cublasOperation_t transposed = CUBLAS_OP_T;
  OK(cublasLtMatrixTransformDescSetAttribute(op, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &transposed,
                                             sizeof transposed));
  cublasOperation_t read_back;
  size_t size;
  OK(cublasLtMatrixTransformDescGetAttribute(op, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &read_back,
                                             sizeof read_back, &size));
  CHECK_EQ(read_back, transposed);
  const Vector<float> a(12, 1), b(12, 2), c(12, 3);
  const float two = 2, three = 3;
  auto la = layout(CUDA_R_32F, 4, 3, 4), lb = layout(CUDA_R_32F, 3, 4, 3);
  OK(cublasLtMatrixTransform(handle, op, &two, a.data, la, &three, b.data, lb, c.data, lb,
                             nullptr));
  CHECK_NEAR(difference(c.read(), (Number(2) * apply(1, dense(a.read(), 4, 3, 4)) +
                                   Number(3) * dense(b.read(), 3, 4, 3))
                                      .values),
             0, 1e-6);
  OK(cublasLtMatrixLayoutDestroy(la));
  OK(cublasLtMatrixLayoutDestroy(lb));
  OK(cublasLtMatrixTransformDescDestroy(op));
}

void testAlgorithms() {
  const auto f = CUDA_R_32F;
  int ids[4], count = 0;
  OK(cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, f, f, f, f, f, 4, ids, &count));
  CHECK(count >= 1);
  cublasLtMatmulAlgo_t algorithm;
  OK(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, f, f, f, f, f, ids[0], &algorithm));
  int32_t id = -1, split_k = 1;
  size_t size;
  OK(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id,
                                          &size));
  CHECK_EQ(id, ids[0]);
  OK(cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &split_k,
                                          sizeof split_k));
  int32_t batches = 0;
  OK(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT,
                                       &batches, sizeof batches, &size));
  CHECK_EQ(batches, 1);
  cublasLtMatmulPreference_t preference;
  OK(cublasLtMatmulPreferenceCreate(&preference));
  uint64_t workspace = 1 << 20, back = 0;
  OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                          &workspace, sizeof workspace));
  OK(cublasLtMatmulPreferenceGetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                          &back, sizeof back, &size));
  CHECK_EQ(back, workspace);
  OK(cublasLtMatmulPreferenceDestroy(preference));
  // Descriptions in the program's memory.
  cublasLtMatrixLayoutOpaque_t la;
  cublasLtMatmulDescOpaque_t op;
  cublasLtMatrixTransformDescOpaque_t transform;
  cublasLtMatmulPreferenceOpaque_t wish;
  OK(cublasLtMatrixLayoutInit(&la, f, 8, 8, 8));
  OK(cublasLtMatmulDescInit(&op, CUBLAS_COMPUTE_32F, f));
  OK(cublasLtMatrixTransformDescInit(&transform, f));
  OK(cublasLtMatmulPreferenceInit(&wish));
  uint64_t rows = 0;
  OK(cublasLtMatrixLayoutGetAttribute(&la, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows, &size));
  CHECK_EQ(rows, 8u);
  cublasLtMatmulHeuristicResult_t result;
  OK(cublasLtMatmulAlgoCheck(handle, &op, &la, &la, &la, &la, &algorithm, &result));
  CHECK_EQ(result.state, CUBLAS_STATUS_SUCCESS);
}

int logged = 0;
void count(int, const char *, const char *) { ++logged; }

void testLibrary() {
  CHECK(cublasLtGetVersion() >= 120000);
  CHECK(cublasLtGetCudartVersion() >= 12000);
  int major = 0;
  OK(cublasLtGetProperty(MAJOR_VERSION, &major));
  CHECK(major >= 12);
  CHECK(std::string(cublasLtGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) ==
        "CUBLAS_STATUS_INVALID_VALUE");
  CHECK(std::strlen(cublasLtGetStatusString(CUBLAS_STATUS_INVALID_VALUE)) > 5);
  size_t capacity = 0;
  OK(cublasLtHeuristicsCacheSetCapacity(100));
  OK(cublasLtHeuristicsCacheGetCapacity(&capacity));
  CHECK(capacity >= 100);
#if CUDART_VERSION < 13000 // CUDA 13.0 declares it, but its library does not have it
  cublasLtDisableCpuInstructionsSetMask(0);
#endif
  FILE *file = std::tmpfile();
  OK(cublasLtLoggerSetFile(file));
  OK(cublasLtLoggerSetCallback(count));
  OK(cublasLtLoggerSetLevel(5));
  OK(cublasLtLoggerSetMask(0));
  OK(cublasLtLoggerSetLevel(5));
  cublasLtHandle_t other;
  OK(cublasLtCreate(&other));
  OK(cublasLtDestroy(other));
  CHECK(logged >= 1);
  CHECK(std::ftell(file) > 0);
  OK(cublasLtLoggerOpenFile("/dev/null"));
  OK(cublasLtLoggerForceDisable());
  std::fclose(file);
}

void testOrderOfStreamsAndGraphs() {
  // A captured product runs when the graph does; its host scalars are those of the call.
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  const Vector<float> a(m * k, 1), b(k * n, 2), c(m * n, 3);
  const Dense sums = dense(a.read(), m, k, m) * dense(b.read(), k, n, k),
              old = dense(c.read(), m, n, m);
  Operation op(CUBLAS_COMPUTE_32F, CUDA_R_32F, layout(CUDA_R_32F, m, k, m),
               layout(CUDA_R_32F, k, n, k), layout(CUDA_R_32F, m, n, m),
               layout(CUDA_R_32F, m, n, m));
  float alpha = 1, beta = 1;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OK(op.run(&alpha, a.data, b.data, &beta, c.data, c.data, stream));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  alpha = 100;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i)
    CHECK_CUDA(cudaGraphLaunch(executable, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_NEAR(difference(c.read(), (old + Number(2) * sums).values), 0, 1e-4);
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void testRefusals() {
  const Vector<float> a(k * m, 1);
  const float one = 1;
  const auto f = CUDA_R_32F;
  const auto bad = CUBLAS_STATUS_INVALID_VALUE;
  Operation wrong(CUBLAS_COMPUTE_32F, f, layout(f, 8, 8, 8), layout(f, 7, 8, 8), layout(f, 8, 8, 8),
                  layout(f, 8, 8, 8));
  const auto run = [&](Operation &x, cublasLtHandle_t h) {
    return cublasLtMatmul(h, x.op, &one, a.data, x.a, a.data, x.b, &one, a.data, x.c, a.data, x.d,
                          nullptr, nullptr, 0, nullptr);
  };
  CHECK_EQ(run(wrong, handle), bad);
  CHECK_EQ(run(wrong, nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  Operation types(CUBLAS_COMPUTE_32F, f, layout(f, 8, 8, 8), layout(CUDA_R_64F, 8, 8, 8),
                  layout(f, 8, 8, 8), layout(f, 8, 8, 8));
  CHECK_EQ(run(types, handle), CUBLAS_STATUS_NOT_SUPPORTED);
  int64_t value = 0;
  CHECK_EQ(
      cublasLtMatmulDescSetAttribute(types.op, CUBLASLT_MATMUL_DESC_TRANSA, &value, sizeof value),
      bad);
  CHECK_EQ(cublasLtMatrixLayoutSetAttribute(types.a, CUBLASLT_MATRIX_LAYOUT_LD, nullptr, 8), bad);
  const auto blocks = CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0;
  const auto mode = CUBLASLT_MATMUL_DESC_B_SCALE_MODE;
  CHECK_EQ(cublasLtMatmulDescSetAttribute(types.op, mode, &blocks, 8), bad);
  OK(cublasLtMatmulDescSetAttribute(types.op, mode, &blocks, sizeof blocks)); // judged with types
  CHECK_EQ(run(types, handle), CUBLAS_STATUS_NOT_SUPPORTED);
  cublasHandle_t blas;
  OK(cublasCreate(&blas));
  Operation good(CUBLAS_COMPUTE_32F, f, layout(f, 8, 8, 8), layout(f, 8, 8, 8), layout(f, 8, 8, 8),
                 layout(f, 8, 8, 8));
  OK(run(good, (cublasLtHandle_t)blas)); // a handle of cuBLAS serves
  CHECK_CUDA(cudaDeviceSynchronize());
  OK(cublasDestroy(blas));
}

} // namespace

int main() {
  OK(cublasLtCreate(&handle));
  testEpilogues<float>(1e-4);
  testEpilogues<__half>(0.02);
  testEpilogues<__nv_bfloat16>(0.1);
  testInputGradients();
  testOrders();
  testPlain<float>(CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, 0.02);
  testPlain<double>(CUBLAS_COMPUTE_64F, CUDA_R_64F, 1e-11);
  testPlain<cuComplex>(CUBLAS_COMPUTE_32F, CUDA_C_32F, 1e-4);
  testPlain<__half>(CUBLAS_COMPUTE_16F, CUDA_R_16F, 0.05);
  testPlain<__nv_bfloat16>(CUBLAS_COMPUTE_32F, CUDA_R_32F, 0.1);
  testBytes();
  testFp8();
  testPointerModes();
  testTransform();
  testAlgorithms();
  testOrderOfStreamsAndGraphs();
  testRefusals();
  testLibrary();
  OK(cublasLtDestroy(handle));
  RETURN_RESULT();
}
