// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublasLt
//
// cublasLt's batches whose matrices come from arrays (of addresses; of addresses and sizes),
// complex matrices in two planes, and 8-bit floats scaled by rows, by 128 elements and by blocks.
// On a GPU: compute capability 9.0 and cuBLAS 13.2.
#include "cublas_check.h"

#include <algorithm>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <vector>

namespace {

cublasLtHandle_t handle;

template <typename T> class Device {
public:
  Device() = default;
  explicit Device(const std::vector<T> &values) : size_(values.size()) {
    CHECK_CUDA(cudaMalloc(&data_, std::max<size_t>(1, size_) * sizeof(T)));
    CHECK_CUDA(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Device(Device &&other) : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
  ~Device() { cudaFree(data_); }
  T *get() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(size_);
    CHECK_CUDA(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

private:
  T *data_ = nullptr;
  size_t size_ = 0;
};

/// Numbers that 8-bit floats hold exactly.
template <typename T> std::vector<T> numbers(size_t count, int seed) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = T(float(int((i * 7 + seed) % 17) - 8) / 4);
  return values;
}

template <typename Attribute, typename T>
void set(cublasLtMatmulDesc_t op, Attribute attribute, const T &value) {
  OK(cublasLtMatmulDescSetAttribute(op, attribute, &value, sizeof value));
}
template <typename T>
void set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, const T &value) {
  OK(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value));
}

struct Description {
  cublasLtMatmulDesc_t op = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;

  Description(cublasComputeType_t compute, cudaDataType scale, cublasOperation_t transa) {
    OK(cublasLtMatmulDescCreate(&op, compute, scale));
    set(op, CUBLASLT_MATMUL_DESC_TRANSA, transa);
  }
  ~Description() {
    OK(cublasLtMatmulDescDestroy(op));
    for (cublasLtMatrixLayout_t layout : {a, b, c})
      OK(cublasLtMatrixLayoutDestroy(layout));
  }
  /// With the workspace that GPUs need; the library chooses the algorithm.
  void run(const void *alpha, const void *A, const void *B, const void *beta, const void *C,
           void *D) {
    static const Device<char> workspace(std::vector<char>(32 << 20));
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t result{};
    int found = 0;
    const size_t size = 32 << 20;
    OK(cublasLtMatmulPreferenceCreate(&preference));
    OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                            &size, sizeof size));
    OK(cublasLtMatmulAlgoGetHeuristic(handle, op, a, b, c, c, preference, 1, &result, &found));
    CHECK_EQ(found, 1);
    OK(cublasLtMatmulPreferenceDestroy(preference));
    OK(cublasLtMatmul(handle, op, alpha, A, a, B, b, beta, C, c, D, c, &result.algo,
                      workspace.get(), size, nullptr));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
};

void near(double found, double expected, double bound) {
  CHECK(std::fabs(found - expected) <= bound * std::max(1.0, std::fabs(expected)));
}

/// Matrices of halves at addresses in an array, with one bias for each of them.
void testPointers() {
  const int m = 24, n = 16, k = 32, count = 3;
  std::vector<Device<__half>> as, bs, cs;
  std::vector<const __half *> a_list, b_list;
  std::vector<__half *> c_list;
  for (int i = 0; i < count; ++i) {
    as.emplace_back(numbers<__half>(m * k, i));
    bs.emplace_back(numbers<__half>(k * n, 5 + i));
    cs.emplace_back(numbers<__half>(m * n, 9 + i));
  }
  for (const int i : {2, 0, 1}) { // not in the order of allocation
    a_list.push_back(as[i].get());
    b_list.push_back(bs[i].get());
    c_list.push_back(cs[i].get());
  }
  const Device<const __half *> A(a_list), B(b_list);
  const Device<__half *> C(c_list);
  Description d(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUBLAS_OP_N);
  OK(cublasLtMatrixLayoutCreate(&d.a, CUDA_R_16F, m, k, m));
  OK(cublasLtMatrixLayoutCreate(&d.b, CUDA_R_16F, k, n, k));
  OK(cublasLtMatrixLayoutCreate(&d.c, CUDA_R_16F, m, n, m));
  for (cublasLtMatrixLayout_t layout : {d.a, d.b, d.c}) {
    set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, int32_t(CUBLASLT_BATCH_MODE_POINTER_ARRAY));
    set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int32_t(count));
  }
  const float alpha = 2, beta = 0.5f;
  d.run(&alpha, A.get(), B.get(), &beta, C.get(), C.get());
  for (int i = 0; i < count; ++i) {
    const auto a = numbers<__half>(m * k, i), b = numbers<__half>(k * n, 5 + i),
               c = numbers<__half>(m * n, 9 + i), found = cs[i].read();
    for (int at = 0; at < m * n; ++at) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += double(float(a[at % m + l * m])) * double(float(b[l + at / m * k]));
      near(float(found[at]), 2 * sum + 0.5 * float(c[at]), 1e-3);
    }
  }
}

template <typename In, typename Out> struct Groups {
  std::vector<int> m{32, 64, 0, 16}, n{16, 48, 32, 80}, k{64, 16, 32, 144};
  std::vector<Device<In>> as, bs;
  std::vector<Device<Out>> cs;
  std::vector<const void *> a_list, b_list;
  std::vector<void *> c_list;

  Groups() {
    for (size_t i = 0; i < m.size(); ++i) {
      as.emplace_back(numbers<In>(m[i] * k[i], int(i)));
      bs.emplace_back(numbers<In>(k[i] * n[i], int(i) + 5));
      cs.emplace_back(numbers<Out>(m[i] * n[i], int(i) + 9));
      a_list.push_back(as[i].get());
      b_list.push_back(bs[i].get());
      c_list.push_back(cs[i].get());
    }
  }
  /// A is transposed: k rows.
  void check(double alpha, double beta, const std::vector<float> &scale) {
    for (size_t i = 0; i < m.size(); ++i) {
      const auto a = numbers<In>(m[i] * k[i], int(i)), b = numbers<In>(k[i] * n[i], int(i) + 5);
      const auto c = numbers<Out>(m[i] * n[i], int(i) + 9), found = cs[i].read();
      for (int at = 0; at < m[i] * n[i]; ++at) {
        double sum = 0;
        for (int l = 0; l < k[i]; ++l)
          sum += double(float(a[at % m[i] * k[i] + l])) * double(float(b[l + at / m[i] * k[i]]));
        near(float(found[at]), alpha * scale[i] * sum + beta * float(c[at]), 1e-2);
      }
    }
  }
};

/// Groups of products, each with its own sizes, which only the device knows.
template <typename In> void testGroups(cudaDataType type, bool scaled) {
  Groups<In, __nv_bfloat16> x;
  const int count = int(x.m.size());
  const Device<int> m(x.m), n(x.n), k(x.k);
  const Device<const void *> A(x.a_list), B(x.b_list);
  const Device<void *> C(x.c_list);
  Description d(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUBLAS_OP_T);
  OK(cublasLtGroupedMatrixLayoutCreate(&d.a, type, count, k.get(), m.get(), k.get()));
  OK(cublasLtGroupedMatrixLayoutCreate(&d.b, type, count, k.get(), n.get(), k.get()));
  OK(cublasLtGroupedMatrixLayoutCreate(&d.c, CUDA_R_16BF, count, m.get(), n.get(), m.get()));
  int32_t mode = -1, found_count = 0;
  OK(cublasLtMatrixLayoutGetAttribute(d.a, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &mode, sizeof mode,
                                      nullptr));
  CHECK_EQ(mode, CUBLASLT_BATCH_MODE_GROUPED);
  OK(cublasLtMatrixLayoutGetAttribute(d.a, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &found_count,
                                      sizeof found_count, nullptr));
  CHECK_EQ(found_count, count);

  const Device<float> scales({2, 3, 4, 5}), half({0.5f});
  std::vector<const float *> a_scales, b_scales;
  for (int i = 0; i < count; ++i) {
    a_scales.push_back(scales.get() + i);
    b_scales.push_back(half.get());
  }
  const Device<const float *> by_a(a_scales), by_b(b_scales);
  if (scaled) {
    const int32_t each = CUBLASLT_MATMUL_MATRIX_SCALE_PER_BATCH_SCALAR_32F;
    set(d.op, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, each);
    set(d.op, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, each);
    set(d.op, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, by_a.get());
    set(d.op, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, by_b.get());
  }
  const float alpha = 0.25f, beta = 2;
  d.run(&alpha, A.get(), B.get(), &beta, C.get(), C.get());
  x.check(alpha, beta, scaled ? std::vector<float>{1, 1.5f, 2, 2.5f} : std::vector<float>(4, 1));
}

/// A complex product of halves, real parts behind imaginary ones.
void testPlanes() {
  const int m = 16, n = 32, k = 24;
  const auto a = numbers<__half>(2 * m * k, 1), b = numbers<__half>(2 * k * n, 4);
  const Device<__half> A(a), B(b), C(numbers<__half>(2 * m * n, 0));
  Description d(CUBLAS_COMPUTE_32F, CUDA_C_32F, CUBLAS_OP_N);
  OK(cublasLtMatrixLayoutCreate(&d.a, CUDA_C_16F, m, k, m));
  OK(cublasLtMatrixLayoutCreate(&d.b, CUDA_C_16F, k, n, k));
  OK(cublasLtMatrixLayoutCreate(&d.c, CUDA_C_16F, m, n, m));
  set(d.a, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, -int64_t(m * k * sizeof(__half)));
  set(d.b, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, -int64_t(k * n * sizeof(__half)));
  set(d.c, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, -int64_t(m * n * sizeof(__half)));
  const cuComplex alpha = {0.5f, 1}, beta = {0, 0};
  d.run(&alpha, A.get() + m * k, B.get() + k * n, &beta, C.get() + m * n, C.get() + m * n);
  const auto found = C.read();
  for (int at = 0; at < m * n; ++at) {
    double real = 0, imag = 0;
    for (int l = 0; l < k; ++l) {
      const int i = at % m + l * m, j = l + at / m * k;
      const double ar = float(a[m * k + i]), ai = float(a[i]), br = float(b[k * n + j]),
                   bi = float(b[j]);
      real += ar * br - ai * bi;
      imag += ar * bi + ai * br;
    }
    near(float(found[m * n + at]), 0.5 * real - imag, 2e-3);
    near(float(found[at]), 0.5 * imag + real, 2e-3);
  }
}

/// 8-bit floats with scales that vary. The first index is along the sum's dimension.
void testScales(int a_mode, int b_mode) {
  const int m = 160, n = 144, k = 288, blocks = 3, padded = 4; // of 128 elements
  const auto a = numbers<__nv_fp8_e4m3>(k * m, 1), b = numbers<__nv_fp8_e4m3>(k * n, 4);
  std::vector<float> by_a(blocks * m + 16), by_b(blocks * n + 16);
  for (size_t i = 0; i < by_a.size(); ++i)
    by_a[i] = 0.5f + i % 13;
  for (size_t i = 0; i < by_b.size(); ++i)
    by_b[i] = 0.25f + i % 11;
  const Device<__nv_fp8_e4m3> A(a), B(b);
  const Device<float> SA(by_a), SB(by_b);
  const Device<__nv_bfloat16> C(numbers<__nv_bfloat16>(m * n, 0));
  Description d(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUBLAS_OP_T);
  OK(cublasLtMatrixLayoutCreate(&d.a, CUDA_R_8F_E4M3, k, m, k));
  OK(cublasLtMatrixLayoutCreate(&d.b, CUDA_R_8F_E4M3, k, n, k));
  OK(cublasLtMatrixLayoutCreate(&d.c, CUDA_R_16BF, m, n, m));
  set(d.op, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, int32_t(a_mode));
  set(d.op, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, int32_t(b_mode));
  set(d.op, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, SA.get());
  set(d.op, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, SB.get());
  const float alpha = 1, beta = 0;
  d.run(&alpha, A.get(), B.get(), &beta, C.get(), C.get());
  const auto scale = [&](const std::vector<float> &by, int mode, int l, int i, int size) {
    return mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F ? by[i]
           : mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F  ? by[l / 128 * size + i]
                                                              : by[i / 128 * padded + l / 128];
  };
  const auto found = C.read();
  for (int at = 0; at < m * n; at += 7) {
    double sum = 0, size = 0;
    for (int l = 0; l < k; ++l) {
      const int i = at % m, j = at / m;
      const double term = double(float(a[i * k + l])) * double(float(b[j * k + l])) *
                          scale(by_a, a_mode, l, i, m) * scale(by_b, b_mode, l, j, n);
      sum += term;
      size += std::fabs(term);
    }
    CHECK(std::fabs(float(found[at]) - sum) <= 0.004 * std::fabs(sum) + 1e-3 * size);
  }
}

void testEmulation() {
  cublasLtEmulationDesc_t emulation;
  int32_t bits = -1, mask = 0;
  size_t written = 0;
  OK(cublasLtEmulationDescCreate(&emulation));
  OK(cublasLtEmulationDescGetAttribute(emulation, CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT,
                                       &mask, sizeof mask, &written));
  CHECK_EQ(mask, CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT);
  CHECK_EQ(written, sizeof mask);
  bits = 55;
  OK(cublasLtEmulationDescSetAttribute(
      emulation, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, &bits, sizeof bits));
  const int m = 16, n = 8, k = 24;
  const auto a = numbers<double>(m * k, 1), b = numbers<double>(k * n, 4);
  const Device<double> A(a), B(b), C(numbers<double>(m * n, 0));
  Description d(CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_R_64F, CUBLAS_OP_N);
  OK(cublasLtMatrixLayoutCreate(&d.a, CUDA_R_64F, m, k, m));
  OK(cublasLtMatrixLayoutCreate(&d.b, CUDA_R_64F, k, n, k));
  OK(cublasLtMatrixLayoutCreate(&d.c, CUDA_R_64F, m, n, m));
  set(d.op, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, emulation);
  const double alpha = 1, beta = 0;
  d.run(&alpha, A.get(), B.get(), &beta, C.get(), C.get());
  const auto found = C.read();
  for (int at = 0; at < m * n; ++at) {
    double sum = 0;
    for (int l = 0; l < k; ++l)
      sum += a[at % m + l * m] * b[l + at / m * k];
    near(found[at], sum, 1e-12);
  }
  OK(cublasLtEmulationDescDestroy(emulation));
}

} // namespace

int main() {
  OK(cublasLtCreate(&handle));
  testPointers();
  testGroups<__nv_bfloat16>(CUDA_R_16BF, false);
  testGroups<__nv_fp8_e4m3>(CUDA_R_8F_E4M3, true);
  testPlanes();
  const int outer = CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
            vec = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F,
            block = CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
  testScales(outer, outer);
  testScales(vec, vec);
  testScales(vec, block);
  testScales(block, vec);
  testEmulation();
  OK(cublasLtDestroy(handle));
  RETURN_RESULT();
}
