// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublas
//
// cuBLAS's emulation of wide types by narrow ones: settings, math modes and types of computation.
// Whether a library emulates or not, results are as precise as the types'.
#include "cublas_check.h"

#include <cublas_v2.h>
#include <vector>

namespace {

cublasHandle_t handle;
const auto bad = CUBLAS_STATUS_INVALID_VALUE;

void testSettings() {
  cublasEmulationStrategy_t strategy;
  cudaEmulationSpecialValuesSupport mask;
  cudaEmulationMantissaControl control;
  int bits, offset, *pointer;
  OK(cublasGetEmulationStrategy(handle, &strategy));
  CHECK_EQ(strategy, CUBLAS_EMULATION_STRATEGY_DEFAULT);
  OK(cublasSetEmulationStrategy(handle, CUBLAS_EMULATION_STRATEGY_EAGER));
  OK(cublasGetEmulationStrategy(handle, &strategy));
  CHECK_EQ(strategy, CUBLAS_EMULATION_STRATEGY_EAGER);
  CHECK_EQ(cublasSetEmulationStrategy(handle, cublasEmulationStrategy_t(77)), bad);
  const cudaEmulationStrategy_t of_all_libraries = CUDA_EMULATION_STRATEGY_PERFORMANT;
  OK(cublasSetEmulationStrategy(handle, of_all_libraries));
  OK(cublasGetEmulationSpecialValuesSupport(handle, &mask));
  CHECK_EQ(mask, CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT);
  OK(cublasSetEmulationSpecialValuesSupport(handle, CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN));
  OK(cublasGetEmulationSpecialValuesSupport(handle, &mask));
  CHECK_EQ(mask, CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN);
  OK(cublasSetEmulationSpecialValuesSupport(handle, CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT));
  OK(cublasSetFixedPointEmulationMantissaControl(handle, CUDA_EMULATION_MANTISSA_CONTROL_FIXED));
  OK(cublasGetFixedPointEmulationMantissaControl(handle, &control));
  CHECK_EQ(control, CUDA_EMULATION_MANTISSA_CONTROL_FIXED);
  OK(cublasSetFixedPointEmulationMaxMantissaBitCount(handle, 55));
  OK(cublasGetFixedPointEmulationMaxMantissaBitCount(handle, &bits));
  CHECK_EQ(bits, 55);
  OK(cublasSetFixedPointEmulationMantissaBitOffset(handle, -8));
  OK(cublasGetFixedPointEmulationMantissaBitOffset(handle, &offset));
  CHECK_EQ(offset, -8);
  OK(cublasSetFixedPointEmulationMantissaBitOffset(handle, 0));
  OK(cublasGetFixedPointEmulationMantissaBitCountPointer(handle, &pointer));
  CHECK(pointer == nullptr);
}

/// A product in T, by the mode of the handle or by GemmEx's type, compared with sums in double.
template <typename T>
void testProduct(cudaDataType type, cublasMath_t math, cublasComputeType_t compute, bool ex,
                 double bound) {
  const int m = 17, n = 9, k = 33;
  std::vector<T> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i)
    a[i] = T((i * 37 % 101 - 50) / T(7));
  for (int i = 0; i < k * n; ++i)
    b[i] = T((i * 53 % 89 - 44) / T(11));
  T *da, *db, *dc;
  CHECK_CUDA(cudaMalloc(&da, a.size() * sizeof(T)));
  CHECK_CUDA(cudaMalloc(&db, b.size() * sizeof(T)));
  CHECK_CUDA(cudaMalloc(&dc, c.size() * sizeof(T)));
  CHECK_CUDA(cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(db, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice));
  const T one = 1, zero = 0;
  cublasMath_t found;
  OK(cublasSetMathMode(handle, math));
  OK(cublasGetMathMode(handle, &found));
  CHECK_EQ(found, math);
  OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da, type, m, db, type, k, &zero,
                  dc, type, m, compute, ex ? CUBLAS_GEMM_AUTOTUNE : CUBLAS_GEMM_DEFAULT));
  CHECK_CUDA(cudaMemcpy(c.data(), dc, c.size() * sizeof(T), cudaMemcpyDeviceToHost));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0, size = 0;
      for (int l = 0; l < k; ++l) {
        sum += double(a[i + l * m]) * double(b[l + j * k]);
        size += std::fabs(double(a[i + l * m]) * double(b[l + j * k]));
      }
      CHECK(std::fabs(c[i + j * m] - sum) <= bound * size);
    }
  OK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
  CHECK_CUDA(cudaFree(da));
  CHECK_CUDA(cudaFree(db));
  CHECK_CUDA(cudaFree(dc));
}

} // namespace

int main() {
  OK(cublasCreate(&handle));
  testSettings();
  testProduct<double>(CUDA_R_64F, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH, CUBLAS_COMPUTE_64F, false,
                      1e-14);
  testProduct<double>(CUDA_R_64F, CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT,
                      false, 1e-14);
  testProduct<float>(CUDA_R_32F, CUBLAS_FP32_EMULATED_BF16X9_MATH, CUBLAS_COMPUTE_32F, false, 1e-5);
  testProduct<float>(CUDA_R_32F, CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F_EMULATED_16BFX9, true,
                     1e-5);
  OK(cublasDestroy(handle));
  RETURN_RESULT();
}
